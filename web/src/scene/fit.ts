// Where a camera must be so that boxes just fit into its picture, looking in a given direction.
import type { Box } from "./extents.js";

type P = readonly number[];



/** Largest value of a direction over a box. */
function most({ low, high }: Box, d: P): number {
  let sum = 0;
  for (let k = 0; k < 3; ++k) sum += d[k]! * (d[k]! > 0 ? high[k]! : low[k]!);
  return sum;
}

const sum = (a: P, s: number, b: P): number[] => a.map((v, k) => s * v + b[k]!);
const mostOf = (boxes: readonly Box[], d: P): number => boxes.reduce((m, box) => Math.max(m, most(box, d)), -Infinity);

export interface Fit {
  eye: number[];
  target: number[]; // in the middle of the boxes' depth, straight ahead
  distance: number; // from the eye to the target
  near: number; // from the eye to the nearest thing
}

/** Perspective. `tanX` and `tanY`: of half the angles of view, margins taken off. Each side of the picture is a plane through the
 *  eye that all boxes are behind of; two sides give the least distance and the middle between them. */
export function fitPerspective(
  boxes: readonly Box[],
  axes: { right: P; up: P; back: P },
  tanX: number,
  tanY: number,
): Fit {
  const { right, up, back } = axes;
  const minus = (a: P): number[] => a.map((v) => -v);
  const side = (axis: P, tan: number): number => mostOf(boxes, sum(back, tan, axis));
  const [r, l] = [side(right, tanX), side(minus(right), tanX)];
  const [t, b] = [side(up, tanY), side(minus(up), tanY)];
  const front = mostOf(boxes, back);
  const rear = -mostOf(boxes, minus(back));
  const z = Math.max((r + l) / (2 * tanX), (t + b) / (2 * tanY), front + 0.05 * (front - rear));
  const [x, y] = [(r - l) / 2, (t - b) / 2];
  const middle = (front + rear) / 2;
  const place = (depth: number): number[] => [0, 1, 2].map((k) => x * right[k]! + y * up[k]! + depth * back[k]!);
  return { eye: place(z), target: place(middle), distance: z - middle, near: z - front };
}

/** Half the height that an orthographic camera must see, and the middle of the boxes. */
export function fitFlat(boxes: readonly Box[], aspect: number): { half: number; centre: number[] } {
  const low = [0, 1, 2].map((k) => -mostOf(boxes, [0, 1, 2].map((j) => (j === k ? -1 : 0))));
  const high = [0, 1, 2].map((k) => mostOf(boxes, [0, 1, 2].map((j) => (j === k ? 1 : 0))));
  const half = Math.max((high[1]! - low[1]!) / 2, (high[0]! - low[0]!) / 2 / aspect);
  return { half: half > 0 ? half : 1, centre: low.map((l, k) => (l + high[k]!) / 2) };
}

