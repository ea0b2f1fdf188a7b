// Where bodies are over a run, as boxes along the axes: what cameras and scales are made from.
import type { Frame, Manifest } from "../data/types.js";
import { Boxes } from "./boxes.js";
import { geometryRadius } from "./geometry.js";

/** Where a body is in a frame: its origin, its radius about it, and its axis-aligned box. */
export interface Extent {
  p: number[];
  r: number;
  low: number[];
  high: number[];
}

export interface Extents {
  dynamic: Extent[];
  driven: Extent[]; // kinematic bodies
  fixed: Extent[]; // static ones
}

/** Radius of each body about its own origin; 0 for bodies that are half-spaces only. */
export function bodyRadii(manifest: Manifest): Float32Array {
  return Float32Array.from(manifest.bodies, (body) => {
    let radius = 0;
    for (const shape of body.shapes) {
      const own = geometryRadius(manifest.geometries[shape.geometry]!, shape.scale);
      if (own > 0) radius = Math.max(radius, own + Math.hypot(...shape.position));
    }
    return radius;
  });
}

/** Of all bodies in some frames; where joints and springs hold on to the world counts as a place of a dynamic body. */
export function extentsOf(manifest: Manifest, frames: readonly Frame[]): Extents {
  const radii = bodyRadii(manifest);
  const boxes = new Boxes(manifest);
  const out: Extents = { dynamic: [], driven: [], fixed: [] };
  for (const frame of frames) {
    if (!frame.poses) continue;
    boxes.update(frame.poses, frame.alive);
    for (let slot = 0; slot < frame.slots; ++slot) {
      const body = manifest.bodies[slot];
      if (!body || frame.alive[slot] === 0 || radii[slot] === 0) continue;
      if (body.kind === "static" && frame !== frames[0]) continue;
      const p = [...frame.poses.subarray(slot * 7, slot * 7 + 3)];
      const low = [0, 0, 0];
      const high = [0, 0, 0];
      if (!p.every(Number.isFinite) || !boxes.of(slot, low, high)) continue;
      const list = body.kind === "static" ? out.fixed : body.kind === "dynamic" ? out.dynamic : out.driven;
      list.push({ p, r: radii[slot]!, low, high });
    }
    for (const { a, b, point_a, point_b } of [...manifest.joints, ...manifest.springs]) {
      if (a >= 0 && b >= 0) continue;
      const p = [...(a < 0 ? point_a : point_b)];
      out.dynamic.push({ p, r: 0, low: p, high: p });
    }
  }
  return out;
}

export function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** Without those that are far from nearly all others, as a body that fell off the floor. */
export function withoutOutliers(list: readonly Extent[]): Extent[] {
  const usual = quantile(
    list.map(({ r }) => r),
    0.5,
  );
  let kept = [...list];
  for (let k = 0; k < 3; ++k) {
    const values = list.map(({ p }) => p[k]!);
    const [q1, q3] = [quantile(values, 0.1), quantile(values, 0.9)];
    const reach = 2 * (q3 - q1) + 4 * usual;
    kept = kept.filter(({ p }) => p[k]! >= q1 - reach && p[k]! <= q3 + reach);
  }
  return kept.length > 0 ? kept : [...list];
}

export interface Box {
  low: number[];
  high: number[];
}

export function unionOf(list: readonly Box[]): Box {
  const low = [Infinity, Infinity, Infinity];
  const high = [-Infinity, -Infinity, -Infinity];
  for (const each of list)
    for (let k = 0; k < 3; ++k) {
      low[k] = Math.min(low[k]!, each.low[k]!);
      high[k] = Math.max(high[k]!, each.high[k]!);
    }
  return { low, high };
}

export const sizeOf = ({ low, high }: Box): number => Math.hypot(...low.map((l, k) => high[k]! - l));
