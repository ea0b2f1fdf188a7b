// The tight loops: poses of bodies to matrices of instances. They allocate nothing.
import type { Frame } from "../data/types.js";

export const kLocalFloats = 10; // position, rotation (w x y z) and scale of a shape in its body

/** Poses between two frames: places on the straight line, rotations along the shorter way. */
export function blendPoses(from: Float32Array, to: Float32Array, part: number, out: Float32Array): void {
  const count = Math.min(from.length, to.length, out.length);
  const rest = 1 - part;
  for (let i = 0; i < count; i += 7) {
    for (let k = 0; k < 3; ++k) out[i + k] = from[i + k]! * rest + to[i + k]! * part;
    const dot =
      from[i + 3]! * to[i + 3]! + from[i + 4]! * to[i + 4]! + from[i + 5]! * to[i + 5]! + from[i + 6]! * to[i + 6]!;
    const sign = dot < 0 ? -part : part;
    let square = 0;
    for (let k = 3; k < 7; ++k) {
      const value = from[i + k]! * rest + to[i + k]! * sign;
      out[i + k] = value;
      square += value * value;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 1;
    for (let k = 3; k < 7; ++k) out[i + k] = out[i + k]! * scale;
  }
}

/** Writes the matrix of each instance (column by column, 16 floats) from its body's pose and its place in the body. */
export function writeMatrices(
  poses: Float32Array,
  alive: Frame["alive"],
  slots: Uint32Array,
  local: Float32Array,
  matrices: Float32Array,
): void {
  for (let i = 0, l = 0, m = 0; i < slots.length; ++i, l += kLocalFloats, m += 16) {
    const slot = slots[i]!;
    const p = slot * 7;
    if (alive[slot] === 0 || p + 6 >= poses.length) {
      for (let k = 0; k < 15; ++k) matrices[m + k] = 0;
      matrices[m + 15] = 1;
      continue;
    }
    const bw = poses[p + 3]!;
    const bx = poses[p + 4]!;
    const by = poses[p + 5]!;
    const bz = poses[p + 6]!;
    const sw = local[l + 3]!;
    const sx = local[l + 4]!;
    const sy = local[l + 5]!;
    const sz = local[l + 6]!;
    const w = bw * sw - bx * sx - by * sy - bz * sz;
    const x = bw * sx + bx * sw + by * sz - bz * sy;
    const y = bw * sy - bx * sz + by * sw + bz * sx;
    const z = bw * sz + bx * sy - by * sx + bz * sw;
    const cx = local[l + 7]!;
    const cy = local[l + 8]!;
    const cz = local[l + 9]!;
    matrices[m] = (1 - 2 * (y * y + z * z)) * cx;
    matrices[m + 1] = 2 * (x * y + w * z) * cx;
    matrices[m + 2] = 2 * (x * z - w * y) * cx;
    matrices[m + 3] = 0;
    matrices[m + 4] = 2 * (x * y - w * z) * cy;
    matrices[m + 5] = (1 - 2 * (x * x + z * z)) * cy;
    matrices[m + 6] = 2 * (y * z + w * x) * cy;
    matrices[m + 7] = 0;
    matrices[m + 8] = 2 * (x * z + w * y) * cz;
    matrices[m + 9] = 2 * (y * z - w * x) * cz;
    matrices[m + 10] = (1 - 2 * (x * x + y * y)) * cz;
    matrices[m + 11] = 0;
    const lx = local[l]!;
    const ly = local[l + 1]!;
    const lz = local[l + 2]!;
    // R(body) · l = l + 2 q × (q × l + w l)
    const tx = 2 * (by * lz - bz * ly);
    const ty = 2 * (bz * lx - bx * lz);
    const tz = 2 * (bx * ly - by * lx);
    matrices[m + 12] = poses[p]! + lx + bw * tx + by * tz - bz * ty;
    matrices[m + 13] = poses[p + 1]! + ly + bw * ty + bz * tx - bx * tz;
    matrices[m + 14] = poses[p + 2]! + lz + bw * tz + bx * ty - by * tx;
    matrices[m + 15] = 1;
  }
}

/** A point of a body's frame in the world; `out` is also what it returns. */
export function toWorld(poses: Float32Array, slot: number, point: ArrayLike<number>, out: number[]): number[] {
  const [lx, ly, lz] = [point[0]!, point[1]!, point[2]!];
  if (slot < 0) return ((out[0] = lx), (out[1] = ly), (out[2] = lz), out);
  rotate(poses, slot, point, out);
  const p = slot * 7;
  out[0] = out[0]! + poses[p]!;
  out[1] = out[1]! + poses[p + 1]!;
  out[2] = out[2]! + poses[p + 2]!;
  return out;
}

/** A direction of a body's frame in world axes. */
export function rotate(poses: Float32Array, slot: number, v: ArrayLike<number>, out: number[]): number[] {
  const [lx, ly, lz] = [v[0]!, v[1]!, v[2]!];
  if (slot < 0) return ((out[0] = lx), (out[1] = ly), (out[2] = lz), out);
  const p = slot * 7;
  const [w, x, y, z] = [poses[p + 3]!, poses[p + 4]!, poses[p + 5]!, poses[p + 6]!];
  const tx = 2 * (y * lz - z * ly);
  const ty = 2 * (z * lx - x * lz);
  const tz = 2 * (x * ly - y * lx);
  out[0] = lx + w * tx + y * tz - z * ty;
  out[1] = ly + w * ty + z * tx - x * tz;
  out[2] = lz + w * tz + x * ty - y * tx;
  return out;
}

/** A world point in a body's frame. */
export function toLocal(poses: Float32Array, slot: number, point: ArrayLike<number>, out: number[]): number[] {
  const p = slot * 7;
  const d = [point[0]! - poses[p]!, point[1]! - poses[p + 1]!, point[2]! - poses[p + 2]!];
  const back = new Float32Array([0, 0, 0, poses[p + 3]!, -poses[p + 4]!, -poses[p + 5]!, -poses[p + 6]!]);
  return rotate(back, 0, d, out);
}
