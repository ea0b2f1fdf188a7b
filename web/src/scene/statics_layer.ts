// What a verdict adds to the picture: ranges of normal forces as bars, motions of bodies as arrows and arcs, contacts that open.
import { CylinderGeometry, DoubleSide, MeshBasicMaterial, MeshLambertMaterial, type Object3D } from "three";
import type { ForceBar, SlotMotion, StaticsMarks } from "../data/statics.js";
import { At, type Frame, type Manifest } from "../data/types.js";
import type { AppState } from "../state/app_state.js";
import { arrow } from "./layers.js";
import { bodyRadii } from "./extents.js";
import { rotate, toWorld } from "./poses.js";
import { PointSet, SolidSet } from "./sets.js";
import { kTones } from "./tones.js";

/** The longest arrow of a motion, of the scene's radius. */
export const kMotionShare = 0.3;
const kEqual = 1e-9; // of the greatest force: a range below that is one number
const kNoLimit = 0.09; // of the scene: bars without an end are so long
const kFewBars = 60; // more of them are thinner
const kArcParts = 14;
const kWidest = 4.2; // rad: the arc of the body that turns most
const kNarrowest = 0.7;

export interface StaticsInput {
  frame: Frame;
  poses: Float32Array;
  state: AppState;
  forceLength: number; // m drawn for one newton
  size: number; // of the scene, m
  run: number;
}

export const barsShown = (marks: StaticsMarks, { byPair }: AppState): ForceBar[] =>
  byPair ? marks.pairBars : marks.bars;

/** A cylinder along +z from 0 to 1, one wide. */
const bar = (): CylinderGeometry => new CylinderGeometry(0.5, 0.5, 1, 16, 1).rotateX(Math.PI / 2).translate(0, 0, 0.5);

export class StaticsLayer {
  private readonly bars: SolidSet;
  private readonly solids: SolidSet;
  private readonly arrows: SolidSet;
  private readonly chosen: PointSet;
  private readonly radii: Float32Array;
  private readonly p = [0, 0, 0];

  constructor(
    private readonly manifest: Manifest,
    private readonly marks: StaticsMarks,
    parent: Object3D,
  ) {
    const glass = new MeshBasicMaterial({
      transparent: true,
      opacity: 0.38,
      side: DoubleSide,
      depthWrite: false,
      depthTest: false,
    });
    const solid = new MeshLambertMaterial({ emissive: 0x333333, depthTest: false, transparent: true });
    this.bars = new SolidSet(parent, bar(), glass, 16);
    this.solids = new SolidSet(parent, bar(), solid, 17);
    this.arrows = new SolidSet(parent, arrow(), solid, 18);
    this.chosen = new PointSet(parent, 15, 13);
    this.radii = bodyRadii(manifest);
  }

  setPixelRatio(ratio: number): void {
    this.chosen.material.size = 15 * ratio;
  }

  update(input: StaticsInput): void {
    const sets = [this.bars, this.solids, this.arrows, this.chosen];
    for (const set of sets) set.begin();
    const { layers } = input.state;
    if (layers.ranges) for (const each of barsShown(this.marks, input.state)) this.range(input, each);
    if (layers.motion) for (const each of this.marks.motions) this.motion(input, each);
    this.choose(input);
    for (const set of sets) set.end();
  }

  /** All contact points of a pair that is selected. */
  private choose({ frame, state, run }: StaticsInput): void {
    const { selection } = state;
    if (selection?.kind !== "pair" || selection.run !== run) return;
    const [u, f] = [frame.contactsU32, frame.contactsF32];
    for (let o = 0; o < frame.contacts * At.Words; o += At.Words)
      if (u[o + At.AU] === selection.a && u[o + At.BU] === selection.b)
        this.chosen.add(f[o + At.Point]!, f[o + At.Point + 1]!, f[o + At.Point + 2]!, kTones.chosen);
  }

  private range(input: StaticsInput, { point, axis, least, greatest }: ForceBar): void {
    const { mostForce } = this.marks;
    const unit = input.forceLength;
    const [x, y, z] = point as [number, number, number];
    const width = input.size * 0.018 * Math.min(1, Math.sqrt(kFewBars / barsShown(this.marks, input.state).length));
    const at = (length: number): [number, number, number] => [
      x + axis[0]! * length,
      y + axis[1]! * length,
      z + axis[2]! * length,
    ];
    const low = least * unit;
    if (greatest - least <= kEqual * mostForce) {
      if (low > 0.002 * input.size) this.arrows.addAlong(x, y, z, axis, low, Math.min(width, low * 0.35), kTones.range);
      return;
    }
    const endless = !Number.isFinite(greatest);
    const high = endless ? low + kNoLimit * input.size : greatest * unit;
    const tone = endless ? kTones.noLimit : kTones.range;
    if (low > 0.002 * input.size) this.solids.addAlong(x, y, z, axis, low, width * 0.3, kTones.range);
    this.bars.addAlong(...at(low), axis, high - low, width, tone);
    const tick = 0.006 * input.size;
    this.solids.addAlong(...at(low), axis, tick, width * 1.5, kTones.range);
    if (endless) this.arrows.addAlong(...at(high), axis, 0.05 * input.size, width * 1.2, tone);
    else this.solids.addAlong(...at(high - tick), axis, tick, width * 1.5, tone);
  }

  private motion(input: StaticsInput, { slot, linear, angular }: SlotMotion): void {
    const { marks } = this;
    const centre = toWorld(input.poses, slot, this.manifest.bodies[slot]!.com, this.p);
    const [x, y, z] = [centre[0]!, centre[1]!, centre[2]!];
    const { arrowScale } = input.state;
    const speed = Math.hypot(...linear);
    if (speed > 1e-6 * marks.mostLinear) {
      const length = (kMotionShare * input.size * arrowScale * speed) / marks.mostLinear;
      const axis = linear.map((v) => v / speed);
      this.arrows.addAlong(x, y, z, axis, length, Math.min(input.size * 0.026, length * 0.4), kTones.motion);
    }
    const turn = Math.hypot(...angular);
    if (turn > 1e-6 * marks.mostAngular) this.arc(input, slot, [x, y, z], angular.map((w) => w / turn), turn / marks.mostAngular);
  }

  /** An arc around the axis, longer where a body turns more, with a head at its end. */
  private arc(input: StaticsInput, slot: number, centre: number[], axis: number[], share: number): void {
    const radius = 0.38 * Math.max(this.radii[slot] ?? 0, 0.05 * input.size);
    const width = Math.min(0.008 * input.size, 0.12 * radius);
    const helper = Math.abs(axis[2]!) > 0.9 ? [0, 1, 0] : [0, 0, 1];
    const pose = new Float32Array([0, 0, 0, 0, 0, 0, 0]);
    const start = across(axis, helper);
    const angle = kNarrowest + share * (kWidest - kNarrowest);
    let before: number[] | null = null;
    for (let i = 0; i <= kArcParts; ++i) {
      const t = (i / kArcParts) * angle - angle / 2;
      pose[3] = Math.cos(t / 2);
      for (let k = 0; k < 3; ++k) pose[4 + k] = axis[k]! * Math.sin(t / 2);
      const arm = rotate(pose, 0, start, [0, 0, 0]);
      const point = centre.map((c, k) => c + arm[k]! * radius);
      if (before) this.segment(before, point, width, i === kArcParts);
      before = point;
    }
  }

  private segment(from: number[], to: number[], width: number, last: boolean): void {
    const d = to.map((v, k) => v - from[k]!);
    const length = Math.hypot(...d);
    const axis = d.map((v) => v / length);
    if (last) this.arrows.addAlong(from[0]!, from[1]!, from[2]!, axis, length * 1.6, width * 4.5, kTones.motion);
    else this.solids.addAlong(from[0]!, from[1]!, from[2]!, axis, length * 1.05, width, kTones.motion);
  }
}

/** A direction across `axis`, towards `helper`. */
function across(axis: readonly number[], helper: readonly number[]): number[] {
  const along = axis.reduce((sum, v, k) => sum + v * helper[k]!, 0);
  const v = helper.map((h, k) => h - along * axis[k]!);
  const size = Math.hypot(...v);
  return v.map((c) => c / size);
}
