// One answer of a verdict as a run. Its frames are computed when they are asked for: places at rest, and the motion from there.
import { bodyRadii, quantile } from "../scene/extents.js";
import { fractionValue, type Exact } from "../state/fractions.js";
import type { Run, Series } from "./source.js";
import type { Answer, Change, ForceBar, SlotMotion, Statics, StaticsMarks, StaticsPoint } from "./statics.js";
import { At, ContactFlag, FrameFlag, type Frame, type Manifest } from "./types.js";

const kFrames = 61;
const kReach = 0.9; // of a usual body's radius: how far the motion is shown
const kMostReach = 0.3; // of the structure
const kMostTurn = 0.5; // rad
const kStill = 1e-7; // of the fastest body: rounding

const three = (v: readonly number[]): number[] => [v[0] ?? 0, v[1] ?? 0, v[2] ?? 0];
const cross = (a: readonly number[], b: readonly number[]): number[] => [
  a[1]! * b[2]! - a[2]! * b[1]!,
  a[2]! * b[0]! - a[0]! * b[2]!,
  a[0]! * b[1]! - a[1]! * b[0]!,
];
const sizeOf = (v: readonly number[]): number => Math.hypot(...v);

/** Force vectors of a point in world axes [N]. */
export function forceOf({ normal, tangents, force }: StaticsPoint): number[] {
  const out = [0, 0, 0];
  const axes = [normal, ...tangents];
  (force ?? []).forEach((part, k) => axes[k]?.forEach((x, i) => (out[i]! += fractionValue(part) * x)));
  return out;
}

function slotsOf(manifest: Manifest): Map<string, number> {
  return new Map(manifest.bodies.map((body, slot) => [body.name, slot]));
}

function motionsOf(answer: Answer, manifest: Manifest): SlotMotion[] {
  const slots = slotsOf(manifest);
  return Object.entries(answer.motion ?? {}).flatMap(([name, parts]) => {
    const slot = slots.get(name);
    if (slot === undefined) return [];
    const [linear, angular] = answer.names.map((part) => (parts[part] ?? []).map(fractionValue));
    return [{ slot, linear: three(linear!), angular: angular!.length === 1 ? [0, 0, angular![0]!] : three(angular!) }];
  });
}

/** Along the normal, towards the body that is free, or the upper one of two. */
function sideOf(manifest: Manifest, a: number, b: number, normal: readonly number[]): 1 | -1 {
  const free = [a, b].map((slot) => manifest.bodies[slot]?.kind === "dynamic");
  const down = normal.reduce((sum, x, k) => sum + x * manifest.gravity[k]!, 0) > 0;
  if (free[0] && free[1]) return down ? -1 : 1;
  return free[1] ? 1 : -1;
}

const meanOf = (vectors: number[][]): number[] =>
  [0, 1, 2].map((k) => vectors.reduce((sum, v) => sum + v[k]!, 0) / vectors.length);

/** Bars of ranges that are known, of points or of whole pairs. */
function barsOf(answer: Answer, manifest: Manifest, whole: boolean): ForceBar[] {
  const slots = slotsOf(manifest);
  const bars: ForceBar[] = [];
  for (const pair of answer.pairs) {
    const [a, b] = [slots.get(pair.a) ?? -1, slots.get(pair.b) ?? -1];
    const add = (points: StaticsPoint[], least: Exact | undefined, greatest: Exact | undefined): void => {
      if (least === undefined || greatest === undefined || points.length === 0) return;
      const mean = meanOf(points.map(({ normal }) => three(normal)));
      const normal = sizeOf(mean) > 0.1 ? mean.map((x) => x / sizeOf(mean)) : three(points[0]!.normal);
      const sign = sideOf(manifest, a, b, normal);
      bars.push({
        a,
        b,
        point: meanOf(points.map(({ point }) => three(point))),
        axis: normal.map((x) => sign * x),
        least: Math.max(0, fractionValue(least)),
        greatest: greatest === null ? Infinity : Math.max(0, fractionValue(greatest)),
      });
    };
    if (whole) add(pair.points, pair.least, pair.greatest);
    else for (const each of pair.points) add([each], each.least, each.greatest);
  }
  return bars;
}

/** Turns the pose of a body (at p[o]) about its centre of mass by the rotation vector `turn`, and moves it by `shift`. */
export function moved(
  pose: readonly number[],
  com: readonly number[],
  shift: readonly number[],
  turn: readonly number[],
): number[] {
  const angle = sizeOf(turn);
  const s = angle > 0 ? Math.sin(angle / 2) / angle : 0;
  const [w, x, y, z] = [Math.cos(angle / 2), turn[0]! * s, turn[1]! * s, turn[2]! * s];
  const [pw, px, py, pz] = pose.slice(3, 7) as [number, number, number, number];
  const rotate = (q: readonly number[], v: readonly number[]): number[] => {
    const u = [q[1]!, q[2]!, q[3]!];
    const t = cross(u, v).map((c) => 2 * c);
    const e = cross(u, t);
    return v.map((c, k) => c + q[0]! * t[k]! + e[k]!);
  };
  const arm = rotate([pw, px, py, pz], com);
  const turned = rotate([w, x, y, z], arm);
  const place = [0, 1, 2].map((k) => pose[k]! + arm[k]! + shift[k]! - turned[k]!);
  return [
    ...place,
    w * pw - x * px - y * py - z * pz,
    w * px + x * pw + y * pz - z * py,
    w * py - x * pz + y * pw + z * px,
    w * pz + x * py - y * px + z * pw,
  ];
}

/** Numbers that a solver leaves where nothing moves are 0, so that they have no arrows. */
export function withoutRounding(motions: readonly SlotMotion[], radii: ArrayLike<number>): SlotMotion[] {
  const radius = (slot: number): number => radii[slot] ?? 0;
  let most = 0;
  for (const { slot, linear, angular } of motions)
    most = Math.max(most, sizeOf(linear), sizeOf(angular) * radius(slot));
  const clean = (v: number[], r: number): number[] => (sizeOf(v) * r <= kStill * most ? [0, 0, 0] : v);
  return motions.map(({ slot, linear, angular }) => ({
    slot,
    linear: clean(linear, 1),
    angular: clean(angular, radius(slot)),
  }));
}

/** How much of the motion is shown: the factor of the motion (m over m/s² or m/s) at the end. */
export function extentOf(motions: readonly SlotMotion[], radii: ArrayLike<number>, structure: number): number {
  const usual = quantile(
    motions.map(({ slot }) => radii[slot] ?? 0).filter((r) => r > 0),
    0.5,
  );
  const reach = Math.min(usual > 0 ? kReach * usual : Infinity, structure > 0 ? kMostReach * structure : Infinity);
  let speed = 0;
  let turn = 0;
  for (const { slot, linear, angular } of motions) {
    speed = Math.max(speed, sizeOf(linear) + sizeOf(angular) * (radii[slot] ?? 0));
    turn = Math.max(turn, sizeOf(angular));
  }
  if (!(speed > 0) || !Number.isFinite(reach)) return 0;
  return Math.min(reach / speed, turn > 0 ? kMostTurn / turn : Infinity);
}

/** What a contact point does if its two sides move like this. */
function changeOf(va: readonly number[], vb: readonly number[], n: readonly number[], still: number): Change {
  const u = vb.map((v, k) => v - va[k]!);
  const along = u.reduce((sum, v, k) => sum + v * n[k]!, 0);
  if (along > still) return "opens";
  return sizeOf(u.map((v, k) => v - along * n[k]!)) > still ? "slides" : "stays";
}

const flagOf = (change: Change | undefined): number =>
  change === "opens" ? ContactFlag.Opens : change === "slides" ? 0 : ContactFlag.Sticking;

/** A contact point and how its two sides move, per factor. */
interface Touch {
  a: number;
  b: number;
  each: StaticsPoint;
  change: Change | undefined;
  va: number[];
  vb: number[];
}

/** One answer as a run: its frames are computed when they are asked for. */
export class AnswerRun implements Run {
  readonly manifest: Manifest;
  readonly series: Series;
  readonly statics: StaticsMarks;
  private readonly factor: number; // of the motion at the last frame
  private readonly last = new Map<number, Frame>();
  private readonly bySlot = new Map<number, SlotMotion>();
  private readonly points: Touch[] = [];

  constructor(
    private readonly data: Statics,
    private readonly answer: Answer,
    seconds = 1, // that a motion of arbitrary scale lasts
  ) {
    const radii = bodyRadii(data.manifest);
    const motions = withoutRounding(motionsOf(answer, data.manifest), radii);
    for (const motion of motions) this.bySlot.set(motion.slot, motion);
    this.factor = extentOf(motions, radii, structureSize(data));
    const frames = this.factor > 0 ? kFrames : 1;
    const end = frames === 1 ? 0 : answer.kind === "acceleration" ? Math.sqrt(2 * this.factor) : seconds;
    const step = frames > 1 ? end / (frames - 1) : data.manifest.step_size;
    this.manifest = {
      ...data.manifest,
      step_size: step,
      duration: end,
      frames,
      has: { poses: true, velocities: frames > 1, contacts: true },
    };
    this.series = {
      frames,
      times: Float64Array.from({ length: frames }, (_, i) => i * step),
      steps: Float64Array.from({ length: frames }, (_, i) => i),
      columns: [],
      events: [],
    };
    const slots = slotsOf(data.manifest);
    const mostLinear = motions.reduce((most, { linear }) => Math.max(most, sizeOf(linear)), 0);
    for (const pair of answer.pairs)
      for (const each of pair.points) {
        const [a, b] = [slots.get(pair.a) ?? -1, slots.get(pair.b) ?? -1];
        const [va, vb] = [this.rate(a, three(each.point)), this.rate(b, three(each.point))];
        const own = answer.kind === "velocity" ? changeOf(va, vb, three(each.normal), kStill * mostLinear) : each.change;
        this.points.push({ a, b, each, change: own, va, vb });
      }
    this.statics = {
      kind: answer.kind,
      label: answer.label,
      help: answer.help,
      bars: answer.kind === "rest" ? barsOf(answer, data.manifest, false) : [],
      pairBars: answer.kind === "rest" ? barsOf(answer, data.manifest, true) : [],
      motions,
      mostForce: 0,
      mostLinear,
      mostAngular: motions.reduce((most, { angular }) => Math.max(most, sizeOf(angular)), 0),
    };
  }

  /** The greatest force that is drawn [N]. */
  greatestForce(): number {
    let most = 0;
    for (const { least, greatest } of [...this.statics.bars, ...this.statics.pairBars])
      most = Math.max(most, Number.isFinite(greatest) ? greatest : least);
    if (this.answer.kind !== "velocity") for (const { each } of this.points) most = Math.max(most, sizeOf(forceOf(each)));
    return most;
  }

  frame(index: number): Frame {
    let frame = this.last.get(index);
    if (!frame) {
      if (this.last.size > 4) this.last.clear();
      this.last.set(index, (frame = this.make(index)));
    }
    return frame;
  }

  samples(): Frame[] {
    return this.series.frames > 1 ? [this.frame(0), this.frame(this.series.frames - 1)] : [this.frame(0)];
  }

  subscribe(): void {
    // Nothing ever changes.
  }

  /** The motion of a point of a body per factor. */
  private rate(slot: number, point: readonly number[]): number[] {
    const motion = this.bySlot.get(slot);
    if (!motion) return [0, 0, 0];
    const centre = moved(this.data.poses[slot]!, this.data.manifest.bodies[slot]!.com, [0, 0, 0], [0, 0, 0]);
    const com = this.data.manifest.bodies[slot]!.com;
    const middle = rotated(centre, com).map((x, k) => x + centre[k]!);
    const arm = cross(
      motion.angular,
      point.map((x, k) => x - middle[k]!),
    );
    return motion.linear.map((v, k) => v + arm[k]!);
  }

  private make(index: number): Frame {
    const { data, answer, series } = this;
    const slots = data.manifest.bodies.length;
    const time = series.times[index] ?? 0;
    const part = series.frames > 1 ? index / (series.frames - 1) : 0;
    const factor = this.factor * (answer.kind === "acceleration" ? part * part : part); // ½·t², or a part of the scale
    const poses = new Float32Array(7 * slots);
    const velocities = series.frames > 1 ? new Float32Array(6 * slots) : null;
    const rate = answer.kind === "acceleration" ? time : 1;
    for (let slot = 0; slot < slots; ++slot) {
      const motion = this.bySlot.get(slot);
      const pose = data.poses[slot]!;
      const scaled = (v: readonly number[], s: number): number[] => v.map((x) => x * s);
      poses.set(
        motion
          ? moved(pose, data.manifest.bodies[slot]!.com, scaled(motion.linear, factor), scaled(motion.angular, factor))
          : pose,
        7 * slot,
      );
      if (motion && velocities)
        velocities.set([...scaled(motion.linear, rate), ...scaled(motion.angular, rate)], 6 * slot);
    }
    const { u32, f32 } = this.contacts(factor, rate);
    return {
      step: index,
      time,
      slots,
      flags: FrameFlag.Poses | FrameFlag.Contacts | (velocities ? FrameFlag.Velocities : 0),
      fields: new Float64Array(0),
      poses,
      velocities,
      alive: new Uint8Array(slots).fill(1),
      contacts: this.points.length,
      contactsTotal: this.points.length,
      contactsU32: u32,
      contactsF32: f32,
      events: [],
      joints: [],
    };
  }

  /** Contact points half-way between the two bodies. An impulse is the force times the step, so that panels see the force. */
  private contacts(factor: number, rate: number): { u32: Uint32Array; f32: Float32Array } {
    const u32 = new Uint32Array(this.points.length * At.Words);
    const f32 = new Float32Array(u32.buffer);
    const h = this.manifest.step_size;
    this.points.forEach(({ a, b, each, change, va, vb }, i) => {
      const o = i * At.Words;
      const p = three(each.point);
      u32[o + At.AU] = a;
      u32[o + At.BU] = b;
      u32[o + At.KeyLowU] = i;
      u32[o + At.FlagsU] = this.answer.kind === "rest" ? ContactFlag.Sticking : flagOf(change);
      const force = this.answer.kind === "velocity" ? [0, 0, 0] : forceOf(each);
      const n = three(each.normal);
      let gap = 0;
      for (let k = 0; k < 3; ++k) {
        f32[o + At.Point + k] = p[k]! + (0.5 * va[k]! + 0.5 * vb[k]!) * factor;
        f32[o + At.Normal + k] = n[k]!;
        f32[o + At.Impulse + k] = force[k]! * h;
        f32[o + At.Velocity + k] = (vb[k]! - va[k]!) * rate;
        gap += (vb[k]! - va[k]!) * factor * n[k]!;
      }
      f32[o + At.Gap] = Math.abs(gap) > 1e-12 ? gap : 0;
      f32[o + At.MuS] = f32[o + At.MuD] = each.friction;
      f32[o + At.NaturalMap] = NaN;
    });
    return { u32, f32 };
  }
}

function rotated(pose: readonly number[], v: readonly number[]): number[] {
  const u = pose.slice(4, 7);
  const t = cross(u, v).map((c) => 2 * c);
  const e = cross(u, t);
  return v.map((c, k) => c + pose[3]! * t[k]! + e[k]!);
}

/** The longest side of the box around the centres and radii of all bodies that are free. */
function structureSize({ manifest, poses }: Statics): number {
  const radii = bodyRadii(manifest);
  const [low, high] = [[Infinity, Infinity, Infinity], [-Infinity, -Infinity, -Infinity]];
  manifest.bodies.forEach(({ kind }, slot) => {
    if (kind !== "dynamic") return;
    for (let k = 0; k < 3; ++k) {
      low[k] = Math.min(low[k]!, poses[slot]![k]! - radii[slot]!);
      high[k] = Math.max(high[k]!, poses[slot]![k]! + radii[slot]!);
    }
  });
  return Math.max(...high.map((x, k) => x - low[k]!));
}

