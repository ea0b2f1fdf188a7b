// Triangles of each kind of geometry, with an attribute "edge" from which the shader draws feature edges of constant width.
// Component k of it is zero on the edge opposite to corner k if that is a feature, else one everywhere.
import { BufferAttribute, BufferGeometry, ShapeUtils, Vector2 } from "three";
import type { Geometry } from "../data/types.js";

type P = readonly [number, number, number];

/** Collects triangles. An edge flag says whether the side opposite to that corner is drawn. */
class Soup {
  private readonly position: number[] = [];
  private readonly normal: number[] = [];
  private readonly edge: number[] = [];

  add(a: P, b: P, c: P, edges: readonly [boolean, boolean, boolean], normals?: readonly [P, P, P]): void {
    const flat = faceNormal(a, b, c);
    [a, b, c].forEach((p, k) => {
      this.position.push(...p);
      this.normal.push(...(normals ? normals[k]! : flat));
      for (let e = 0; e < 3; ++e) this.edge.push(edges[e] ? (e === k ? 1 : 0) : 1);
    });
  }

  /** A flat convex face, counter-clockwise, with its outline drawn. */
  face(points: readonly P[]): void {
    const last = points.length - 1;
    for (let i = 1; i < last; ++i) this.add(points[0]!, points[i]!, points[i + 1]!, [true, i + 1 === last, i === 1]);
  }

  done(): BufferGeometry {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", new BufferAttribute(new Float32Array(this.position), 3));
    geometry.setAttribute("normal", new BufferAttribute(new Float32Array(this.normal), 3));
    geometry.setAttribute("edge", new BufferAttribute(new Float32Array(this.edge), 3));
    return geometry;
  }
}

function faceNormal(a: P, b: P, c: P): P {
  const u = [b[0] - a[0], b[1] - a[1], b[2] - a[2]] as const;
  const v = [c[0] - a[0], c[1] - a[1], c[2] - a[2]] as const;
  const n = [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]] as const;
  const length = Math.hypot(...n) || 1;
  return [n[0] / length, n[1] / length, n[2] / length];
}

function box(): BufferGeometry {
  const soup = new Soup();
  const h = 0.5;
  soup.face([
    [h, -h, -h],
    [h, h, -h],
    [h, h, h],
    [h, -h, h],
  ]);
  soup.face([
    [-h, -h, -h],
    [-h, -h, h],
    [-h, h, h],
    [-h, h, -h],
  ]);
  soup.face([
    [-h, h, -h],
    [-h, h, h],
    [h, h, h],
    [h, h, -h],
  ]);
  soup.face([
    [-h, -h, -h],
    [h, -h, -h],
    [h, -h, h],
    [-h, -h, h],
  ]);
  soup.face([
    [-h, -h, h],
    [h, -h, h],
    [h, h, h],
    [-h, h, h],
  ]);
  soup.face([
    [-h, -h, -h],
    [-h, h, -h],
    [h, h, -h],
    [h, -h, -h],
  ]);
  return soup.done();
}

/** A ball, or a capsule if `length` > 0: its two halves are that far apart along z. Great circles show how it turns. */
function ball(radius: number, length: number, detail: number): BufferGeometry {
  const soup = new Soup();
  const around = 4 * detail;
  const rows = 2 * detail;
  const ring = (row: number): { z: number; r: number; shift: number } => {
    const angle = (Math.PI * row) / rows - Math.PI / 2;
    return { z: Math.sin(angle), r: Math.cos(angle), shift: row <= rows / 2 ? -length / 2 : length / 2 };
  };
  const at = (ringAt: { z: number; r: number }, i: number): P => {
    const angle = (2 * Math.PI * i) / around;
    return [ringAt.r * Math.cos(angle), ringAt.r * Math.sin(angle), ringAt.z];
  };
  const quarter = (i: number): boolean => i % (around / 4) === 0;
  const band = (low: ReturnType<typeof ring>, high: ReturnType<typeof ring>, equator: boolean): void => {
    for (let i = 0; i < around; ++i) {
      const normals = [at(low, i), at(low, i + 1), at(high, i + 1), at(high, i)] as const;
      const shifts = [low.shift, low.shift, high.shift, high.shift];
      const [a, b, c, d] = normals.map((n, k) => [n[0] * radius, n[1] * radius, n[2] * radius + shifts[k]!] as P);
      soup.add(a!, b!, c!, [quarter(i + 1), false, false], [normals[0], normals[1], normals[2]]);
      soup.add(a!, c!, d!, [equator, quarter(i), false], [normals[0], normals[2], normals[3]]);
    }
  };
  for (let row = 0; row < rows; ++row) {
    const low = ring(row);
    const high = ring(row + 1);
    if (row === rows / 2) low.shift = length / 2;
    band(low, high, row + 1 === rows / 2);
  }
  if (length > 0) band({ ...ring(rows / 2), shift: -length / 2 }, { ...ring(rows / 2), shift: length / 2 }, true);
  return soup.done();
}

function cylinder(around: number): BufferGeometry {
  const soup = new Soup();
  const at = (i: number, z: number): P => [
    Math.cos((2 * Math.PI * i) / around),
    Math.sin((2 * Math.PI * i) / around),
    z,
  ];
  const top: P[] = [];
  for (let i = 0; i < around; ++i) {
    const [n, m] = [at(i, 0), at(i + 1, 0)];
    const quarter = (k: number): boolean => k % (around / 4) === 0;
    soup.add(at(i, -0.5), at(i + 1, -0.5), at(i + 1, 0.5), [quarter(i + 1), false, true], [n, m, m]);
    soup.add(at(i, -0.5), at(i + 1, 0.5), at(i, 0.5), [true, quarter(i), false], [n, m, n]);
    top.push(at(i, 0.5));
  }
  soup.face(top);
  soup.face(top.map(([x, y]) => [x, -y, -0.5] as const));
  return soup.done();
}

function disc(around = 48): BufferGeometry {
  const soup = new Soup();
  const at = (i: number): P => [Math.cos((2 * Math.PI * i) / around), Math.sin((2 * Math.PI * i) / around), 0];
  // One radius is drawn, as in Box2D, so that one sees it turn.
  for (let i = 0; i < around; ++i) soup.add([0, 0, 0], at(i), at(i + 1), [true, i === around - 1, i === 0]);
  return soup.done();
}

function polygon(flat: readonly number[]): BufferGeometry {
  const points: Vector2[] = [];
  for (let i = 0; i + 1 < flat.length; i += 2) points.push(new Vector2(flat[i], flat[i + 1]));
  const n = points.length;
  const soup = new Soup();
  const side = (i: number, j: number): boolean => (i + 1) % n === j || (j + 1) % n === i;
  const at = (i: number): P => [points[i]!.x, points[i]!.y, 0];
  for (const [i, j, k] of ShapeUtils.triangulateShape(points, []) as [number, number, number][]) {
    soup.add(at(i), at(j), at(k), [side(j, k), side(k, i), side(i, j)]);
  }
  return soup.done();
}

function capsule2d(radius: number, length: number, around = 24): BufferGeometry {
  const flat: number[] = [];
  for (let i = 0; i <= around; ++i) {
    const angle = (Math.PI * i) / around;
    flat.push(radius * Math.cos(angle), length / 2 + radius * Math.sin(angle));
  }
  for (let i = 0; i <= around; ++i) {
    const angle = Math.PI + (Math.PI * i) / around;
    flat.push(radius * Math.cos(angle), -length / 2 + radius * Math.sin(angle));
  }
  return polygon(flat);
}

/** A chain is drawn as a band behind its front, which is on its left. */
function chain(flat: readonly number[], closed: boolean, thickness: number): BufferGeometry {
  const soup = new Soup();
  const n = flat.length / 2;
  for (let i = 0; i < (closed ? n : n - 1); ++i) {
    const j = (i + 1) % n;
    const [x, y, u, v] = [flat[2 * i]!, flat[2 * i + 1]!, flat[2 * j]!, flat[2 * j + 1]!];
    const length = Math.hypot(u - x, v - y) || 1;
    const [nx, ny] = [((v - y) / length) * thickness, ((x - u) / length) * thickness];
    soup.add([x, y, 0], [x + nx, y + ny, 0], [u + nx, v + ny, 0], [false, false, false]);
    soup.add([x, y, 0], [u + nx, v + ny, 0], [u, v, 0], [false, true, false]);
  }
  return soup.done();
}

const kCrease = Math.cos((25 * Math.PI) / 180); // sharper edges are drawn

function mesh(vertices: readonly number[], triangles: readonly number[]): BufferGeometry {
  const at = (i: number): P => [vertices[3 * i]!, vertices[3 * i + 1]!, vertices[3 * i + 2]!];
  const count = vertices.length / 3;
  const faces = triangles.length / 3;
  const first = new Map<number, number>(); // edge → first face, then −1 − … once it is known to be flat
  const flat = new Set<number>();
  const key = (i: number, j: number): number => Math.min(i, j) * count + Math.max(i, j);
  const normals: P[] = [];
  for (let t = 0; t < faces; ++t) {
    const corner = [0, 1, 2].map((k) => triangles[3 * t + k]!);
    normals.push(faceNormal(at(corner[0]!), at(corner[1]!), at(corner[2]!)));
    for (let k = 0; k < 3; ++k) {
      const edge = key(corner[k]!, corner[(k + 1) % 3]!);
      const other = first.get(edge);
      if (other === undefined) first.set(edge, t);
      else {
        const [n, m] = [normals[other]!, normals[t]!];
        if (n[0] * m[0] + n[1] * m[1] + n[2] * m[2] > kCrease) flat.add(edge);
      }
    }
  }
  const soup = new Soup();
  for (let t = 0; t < faces; ++t) {
    const [i, j, k] = [triangles[3 * t]!, triangles[3 * t + 1]!, triangles[3 * t + 2]!];
    soup.add(at(i), at(j), at(k), [!flat.has(key(j, k)), !flat.has(key(k, i)), !flat.has(key(i, j))]);
  }
  return soup.done();
}

/** Triangles of a geometry; null for half-spaces, which are drawn otherwise. `size` is that of the scene [m]; round shapes
 *  have 4·detail corners around. */
export function makeGeometry(geometry: Geometry, dimension: 2 | 3, size: number, detail = 6): BufferGeometry | null {
  switch (geometry.kind) {
    case "box":
      return box();
    case "sphere":
      return ball(1, 0, detail);
    case "cylinder":
      return cylinder(4 * detail);
    case "rectangle":
      return polygon([-0.5, -0.5, 0.5, -0.5, 0.5, 0.5, -0.5, 0.5]);
    case "disc":
      return disc();
    case "capsule":
      return dimension === 2
        ? capsule2d(geometry.radius, geometry.length)
        : ball(geometry.radius, geometry.length, detail);
    case "polygon":
      return polygon(geometry.vertices);
    case "chain":
      return chain(geometry.vertices, geometry.closed, size * 0.008);
    case "mesh":
      return mesh(geometry.vertices, geometry.triangles);
    case "half_space":
      return null;
  }
}

/** Radius about the origin of a geometry of scale one; a half-space has none. */
export function geometryRadius(geometry: Geometry, scale: readonly number[]): number {
  const largest = Math.max(scale[0]!, scale[1]!, scale[2]!);
  switch (geometry.kind) {
    case "box":
      return Math.hypot(scale[0]!, scale[1]!, scale[2]!) / 2;
    case "rectangle":
      return Math.hypot(scale[0]!, scale[1]!) / 2;
    case "cylinder":
      return Math.hypot(Math.max(scale[0]!, scale[1]!), scale[2]! / 2);
    case "sphere":
    case "disc":
      return largest;
    case "capsule":
      return geometry.radius + geometry.length / 2;
    case "half_space":
      return 0;
    case "mesh":
    case "polygon":
    case "chain": {
      const width = geometry.kind === "mesh" ? 3 : 2;
      let square = 0;
      for (let i = 0; i + width <= geometry.vertices.length; i += width) {
        let sum = 0;
        for (let k = 0; k < width; ++k) sum += geometry.vertices[i + k]! ** 2;
        square = Math.max(square, sum);
      }
      return Math.sqrt(square) * largest;
    }
  }
}
