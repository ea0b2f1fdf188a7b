import { describe, expect, it } from "vitest";
import { Matrix4, Quaternion, Vector3 } from "three";
// @ts-expect-error plain JavaScript, also used by the browser tests
import { makeRun } from "../e2e/synthetic.mjs";
import { decodeFrame } from "../src/data/frame.js";
import type { Manifest } from "../src/data/types.js";
import { boundsOf } from "../src/scene/bounds.js";
import { Boxes } from "../src/scene/boxes.js";
import { coneShape } from "../src/scene/cone.js";
import { fitFlat, fitPerspective } from "../src/scene/fit.js";
import { makeGeometry } from "../src/scene/geometry.js";
import { roundLength } from "../src/scene/ground.js";
import { blendPoses, toLocal, toWorld, writeMatrices } from "../src/scene/poses.js";
import { Pace } from "../src/scene/quality.js";
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

describe("the pace of pictures", () => {
  it("is too slow if most of some pictures in a row take long, not if one does", () => {
    const pace = new Pace();
    const some = (ms: number[]): boolean => ms.map((each) => pace.note(each)).includes(true);
    expect(some([16, 16, 800, 16, 16, 16, 120, 16])).toBe(false);
    expect(some([200, 150, 16, 150, 200, 150, 120, 300])).toBe(true);
    expect(some(Array(20).fill(60000))).toBe(false); // the page was hidden
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
    const { ball, boxes } = boundsOf(run.manifest, [frame]);
    expect(boxes.length).toBeGreaterThan(26);
    expect(ball.radius).toBeGreaterThan(1.5);
    expect(ball.radius).toBeLessThan(4);
    frame.poses![7 * 5] = 1e4;
    expect(boundsOf(run.manifest, [frame]).ball.radius).toBeLessThan(4);
    frame.poses![7 * 6] = NaN;
    expect(Number.isFinite(boundsOf(run.manifest, [frame]).ball.radius)).toBe(true);
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
  it("is framed by its dynamic bodies over the run, not by the slab they stand on", () => {
    const shape = (scale: number): object => ({
      geometry: 0,
      scale: [scale, scale, 0.1],
      position: [0, 0, 0],
      rotation: [1, 0, 0, 0],
    });
    const manifest = {
      ...run.manifest,
      joints: [],
      geometries: [{ kind: "box" }],
      bodies: [
        { kind: "static", shapes: [shape(50)] },
        { kind: "dynamic", shapes: [shape(1)] },
      ],
    } as unknown as Manifest;
    const still = turn([0, 0, 1], 0);
    const at = (x: number): ReturnType<typeof decodeFrame> => ({
      ...decodeFrame(run.frames[0]!.slice(0)),
      slots: 2,
      poses: new Float32Array([...pose([0, 0, 0], still), ...pose([x, 0, 0.1], still)]),
      alive: new Uint8Array([1, 1]),
    });
    const { boxes } = boundsOf(manifest, [at(0), at(4)]);
    expect(Math.max(...boxes.map(({ high }) => high[0]!))).toBeGreaterThan(4.4); // where it ends
    expect(Math.max(...boxes.map(({ high }) => high[0]!))).toBeLessThan(6);
    expect(Math.min(...boxes.map(({ low }) => low[1]!))).toBeGreaterThan(-2);
  });
  it("fits into the picture, and touches two sides of it", () => {
    const boxes = [
      { low: [-1, -2, 0], high: [3, 1, 1] },
      { low: [4, 0, 0], high: [5, 0.5, 2] },
    ];
    const back = new Vector3(0.62, -1, 0.5).normalize();
    const right = new Vector3(0, 0, 1).cross(back).normalize();
    const up = back.clone().cross(right);
    const axes = { right: right.toArray(), up: up.toArray(), back: back.toArray() };
    for (const [tanX, tanY] of [
      [0.6, 0.3],
      [0.2, 0.4],
    ] as const) {
      const { eye } = fitPerspective(boxes, axes, tanX, tanY);
      const sides = [0, 0, 0, 0];
      for (const { low, high } of boxes)
        for (let corner = 0; corner < 8; ++corner) {
          const p = new Vector3(...[0, 1, 2].map((k) => (corner & (1 << k) ? high : low)[k]! - eye[k]!));
          const [x, y] = [p.dot(right), p.dot(up)].map((v) => v / -p.dot(back)) as [number, number];
          [x / tanX, -x / tanX, y / tanY, -y / tanY].forEach((v, i) => (sides[i] = Math.max(sides[i]!, v)));
        }
      for (const side of sides) expect(side).toBeLessThan(1 + 1e-9);
      expect(sides.filter((side) => side > 1 - 1e-9).length).toBeGreaterThanOrEqual(2);
    }
    expect(fitFlat(boxes, 2)).toEqual({ half: 1.5, centre: [2, -0.5, 1] });
    expect(fitFlat(boxes, 0.5).half).toBe(6);
  });
  it("is divided into views in which things are largest", () => {
    const square = (aspect: number, height: number): number => height * Math.min(1, aspect);
    expect(bestColumns(2, 900, 500, square)).toBe(2);
    expect(bestColumns(2, 400, 600, square)).toBe(1);
    expect(bestColumns(4, 800, 600, square)).toBe(2);
    const wide = (aspect: number, height: number): number => height * Math.min(1, aspect / 4);
    expect(bestColumns(2, 900, 500, wide)).toBe(1);
  });
  it("has a grid of round numbers", () => {
    expect([0.13, 0.26, 0.6, 8].map(roundLength).map((v) => Number(v.toPrecision(6)))).toEqual([0.1, 0.2, 0.5, 10]);
  });
});
