import { describe, expect, it } from "vitest";
import { Matrix4, Quaternion, Vector3 } from "three";
// @ts-expect-error plain JavaScript, also used by the browser tests
import { makeRun } from "../e2e/synthetic.mjs";
import { decodeFrame } from "../src/data/frame.js";
import type { Manifest } from "../src/data/types.js";
import { sceneBall } from "../src/scene/bounds.js";
import { Boxes } from "../src/scene/boxes.js";
import { coneShape } from "../src/scene/cone.js";
import { makeGeometry } from "../src/scene/geometry.js";
import { roundLength } from "../src/scene/ground.js";
import { blendPoses, toLocal, toWorld, writeMatrices } from "../src/scene/poses.js";
import { bestColumns } from "../src/scene/stage.js";

const turn = (axis: [number, number, number], angle: number): Quaternion =>
  new Quaternion().setFromAxisAngle(new Vector3(...axis).normalize(), angle);
const pose = (p: number[], q: Quaternion): number[] => [...p, q.w, q.x, q.y, q.z];

describe("poses", () => {
  const body = turn([1, 2, 3], 0.7);
  const shape = turn([-1, 0, 2], 1.9);
  const poses = new Float32Array(pose([1, -2, 3], body));
  it("become the same matrices as three.js makes", () => {
    const local = new Float32Array([...pose([0.1, 0.2, -0.3], shape), 2, 3, 4]);
    const out = new Float32Array(16);
    writeMatrices(poses, new Uint8Array([1]), new Uint32Array([0]), local, out);
    const one = new Vector3(1, 1, 1);
    const expected = new Matrix4()
      .compose(new Vector3(1, -2, 3), body, one)
      .multiply(new Matrix4().compose(new Vector3(0.1, 0.2, -0.3), shape, new Vector3(2, 3, 4)));
    expected.elements.forEach((value, i) => expect(out[i]).toBeCloseTo(value, 5));
  });
  it("of removed bodies become nothing", () => {
    const out = new Float32Array(16).fill(9);
    writeMatrices(poses, new Uint8Array([0]), new Uint32Array([0]), new Float32Array(10), out);
    expect([...out.subarray(0, 15)].every((v) => v === 0)).toBe(true);
  });
  it("take points to the world and back", () => {
    const world = toWorld(poses, 0, [0.4, 0.5, 0.6], [0, 0, 0]);
    const expected = new Vector3(0.4, 0.5, 0.6).applyQuaternion(body).add(new Vector3(1, -2, 3));
    expected.toArray().forEach((v, k) => expect(world[k]).toBeCloseTo(v, 5));
    toLocal(poses, 0, world, [0, 0, 0]).forEach((v, k) => expect(v).toBeCloseTo([0.4, 0.5, 0.6][k]!, 5));
  });
  it("are blended along the shorter way", () => {
    const to = turn([0, 0, 1], 0.4);
    const from = new Float32Array(pose([0, 0, 0], turn([0, 0, 1], 0)));
    const far = new Float32Array([2, 0, 0, -to.w, -to.x, -to.y, -to.z]);
    const out = new Float32Array(7);
    blendPoses(from, far, 0.5, out);
    expect(out[0]).toBe(1);
    expect(2 * Math.atan2(out[6]!, out[3]!)).toBeCloseTo(0.2, 5);
  });
});

describe("friction cones", () => {
  it("are as high as the normal force is drawn, and as wide as friction allows", () => {
    expect(coneShape(10, 3, 0.5, 0.1)).toEqual({ height: 1, radius: 0.5, use: 0.6 });
    expect(coneShape(10, 5, 0.5, 0.1).use).toBe(1);
    expect(coneShape(-1, 0, 0.5, 0.1)).toEqual({ height: 0, radius: 0, use: 0 });
    expect(coneShape(0, 1, 0.5, 0.1).use).toBe(Infinity);
  });
});

describe("geometry", () => {
  const volume = (kind: Parameters<typeof makeGeometry>[0], detail: number): number => {
    const p = makeGeometry(kind, 3, 1, detail)!.getAttribute("position").array;
    let sum = 0;
    for (let i = 0; i < p.length; i += 9) {
      const [a, b, c] = [0, 3, 6].map((k) => new Vector3(p[i + k], p[i + k + 1], p[i + k + 2])) as [
        Vector3,
        Vector3,
        Vector3,
      ];
      sum += a.dot(b.cross(c)) / 6;
    }
    return sum;
  };
  it("is closed and faces outwards: its volume is right", () => {
    expect(volume({ kind: "box" }, 6)).toBeCloseTo(1, 6);
    expect(volume({ kind: "sphere" }, 24)).toBeCloseTo((4 / 3) * Math.PI, 1);
    expect(volume({ kind: "cylinder" }, 24)).toBeCloseTo(Math.PI, 1);
    expect(volume({ kind: "capsule", radius: 0.5, length: 2 }, 24)).toBeCloseTo(
      Math.PI * 0.25 * 2 + (4 / 3) * Math.PI * 0.125,
      1,
    );
  });
  it("of a concave polygon has its area and its outline only", () => {
    const g = makeGeometry({ kind: "polygon", vertices: [0, 0, 2, 0, 2, 2, 1, 0.5, 0, 2] }, 2, 1)!;
    const p = g.getAttribute("position").array;
    let area = 0;
    for (let i = 0; i < p.length; i += 9)
      area += ((p[i + 3]! - p[i]!) * (p[i + 7]! - p[i + 1]!) - (p[i + 6]! - p[i]!) * (p[i + 4]! - p[i + 1]!)) / 2;
    expect(Math.abs(area)).toBeCloseTo(2.5, 6);
    const e = g.getAttribute("edge").array;
    let drawn = 0;
    for (let i = 0; i < e.length; i += 9)
      for (let k = 0; k < 3; ++k) if (e[i + k]! + e[i + 3 + k]! + e[i + 6 + k]! === 1) ++drawn;
    expect(drawn).toBe(5);
  });
});

describe("the scene", () => {
  const run = makeRun({ bodies: 27, frames: 1 }) as { manifest: Manifest; frames: ArrayBuffer[] };
  it("is framed without half-spaces and far outliers", () => {
    const frame = decodeFrame(run.frames[0]!.slice(0));
    const ball = sceneBall(run.manifest, [frame]);
    expect(ball.radius).toBeGreaterThan(1.5);
    expect(ball.radius).toBeLessThan(4);
    frame.poses![7 * 5] = 1e4;
    expect(sceneBall(run.manifest, [frame]).radius).toBeLessThan(4);
    frame.poses![7 * 6] = NaN;
    expect(Number.isFinite(sceneBall(run.manifest, [frame]).radius)).toBe(true);
  });
  it("has boxes around turned shapes", () => {
    const manifest = {
      ...run.manifest,
      geometries: [{ kind: "box" }, { kind: "sphere" }],
      bodies: [0, 1].map((geometry) => ({
        shapes: [{ geometry, scale: [1, 1, 1], position: [0, 0, 0], rotation: [1, 0, 0, 0] }],
      })),
    } as unknown as Manifest;
    const q = turn([0, 0, 1], Math.PI / 4);
    const poses = new Float32Array([...pose([5, 0, 0], q), ...pose([0, 0, 2], q)]);
    const [low, high] = [
      [0, 0, 0],
      [0, 0, 0],
    ];
    const boxes = new Boxes(manifest);
    boxes.update(poses, new Uint8Array([1, 1]));
    expect(boxes.of(0, low, high)).toBe(true);
    expect(high[0]).toBeCloseTo(5 + Math.SQRT1_2, 5);
    expect(low[2]).toBeCloseTo(-0.5, 5);
    boxes.of(1, low, high);
    expect(high[0]).toBeCloseTo(1, 5);
    expect(high[2]).toBeCloseTo(3, 5);
  });
  it("is divided into views that are near to square", () => {
    expect(bestColumns(2, 900, 500)).toBe(2);
    expect(bestColumns(2, 400, 600)).toBe(1);
    expect(bestColumns(4, 800, 600)).toBe(2);
  });
  it("has a grid of round numbers", () => {
    expect([0.13, 0.26, 0.6, 8].map(roundLength).map((v) => Number(v.toPrecision(6)))).toEqual([0.1, 0.2, 0.5, 10]);
  });
});
