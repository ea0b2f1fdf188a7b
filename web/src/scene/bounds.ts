// Where the scene is, so that the camera can show it: half-spaces and far outliers do not count.
import type { Frame, Manifest } from "../data/types.js";
import { Boxes } from "./boxes.js";
import { geometryRadius } from "./geometry.js";
import { toWorld } from "./poses.js";

export interface Ball {
  centre: [number, number, number];
  radius: number;
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

/** Where a body is: its origin, its radius about it, and its axis-aligned box. */
interface Extent {
  p: number[];
  r: number;
  low: number[];
  high: number[];
}

function quantile(values: number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(part * sorted.length))] ?? 0;
}

/** A ball around what matters: moving bodies without outliers, and fixed ones that are not much larger than all of those. */
export function sceneBall(manifest: Manifest, frames: readonly Frame[]): Ball {
  const radii = bodyRadii(manifest);
  const boxes = new Boxes(manifest);
  const moving: Extent[] = [];
  const fixed: Extent[] = [];
  for (const frame of frames) {
    if (!frame.poses) continue;
    boxes.update(frame.poses, frame.alive);
    for (let slot = 0; slot < frame.slots; ++slot) {
      const body = manifest.bodies[slot];
      if (!body || frame.alive[slot] === 0 || radii[slot] === 0) continue;
      const p = [...frame.poses.subarray(slot * 7, slot * 7 + 3)];
      if (!p.every(Number.isFinite)) continue;
      const [low, high] = [
        [0, 0, 0],
        [0, 0, 0],
      ];
      boxes.of(slot, low, high);
      (body.kind === "static" ? fixed : moving).push({ p, r: radii[slot]!, low, high });
    }
    for (const joint of manifest.joints) {
      if (joint.a < 0 || joint.b < 0) {
        const [slot, point] = joint.a < 0 ? [joint.b, joint.point_b] : [joint.a, joint.point_a];
        const p = slot >= 0 ? toWorld(frame.poses, slot, point, [0, 0, 0]) : [];
        if (slot >= 0) moving.push({ p, r: 0, low: p, high: p });
      }
    }
  }
  const base = moving.length > 0 ? moving : fixed;
  if (base.length === 0) return { centre: [0, 0, 0], radius: 1 };
  const low = [0, 0, 0];
  const high = [0, 0, 0];
  for (let k = 0; k < 3; ++k) {
    const values = base.map(({ p }) => p[k]!);
    const [q1, q3] = [quantile(values, 0.1), quantile(values, 0.9)];
    const reach =
      2 * (q3 - q1) +
      4 *
        quantile(
          base.map(({ r }) => r),
          0.5,
        );
    const kept = base.filter(({ p }) => p[k]! >= q1 - reach && p[k]! <= q3 + reach);
    low[k] = kept.reduce((least, each) => Math.min(least, each.low[k]!), Infinity);
    high[k] = kept.reduce((most, each) => Math.max(most, each.high[k]!), -Infinity);
  }
  const size = Math.hypot(...low.map((l, k) => high[k]! - l));
  if (base === moving) {
    for (const { p, r, low: least, high: most } of fixed) {
      const near = p.every((v, k) => v > low[k]! - size && v < high[k]! + size);
      if (r > size || !near) continue;
      for (let k = 0; k < 3; ++k) {
        low[k] = Math.min(low[k]!, least[k]!);
        high[k] = Math.max(high[k]!, most[k]!);
      }
    }
  }
  const radius = Math.hypot(...low.map((l, k) => high[k]! - l)) / 2;
  return {
    centre: low.map((l, k) => (l + high[k]!) / 2) as [number, number, number],
    radius: radius > 0 && Number.isFinite(radius) ? radius : 1,
  };
}
