// Axis-aligned boxes of bodies, from the matrices of their shapes. Exact for round shapes, boxes and small meshes.
import type { Geometry, Manifest } from "../data/types.js";
import { writeMatrices } from "./poses.js";

const kExactVertices = 256; // larger meshes are bounded by their own turned box

/** Takes in a shape whose matrix stands at m[o]. */
type Reach = (m: Float32Array, o: number, low: number[], high: number[]) => void;

function grow(low: number[], high: number[], k: number, centre: number, half: number): void {
  low[k] = Math.min(low[k]!, centre - half);
  high[k] = Math.max(high[k]!, centre + half);
}

function turnedBox(centre: readonly number[], half: readonly number[]): Reach {
  return (m, o, low, high) => {
    for (let k = 0; k < 3; ++k) {
      const middle = m[o + 12 + k]! + m[o + k]! * centre[0]! + m[o + 4 + k]! * centre[1]! + m[o + 8 + k]! * centre[2]!;
      grow(
        low,
        high,
        k,
        middle,
        Math.abs(m[o + k]!) * half[0]! + Math.abs(m[o + 4 + k]!) * half[1]! + Math.abs(m[o + 8 + k]!) * half[2]!,
      );
    }
  };
}

function ofVertices(vertices: readonly number[], width: 2 | 3): Reach {
  if (vertices.length <= kExactVertices * width) {
    return (m, o, low, high) => {
      for (let i = 0; i + width <= vertices.length; i += width) {
        const [x, y, z] = [vertices[i]!, vertices[i + 1]!, width === 3 ? vertices[i + 2]! : 0];
        for (let k = 0; k < 3; ++k)
          grow(low, high, k, m[o + 12 + k]! + m[o + k]! * x + m[o + 4 + k]! * y + m[o + 8 + k]! * z, 0);
      }
    };
  }
  const least = [Infinity, Infinity, width === 3 ? Infinity : 0];
  const most = [-Infinity, -Infinity, width === 3 ? -Infinity : 0];
  vertices.forEach((v, i) => grow(least, most, i % width, v, 0));
  return turnedBox(
    least.map((l, k) => (l + most[k]!) / 2),
    least.map((l, k) => (most[k]! - l) / 2),
  );
}

function reach(geometry: Geometry, dimension: 2 | 3): Reach | null {
  switch (geometry.kind) {
    case "box":
      return turnedBox([0, 0, 0], [0.5, 0.5, 0.5]);
    case "rectangle":
      return turnedBox([0, 0, 0], [0.5, 0.5, 0]);
    case "sphere":
      return (m, o, low, high) => {
        for (let k = 0; k < 3; ++k)
          grow(low, high, k, m[o + 12 + k]!, Math.sqrt(m[o + k]! ** 2 + m[o + 4 + k]! ** 2 + m[o + 8 + k]! ** 2));
      };
    case "disc":
      return (m, o, low, high) => {
        for (let k = 0; k < 3; ++k) grow(low, high, k, m[o + 12 + k]!, Math.sqrt(m[o + k]! ** 2 + m[o + 4 + k]! ** 2));
      };
    case "cylinder":
      return (m, o, low, high) => {
        for (let k = 0; k < 3; ++k)
          grow(
            low,
            high,
            k,
            m[o + 12 + k]!,
            Math.sqrt(m[o + k]! ** 2 + m[o + 4 + k]! ** 2) + Math.abs(m[o + 8 + k]!) / 2,
          );
      };
    case "capsule": {
      const axis = dimension === 2 ? 4 : 8;
      return (m, o, low, high) => {
        for (let k = 0; k < (dimension === 2 ? 2 : 3); ++k)
          grow(low, high, k, m[o + 12 + k]!, geometry.radius + (Math.abs(m[o + axis + k]!) * geometry.length) / 2);
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

/** Bounds of all bodies: `update` once, then `of` each. */
export class Boxes {
  private readonly reaches: (Reach | null)[] = []; // of each shape of each body
  private readonly first: Uint32Array; // shape of each body, and one past the last
  private readonly slots: Uint32Array;
  private readonly local: Float32Array;
  private readonly matrices: Float32Array;

  constructor(manifest: Manifest) {
    const kinds = manifest.geometries.map((geometry) => reach(geometry, manifest.dimension));
    const slots: number[] = [];
    const local: number[] = [];
    this.first = new Uint32Array(manifest.bodies.length + 1);
    manifest.bodies.forEach((body, slot) => {
      for (const shape of body.shapes) {
        slots.push(slot);
        local.push(...shape.position, ...shape.rotation, ...shape.scale);
        this.reaches.push(kinds[shape.geometry]!);
      }
      this.first[slot + 1] = slots.length;
    });
    this.slots = Uint32Array.from(slots);
    this.local = Float32Array.from(local);
    this.matrices = new Float32Array(slots.length * 16);
  }

  update(poses: Float32Array, alive: Uint8Array): void {
    writeMatrices(poses, alive, this.slots, this.local, this.matrices);
  }

  /** Writes the box of a body; false if it has none. */
  of(slot: number, low: number[], high: number[]): boolean {
    low[0] = low[1] = low[2] = Infinity;
    high[0] = high[1] = high[2] = -Infinity;
    for (let i = this.first[slot]!; i < this.first[slot + 1]!; ++i) this.reaches[i]?.(this.matrices, i * 16, low, high);
    return low[0] <= high[0]!;
  }
}
