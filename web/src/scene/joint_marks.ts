// Joints as lines and dots: what is joined to what, and how it may move. Broken and removed ones are not drawn; those that
// were made during the run are drawn where their frame has them.
import { jointKind, type Frame, type FrameJoint, type Joint, type Manifest } from "../data/types.js";
import type { Rgb } from "../state/colours.js";
import { rotate, toLocal, toWorld } from "./poses.js";
import type { LineSet, PointSet } from "./sets.js";
import { kTones } from "./tones.js";

const kAxis = 0.06; // half of an axis, over the size of the scene
const kSlide = 0.12; // half of a direction along which a body slides
const kPlane = 0.07; // half of the side of a plane
const kCross = 0.02; // half of the cross at a target
const kCoil = 0.012; // half of the width of a spring
const kPlain = 0.15; // of a spring's length, at each end
const kMostTurns = 12;
const kHelixTurns = 3;
const kHelixSides = 12;

type Vec = number[];

/** Two unit vectors across `axis` and each other. */
function across(axis: Vec, u: Vec, v: Vec): void {
  const least = Math.abs(axis[0]!) < 0.6 ? 0 : 1;
  const e = [0, 0, 0];
  e[least] = 1;
  cross(axis, e, u);
  const size = Math.hypot(u[0]!, u[1]!, u[2]!) || 1;
  for (let k = 0; k < 3; ++k) u[k] = u[k]! / size;
  cross(axis, u, v);
}

function cross(a: Vec, b: Vec, out: Vec): void {
  out[0] = a[1]! * b[2]! - a[2]! * b[1]!;
  out[1] = a[2]! * b[0]! - a[0]! * b[2]!;
  out[2] = a[0]! * b[1]! - a[1]! * b[0]!;
}

export class JointMarks {
  private readonly p: Vec = [0, 0, 0];
  private readonly q: Vec = [0, 0, 0];
  private readonly axis: Vec = [0, 0, 0];
  private readonly u: Vec = [0, 0, 0];
  private readonly v: Vec = [0, 0, 0];
  private readonly r: Vec = [0, 0, 0];
  private readonly s: Vec = [0, 0, 0];
  private readonly told = new Map<number, FrameJoint>();
  private poses: Float32Array = new Float32Array(0);
  private size = 1;

  constructor(
    private readonly manifest: Manifest,
    private readonly lines: LineSet,
    private readonly dots: PointSet,
  ) {}

  /** `poses`: as drawn, which may be between two frames. */
  draw(frame: Frame, poses: Float32Array, size: number): void {
    this.poses = poses;
    this.size = size;
    this.told.clear();
    for (const each of frame.joints) this.told.set(each.serial, each);
    this.manifest.joints.forEach((joint, serial) => {
      const told = this.told.get(serial);
      if (told?.gone) return;
      toWorld(poses, joint.a, joint.point_a, this.p);
      toWorld(poses, joint.b, joint.point_b, this.q);
      if (told && joint.kind === "target") copy(told.pointA, this.p);
      this.joint(joint.kind, joint.a, joint.b, joint);
    });
    for (const made of frame.joints) {
      if (made.gone || made.serial < this.manifest.joints.length) continue;
      this.moved(frame, made.a, made.pointA, this.p);
      this.moved(frame, made.b, made.pointB, this.q);
      this.joint(jointKind(made.kind), made.a, made.b, null);
    }
    for (const spring of this.manifest.springs) {
      toWorld(poses, spring.a, spring.point_a, this.p);
      toWorld(poses, spring.b, spring.point_b, this.q);
      this.coil(this.p, this.q, kTones.spring);
    }
  }

  /** A place in the frame, where its body has gone since. */
  private moved(frame: Frame, slot: number, place: readonly number[], out: Vec): void {
    copy(place, out);
    if (slot < 0 || !frame.poses || frame.poses === this.poses || slot * 7 + 7 > frame.poses.length) return;
    toLocal(frame.poses, slot, out, out);
    toWorld(this.poses, slot, out, out);
  }

  /** From this.p on A to this.q on B. */
  private joint(kind: Joint["kind"], a: number, b: number, known: Joint | null): void {
    const { p, q } = this;
    switch (kind) {
      case "distance":
      case "rope":
      case "gear":
        this.line(p, q, kTones.joint);
        this.dot(p, kTones.joint);
        this.dot(q, kTones.joint);
        return;
      case "spring":
        this.coil(p, q, kTones.spring);
        this.dot(p, kTones.spring);
        this.dot(q, kTones.spring);
        return;
      case "target":
        this.line(p, q, kTones.target);
        this.cross(p, kTones.target);
        this.dot(q, kTones.target);
        return;
      case "bead":
        if (known?.curve) this.curve(a, known.curve);
        this.dot(q, kTones.joint);
        return;
      default:
        this.arm(a, q);
        this.arm(b, q);
        this.dot(q, kTones.joint);
    }
    if (known?.axis_a) this.ways(kind, a, b, known);
  }

  /** The axes and planes along which it moves. */
  private ways(kind: Joint["kind"], a: number, b: number, joint: Joint): void {
    const { p, axis, size } = this;
    rotate(this.poses, a, joint.axis_a!, axis);
    if (kind === "planar") return this.plane(p, axis);
    const sliding = kind === "slider" || kind === "cylindrical" || kind === "screw";
    this.along(p, axis, (sliding ? kSlide : kAxis) * size);
    if (kind === "screw") this.helix(p, axis);
    if (joint.axis_b) {
      rotate(this.poses, b, joint.axis_b, axis);
      this.along(p, axis, kAxis * size);
    }
  }

  private dot(p: Vec, tone: Rgb): void {
    this.dots.add(p[0]!, p[1]!, p[2]!, tone);
  }

  private line(p: Vec, q: Vec, tone: Rgb): void {
    this.lines.add(p[0]!, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, tone);
  }

  private along(p: Vec, axis: Vec, half: number): void {
    for (let k = 0; k < 3; ++k) {
      this.r[k] = p[k]! - half * axis[k]!;
      this.s[k] = p[k]! + half * axis[k]!;
    }
    this.line(this.r, this.s, kTones.joint);
  }

  /** Shows which bodies a joint holds: from a moving body's centre of mass to the joint. */
  private arm(slot: number, place: Vec): void {
    const body = slot < 0 ? undefined : this.manifest.bodies[slot];
    if (!body || body.kind === "static" || slot * 7 + 7 > this.poses.length) return;
    toWorld(this.poses, slot, body.com, this.r);
    this.line(this.r, place, kTones.arm);
  }

  private cross(p: Vec, tone: Rgb): void {
    const h = kCross * this.size;
    for (let k = 0; k < this.manifest.dimension; ++k) {
      copy(p, this.r);
      copy(p, this.s);
      this.r[k] = this.r[k]! - h;
      this.s[k] = this.s[k]! + h;
      this.line(this.r, this.s, tone);
    }
  }

  private curve(slot: number, flat: readonly number[]): void {
    for (let i = 0; i + 1 < flat.length; i += 2) {
      toWorld(this.poses, slot, [flat[i]!, flat[i + 1]!, 0], i === 0 ? this.r : this.s);
      if (i === 0) continue;
      this.line(this.r, this.s, kTones.joint);
      copy(this.s, this.r);
    }
  }

  private plane(p: Vec, normal: Vec): void {
    const { u, v, r, s } = this;
    across(normal, u, v);
    const h = kPlane * this.size;
    const corner = (i: number, out: Vec): void => {
      for (let k = 0; k < 3; ++k)
        out[k] = p[k]! + h * (i === 0 || i === 3 ? 1 : -1) * u[k]! + h * (i < 2 ? 1 : -1) * v[k]!;
    };
    for (let i = 0; i < 4; ++i) {
      corner(i, r);
      corner((i + 1) % 4, s);
      this.line(r, s, kTones.joint);
    }
    this.along(p, normal, 0.5 * kAxis * this.size);
  }

  private helix(p: Vec, axis: Vec): void {
    const { u, v, r, s } = this;
    across(axis, u, v);
    const [half, radius] = [0.6 * kAxis * this.size, 0.2 * kAxis * this.size];
    const count = kHelixTurns * kHelixSides;
    for (let i = 0; i <= count; ++i) {
      const angle = (2 * Math.PI * i) / kHelixSides;
      const [c, d, h] = [radius * Math.cos(angle), radius * Math.sin(angle), half * ((2 * i) / count - 1)];
      for (let k = 0; k < 3; ++k) s[k] = p[k]! + c * u[k]! + d * v[k]! + h * axis[k]!;
      if (i > 0) this.line(r, s, kTones.joint);
      copy(s, r);
    }
  }

  /** A zigzag, in the plane in 2D. */
  private coil(p: Vec, q: Vec, tone: Rgb): void {
    const { u, v, r, s, axis } = this;
    for (let k = 0; k < 3; ++k) axis[k] = q[k]! - p[k]!;
    const length = Math.hypot(axis[0]!, axis[1]!, axis[2]!);
    const half = kCoil * this.size;
    if (!(length > 4 * half)) return this.line(p, q, tone);
    for (let k = 0; k < 3; ++k) axis[k] = axis[k]! / length;
    if (this.manifest.dimension === 2) {
      u[0] = -axis[1]!;
      u[1] = axis[0]!;
      u[2] = 0;
    } else {
      across(axis, u, v);
    }
    const turns = Math.max(3, Math.min(kMostTurns, Math.floor((length * (1 - 2 * kPlain)) / (3 * half))));
    copy(p, r);
    for (let i = 0; i <= 2 * turns + 1; ++i) {
      const ends = i === 0 || i === 2 * turns + 1;
      const at = length * (kPlain + ((1 - 2 * kPlain) * Math.min(Math.max(i - 0.5, 0), 2 * turns)) / (2 * turns));
      const out = ends ? 0 : i % 2 === 0 ? half : -half;
      for (let k = 0; k < 3; ++k) s[k] = p[k]! + at * axis[k]! + out * u[k]!;
      this.line(r, s, tone);
      copy(s, r);
    }
    this.line(r, q, tone);
  }
}

function copy(from: readonly number[], to: Vec): void {
  for (let k = 0; k < 3; ++k) to[k] = from[k]!;
}
