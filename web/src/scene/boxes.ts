// Axis-aligned boxes of bodies, from the matrices of their shapes. Exact for round shapes, boxes and small meshes.
import type { Geometry, Manifest } from "../data/types.js";
import { kLocalFloats, writeMatrices } from "./poses.js";

const kExactVertices = 256; // larger meshes are bounded by their own turned box

type Reach = (m: Float32Array, low: number[], high: number[]) => void;

function grow(low: number[], high: number[], k: number, centre: number, half: number): void {
  low[k] = Math.min(low[k]!, centre - half);
  high[k] = Math.max(high[k]!, centre + half);
}

function turnedBox(centre: readonly number[], half: readonly number[]): Reach {
  return (m, low, high) => {
    for (let k = 0; k < 3; ++k) {
      const middle = m[12 + k]! + m[k]! * centre[0]! + m[4 + k]! * centre[1]! + m[8 + k]! * centre[2]!;
      grow(low, high, k, middle, Math.abs(m[k]!) * half[0]! + Math.abs(m[4 + k]!) * half[1]! + Math.abs(m[8 + k]!) * half[2]!);
    }
  };
}

function ofVertices(vertices: readonly number[], width: 2 | 3): Reach {
  if (vertices.length <= kExactVertices * width) {
    return (m, low, high) => {
      for (let i = 0; i + width <= vertices.length; i += width) {
        const [x, y, z] = [vertices[i]!, vertices[i + 1]!, width === 3 ? vertices[i + 2]! : 0];
        for (let k = 0; k < 3; ++k) grow(low, high, k, m[12 + k]! + m[k]! * x + m[4 + k]! * y + m[8 + k]! * z, 0);
      }
    };
  }
  const least = [Infinity, Infinity, width === 3 ? Infinity : 0];
  const most = [-Infinity, -Infinity, width === 3 ? -Infinity : 0];
  vertices.forEach((v, i) => grow(least, most, i % width, v, 0));
  return turnedBox(least.map((l, k) => (l + most[k]!) / 2), least.map((l, k) => (most[k]! - l) / 2));
}

function reach(geometry: Geometry, dimension: 2 | 3): Reach | null {
  switch (geometry.kind) {
    case "box":
      return turnedBox([0, 0, 0], [0.5, 0.5, 0.5]);
    case "rectangle":
      return turnedBox([0, 0, 0], [0.5, 0.5, 0]);
    case "sphere":
      return (m, low, high) => {
        for (let k = 0; k < 3; ++k) grow(low, high, k, m[12 + k]!, Math.hypot(m[k]!, m[4 + k]!, m[8 + k]!));
      };
    case "disc":
      return (m, low, high) => {
        for (let k = 0; k < 3; ++k) grow(low, high, k, m[12 + k]!, Math.hypot(m[k]!, m[4 + k]!));
      };
    case "cylinder":
      return (m, low, high) => {
        for (let k = 0; k < 3; ++k) grow(low, high, k, m[12 + k]!, Math.hypot(m[k]!, m[4 + k]!) + Math.abs(m[8 + k]!) / 2);
      };
    case "capsule": {
      const axis = dimension === 2 ? 4 : 8;
      return (m, low, high) => {
        for (let k = 0; k < (dimension === 2 ? 2 : 3); ++k)
          grow(low, high, k, m[12 + k]!, geometry.radius + (Math.abs(m[axis + k]!) * geometry.length) / 2);
      };
    }
    case "mesh":
      return ofVertices(geometry.vertices, 3);
    case "polygon":
    case "chain":
      return ofVertices(geometry.vertices, 2);
    case "half_space":
      return null;
  }
}

/** Bounds of one body after another. */
export class Boxes {
  private readonly reaches: (Reach | null)[];
  private readonly matrix = new Float32Array(16);
  private readonly slot = new Uint32Array(1);
  private readonly local = new Float32Array(kLocalFloats);

  constructor(private readonly manifest: Manifest) {
    this.reaches = manifest.geometries.map((geometry) => reach(geometry, manifest.dimension));
  }

  /** Writes the box of a body; false if it has none. */
  of(slot: number, poses: Float32Array, alive: Uint8Array, low: number[], high: number[]): boolean {
    low[0] = low[1] = low[2] = Infinity;
    high[0] = high[1] = high[2] = -Infinity;
    if (alive[slot] === 0) return false;
    this.slot[0] = slot;
    for (const shape of this.manifest.bodies[slot]?.shapes ?? []) {
      const own = this.reaches[shape.geometry];
      if (!own) continue;
      this.local.set(shape.position, 0);
      this.local.set(shape.rotation, 3);
      this.local.set(shape.scale, 7);
      writeMatrices(poses, alive, this.slot, this.local, this.matrix);
      own(this.matrix, low, high);
    }
    return low[0] <= high[0]!;
  }
}
