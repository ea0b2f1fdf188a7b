// What the picture has to hold: a ball for lights and scales, and boxes that the camera fits. Half-spaces and outliers do not count.
import type { Frame, Manifest } from "../data/types.js";
import { type Box, type Extents, extentsOf, sizeOf, unionOf, withoutOutliers } from "./extents.js";
import { rotate } from "./poses.js";

export { bodyRadii } from "./extents.js";

export interface Ball {
  centre: [number, number, number];
  radius: number;
}

export interface Bounds {
  ball: Ball;
  boxes: Box[];
}

const kMargin = 0.03; // how much of what stands still is shown around what moves, of its size
const kFirstMargin = 0.35; // the same if only the start is known, and bodies are about to go somewhere
const kSlab = 0.75; // what stands still and is larger than this part of where bodies go is ground to them
const kFarthestFloor = 6; // a floor farther below than this many sizes is not shown

export function boundsOf(manifest: Manifest, frames: readonly Frame[]): Bounds {
  const extents = extentsOf(manifest, frames);
  const boxes = boxesOf(manifest, frames, extents);
  return { ball: ballOf(extents, boxes), boxes };
}

/** `boxes` with what moves in one more frame, if that is not within them; null if it is, or if they were to grow beyond reason. */
export function boxesWith(manifest: Manifest, frame: Frame, boxes: readonly Box[], most: number): Box[] | null {
  const { dynamic } = extentsOf(manifest, [frame]);
  if (dynamic.length === 0 || boxes.length === 0) return null;
  const before = unionOf(boxes);
  const now = unionOf(withoutOutliers(dynamic));
  const slack = 0.02 * sizeOf(before);
  if (now.low.every((v, k) => v >= before.low[k]! - slack && now.high[k]! <= before.high[k]! + slack)) return null;
  // Farther than it is by now, so that the camera does not move for every step.
  const ahead = 0.25 * sizeOf(before);
  const low = now.low.map((v, k) => (v < before.low[k]! - slack ? v - ahead : before.low[k]!));
  const high = now.high.map((v, k) => (v > before.high[k]! + slack ? v + ahead : before.high[k]!));
  return sizeOf({ low, high }) > most ? null : [{ low, high }];
}

/** A ball around what matters: moving bodies without outliers, and fixed ones that are not much larger than all of those. */
function ballOf({ dynamic, driven, fixed }: Extents, boxes: readonly Box[]): Ball {
  const moving = [...dynamic, ...driven];
  const base = moving.length > 0 ? moving : fixed;
  if (base.length === 0) return { centre: [0, 0, 0], radius: 1 };
  let box = unionOf(withoutOutliers(base));
  if (base === moving) {
    const size = sizeOf(box);
    const near = fixed.filter(
      ({ p, r }) => r <= size && p.every((v, k) => v > box.low[k]! - size && v < box.high[k]! + size),
    );
    box = unionOf([box, ...near, ...boxes]);
  }
  const radius = sizeOf(box) / 2;
  return {
    centre: box.low.map((l, k) => (l + box.high[k]!) / 2) as [number, number, number],
    radius: radius > 0 && Number.isFinite(radius) ? radius : 1,
  };
}

/** Dynamic bodies over the run, driven ones that are not much larger, and what stands still close to them. */
function boxesOf(manifest: Manifest, frames: readonly Frame[], { dynamic, driven, fixed }: Extents): Box[] {
  const moving = dynamic.length > 0 ? dynamic : driven.length > 0 ? driven : fixed;
  if (moving.length === 0) return [];
  const boxes: Box[] = withoutOutliers(moving);
  const core = unionOf(boxes);
  const size = sizeOf(core);
  if (moving !== driven) boxes.push(...driven.filter(({ r }) => r < size));
  const whole = unionOf(boxes);
  const onlyStart = frames.length < 2;
  const floor = onlyStart ? floorPoint(manifest, frames[0]!, whole, size) : null;
  const gap = onlyStart ? gapBelow(whole, fixed) : 0;
  const shown = grown(whole, size * (onlyStart ? kFirstMargin : kMargin));
  if (gap < kFarthestFloor * size) shown.low[manifest.dimension - 1]! -= gap;
  for (const each of fixed) {
    if (!onlyStart && 2 * each.r > kSlab * size) continue; // its corners are farther out than anything that happens on it
    const cut = common(each, shown);
    if (cut) boxes.push(cut);
  }
  if (floor) boxes.push(floor);
  return boxes;
}

const grown = ({ low, high }: Box, by: number): Box => ({
  low: low.map((v) => v - by),
  high: high.map((v) => v + by),
});

function common(a: Box, b: Box): Box | null {
  const low = a.low.map((v, k) => Math.max(v, b.low[k]!));
  const high = a.high.map((v, k) => Math.min(v, b.high[k]!));
  return low.every((v, k) => v <= high[k]!) ? { low, high } : null;
}

/** How far below the box (along the last axis that it has a size in) the next thing that stands still is; 0 if there is none. */
function gapBelow(box: Box, fixed: readonly Box[]): number {
  const up = box.high[2]! > box.low[2]! ? 2 : 1;
  let gap = Infinity;
  for (const each of fixed) {
    const under = [0, 1, 2].every((k) => k === up || (each.low[k]! <= box.high[k]! && each.high[k]! >= box.low[k]!));
    if (under && each.high[up]! <= box.low[up]!) gap = Math.min(gap, box.low[up]! - each.high[up]!);
  }
  return Number.isFinite(gap) ? gap : 0;
}

/** The place on a half-space that is below the middle of the box. */
function floorPoint(manifest: Manifest, frame: Frame, box: Box, size: number): Box | null {
  if (!frame.poses) return null;
  const middle = box.low.map((l, k) => (l + box.high[k]!) / 2);
  for (let slot = 0; slot < frame.slots; ++slot) {
    for (const shape of manifest.bodies[slot]?.shapes ?? []) {
      if (manifest.geometries[shape.geometry]!.kind !== "half_space") continue;
      const own = new Float32Array([...shape.position, ...shape.rotation]);
      const up = manifest.dimension === 2 ? [0, 1, 0] : [0, 0, 1];
      const normal = rotate(frame.poses, slot, rotate(own, 0, up, [0, 0, 0]), [0, 0, 0]);
      const p = rotate(frame.poses, slot, shape.position, [0, 0, 0]).map((v, k) => v + frame.poses![slot * 7 + k]!);
      const distance = middle.reduce((sum, v, k) => sum + (v - p[k]!) * normal[k]!, 0);
      if (distance <= 0 || distance > kFarthestFloor * size) continue;
      const foot = middle.map((v, k) => v - distance * normal[k]!);
      return { low: foot, high: foot };
    }
  }
  return null;
}
