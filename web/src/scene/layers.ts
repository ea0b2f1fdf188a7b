// Everything that is drawn on top of bodies: contacts, forces, cones, bounds, centres, joints, graph. A few draw calls in all.
import {
  BufferGeometry,
  ConeGeometry,
  CylinderGeometry,
  DoubleSide,
  MeshBasicMaterial,
  MeshLambertMaterial,
  type Object3D,
} from "three";
import { mergeGeometries } from "three/examples/jsm/utils/BufferGeometryUtils.js";
import { At, ContactFlag, type Frame, type Manifest } from "../data/types.js";
import type { LayerName } from "../state/app_state.js";
import { scalar, type Rgb } from "../state/colours.js";
import { Boxes } from "./boxes.js";
import { coneShape } from "./cone.js";
import { makeGeometry } from "./geometry.js";
import { makeBodyMaterial } from "./material.js";
import { JointMarks } from "./joint_marks.js";
import { toWorld } from "./poses.js";
import { LineSet, PointSet, SolidSet } from "./sets.js";
import { kTones, linear } from "./tones.js";

/** Cones stop here, so that contacts with nearly no friction or nearly no force still look like something. */
const kLeastCone = 1e-3;

export interface LayerInput {
  frame: Frame;
  poses: Float32Array; // as drawn, between frames
  layers: Readonly<Record<LayerName, boolean>>;
  byGap: boolean;
  gapScale: number; // m of penetration that has the brightest colour
  forceLength: number; // m drawn for one newton
  longest: number; // m: longer arrows and cones are drawn that long, and marked
  stepSize: number;
  selectedContact: number; // index or −1
  size: number; // of the scene, m
  forceTone: Rgb;
}

/** An arrow along +z from 0 to 1; its width is one. */
export function arrow(): BufferGeometry {
  const shaft = new CylinderGeometry(0.22, 0.22, 0.72, 8, 1).rotateX(Math.PI / 2).translate(0, 0, 0.36);
  const head = new ConeGeometry(0.5, 0.3, 12).rotateX(Math.PI / 2).translate(0, 0, 0.85);
  return mergeGeometries([shaft, head]);
}

export class Layers {
  private readonly points: PointSet;
  private readonly chosen: PointSet;
  private readonly centres: PointSet;
  private readonly lines: LineSet;
  private readonly arrows: SolidSet;
  private readonly cones: SolidSet;
  private readonly bounds: SolidSet;
  /** Arrows and cones of the last picture that were cut short. */
  capped = 0;
  private readonly boxes: Boxes;
  private readonly joints: JointMarks;
  private readonly colour: Rgb = [0, 0, 0];
  private readonly p = [0, 0, 0];
  private readonly q = [0, 0, 0];
  private readonly axis = [0, 0, 0];

  constructor(
    private readonly manifest: Manifest,
    parent: Object3D,
  ) {
    this.boxes = new Boxes(manifest);
    const glass = new MeshBasicMaterial({
      transparent: true,
      opacity: 0.22,
      side: DoubleSide,
      depthWrite: false,
      depthTest: false,
    });
    this.cones = new SolidSet(
      parent,
      new ConeGeometry(1, 1, 32, 1, true).rotateX(-Math.PI / 2).translate(0, 0, 0.5),
      glass,
      10,
    );
    const solid = new MeshLambertMaterial({ emissive: 0x333333, depthTest: false, transparent: true });
    this.lines = new LineSet(parent, 11, 0.9);
    this.arrows = new SolidSet(parent, arrow(), solid, 12);
    this.centres = new PointSet(parent, 9, 13);
    this.joints = new JointMarks(manifest, this.lines, this.centres);
    this.points = new PointSet(parent, 8, 14);
    this.chosen = new PointSet(parent, 16, 15);
    const edges = makeBodyMaterial();
    edges.wire.value = 1;
    this.bounds = new SolidSet(parent, makeGeometry({ kind: "box" }, 3, 1)!, edges, 9);
  }

  setPixelRatio(ratio: number): void {
    this.points.material.size = 8 * ratio;
    this.centres.material.size = 9 * ratio;
    this.chosen.material.size = 16 * ratio;
  }

  update(input: LayerInput): void {
    for (const set of [this.points, this.chosen, this.centres, this.lines, this.arrows, this.cones, this.bounds])
      set.begin();
    const { layers } = input;
    this.capped = 0;
    if (
      layers.contacts ||
      layers.normals ||
      layers.forces ||
      layers.cones ||
      layers.graph ||
      input.selectedContact >= 0
    )
      this.contacts(input);
    if (layers.bounds) this.boundsOf(input);
    if (layers.centres) this.centresOf(input);
    if (layers.joints) this.joints.draw(input.frame, input.poses, input.size);
    for (const set of [this.points, this.chosen, this.centres, this.lines, this.arrows, this.cones, this.bounds])
      set.end();
  }

  private contacts(input: LayerInput): void {
    const { frame, layers, selectedContact } = input;
    for (let c = 0; c < frame.contacts; ++c) {
      const o = c * At.Words;
      if (c === selectedContact) this.mark(frame, o);
      if (layers.contacts) this.point(input, o);
      if (layers.normals || c === selectedContact) this.normal(input, o);
      if (layers.forces || layers.cones || c === selectedContact) this.force(input, o, c === selectedContact);
      if (layers.graph) this.link(input, o);
    }
  }

  private mark(frame: Frame, o: number): void {
    const f = frame.contactsF32;
    this.chosen.add(f[o + At.Point]!, f[o + At.Point + 1]!, f[o + At.Point + 2]!, kTones.chosen);
  }

  private point({ frame, byGap, gapScale }: LayerInput, o: number): void {
    const f = frame.contactsF32;
    const flags = frame.contactsU32[o + At.FlagsU]!;
    let colour: Rgb =
      flags & ContactFlag.Impact ? kTones.impact : flags & ContactFlag.Opens ? kTones.opens : flags & ContactFlag.Sticking ? kTones.stick : kTones.slip;
    if (byGap) colour = linear(scalar(gapScale > 0 ? -f[o + At.Gap]! / gapScale : 0, this.colour), this.colour);
    this.points.add(f[o + At.Point]!, f[o + At.Point + 1]!, f[o + At.Point + 2]!, colour);
  }

  private normal({ frame, size }: LayerInput, o: number): void {
    const f = frame.contactsF32;
    const [x, y, z] = [f[o + At.Point]!, f[o + At.Point + 1]!, f[o + At.Point + 2]!];
    const n = o + At.Normal;
    const length = size * 0.03;
    this.lines.add(x, y, z, x + f[n]! * length, y + f[n + 1]! * length, z + f[n + 2]! * length, kTones.normal);
  }

  private force(input: LayerInput, o: number, selected: boolean): void {
    const f = input.frame.contactsF32;
    const i = o + At.Impulse;
    const n = o + At.Normal;
    const [x, y, z] = [f[o + At.Point]!, f[o + At.Point + 1]!, f[o + At.Point + 2]!];
    const size = Math.hypot(f[i]!, f[i + 1]!, f[i + 2]!);
    if (!(size > 0)) return;
    const full = input.forceLength / input.stepSize;
    const cut = size * full > input.longest; // then the cone shrinks with it, so that the force stays in its place there
    const scale = cut ? input.longest / size : full;
    if (cut) ++this.capped;
    const axis = this.axis;
    if (input.layers.forces || selected) {
      for (let k = 0; k < 3; ++k) axis[k] = f[i + k]! / size;
      const length = size * scale;
      this.arrows.addAlong(x, y, z, axis, length, Math.min(input.size * 0.02, length * 0.35), cut ? kTones.cut : input.forceTone);
    }
    if (input.layers.cones || selected) {
      for (let k = 0; k < 3; ++k) axis[k] = f[n + k]!;
      const along = f[i]! * axis[0]! + f[i + 1]! * axis[1]! + f[i + 2]! * axis[2]!;
      const across = Math.sqrt(Math.max(0, size * size - along * along));
      const mu = f[o + At.MuS]!;
      const { height, radius, use } = coneShape(along, across, mu, scale);
      if (height < kLeastCone * input.size) return;
      this.cones.addAlong(x, y, z, axis, height, radius, use < 0.999 ? kTones.stick : kTones.slip);
    }
  }

  private link({ frame, poses }: LayerInput, o: number): void {
    const a = frame.contactsU32[o + At.AU]!;
    const b = frame.contactsU32[o + At.BU]!;
    const [p, q] = [this.p, this.q];
    const f = frame.contactsF32;
    this.end(poses, a, p, f, o);
    this.end(poses, b, q, f, o);
    this.lines.add(p[0]!, p[1]!, p[2]!, q[0]!, q[1]!, q[2]!, kTones.graph);
  }

  /** The end of a line of the graph: a moving body's centre, or where it touches one that stands still. */
  private end(poses: Float32Array, slot: number, out: number[], f: Float32Array, o: number): void {
    const body = this.manifest.bodies[slot];
    if (body && body.kind !== "static" && slot * 7 < poses.length) toWorld(poses, slot, body.com, out);
    else for (let k = 0; k < 3; ++k) out[k] = f[o + At.Point + k]!;
  }

  private boundsOf({ frame, poses }: LayerInput): void {
    this.boxes.update(poses, frame.alive);
    for (let slot = 0; slot < Math.min(frame.slots, this.manifest.bodies.length); ++slot)
      if (frame.alive[slot] && this.boxes.of(slot, this.p, this.q)) this.bounds.addBox(this.p, this.q, kTones.bounds);
  }

  private centresOf({ frame, poses }: LayerInput): void {
    for (let slot = 0; slot < frame.slots; ++slot) {
      const body = this.manifest.bodies[slot];
      if (!body || body.kind !== "dynamic" || frame.alive[slot] === 0) continue;
      const p = toWorld(poses, slot, body.com, this.p);
      this.centres.add(p[0]!, p[1]!, p[2]!, kTones.centre);
    }
  }
}
