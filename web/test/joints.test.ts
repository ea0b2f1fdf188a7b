// Joints as lines and dots: which are drawn, and where.
import { describe, expect, it } from "vitest";
import { kJointKinds, type Frame, type FrameJoint, type Joint, type Manifest } from "../src/data/types.js";
import { JointMarks } from "../src/scene/joint_marks.js";
import type { LineSet, PointSet } from "../src/scene/sets.js";
import { kTones } from "../src/scene/tones.js";

type Line = { from: number[]; to: number[]; tone: unknown };

class Drawn {
  lines: Line[] = [];
  dots: number[][] = [];
  constructor(dimension: 2 | 3, joints: Partial<Joint>[], told: Partial<FrameJoint>[] = [], poses = kPlaces, before = poses) {
    const manifest = {
      dimension,
      bodies: [0, 1].map(() => ({ kind: "dynamic", com: [0, 0, 0] })),
      joints: joints.map((j) => ({ a: 0, b: 1, point_a: [1, 0, 0], point_b: [-1, 0, 0], axis_a: null, ...j })),
      springs: [],
    } as unknown as Manifest;
    const set = {
      add: (x: number, y: number, z: number, u: number, v: number, w: number, tone: unknown) =>
        this.lines.push({ from: [x, y, z], to: [u, v, w], tone }),
    };
    const points = { add: (x: number, y: number, z: number) => this.dots.push([x, y, z]) };
    const marks = new JointMarks(manifest, set as unknown as LineSet, points as unknown as PointSet);
    marks.draw({ poses: before, joints: told } as unknown as Frame, poses, 10);
  }
  has(from: number[], to: number[]): boolean {
    return this.lines.some((l) => near(l.from, from) && near(l.to, to));
  }
}

const near = (a: number[], b: number[]): boolean => a.every((x, k) => Math.abs(x - b[k]!) < 1e-5);
const pose = (x: number, y: number): number[] => [x, y, 0, 1, 0, 0, 0];
const kPlaces = new Float32Array([...pose(0, 0), ...pose(2, 0)]);

describe("joints", () => {
  it("of two places are a line between them", () => {
    for (const kind of ["distance", "rope", "gear"] as const) {
      const drawn = new Drawn(2, [{ kind, point_a: [0, 1, 0], point_b: [0, 1, 0] }]);
      expect(drawn.has([0, 1, 0], [2, 1, 0])).toBe(true);
      expect(drawn.dots).toHaveLength(2);
    }
  });

  it("of one place have arms to the bodies that they hold, and a dot", () => {
    for (const kind of ["hinge", "ball", "fixed"] as const) {
      const drawn = new Drawn(3, [{ kind }]);
      expect(drawn.has([0, 0, 0], [1, 0, 0])).toBe(true);
      expect(drawn.has([2, 0, 0], [1, 0, 0])).toBe(true);
      expect(drawn.dots).toEqual([[1, 0, 0]]);
    }
    const toTheWorld = new Drawn(2, [{ kind: "hinge", a: -1, point_a: [1, 0, 0] }]);
    expect(toTheWorld.lines).toHaveLength(1);
  });

  it("have their axes", () => {
    const count = (kind: Joint["kind"], more: Partial<Joint> = {}): number =>
      new Drawn(3, [{ kind, axis_a: [0, 0, 1], ...more }]).lines.length - 2; // without the arms
    expect(count("hinge")).toBe(1);
    expect(count("slider")).toBe(1);
    expect(count("universal", { axis_b: [0, 1, 0] })).toBe(2);
    expect(count("planar")).toBe(5); // a square and its normal
    expect(count("screw")).toBeGreaterThan(20);
    const drawn = new Drawn(3, [{ kind: "planar", axis_a: [0, 0, 1] }]);
    for (const { from, tone } of drawn.lines) if (tone === kTones.joint) expect(Math.abs(from[2]!)).toBeLessThan(0.31);
  });

  it("that are springs have coils from end to end", () => {
    for (const dimension of [2, 3] as const) {
      const drawn = new Drawn(dimension, [{ kind: "spring", point_a: [0, 0, 0], point_b: [0, 0, 0] }]);
      expect(drawn.lines.length).toBeGreaterThan(6);
      expect(drawn.lines[0]!.from).toEqual([0, 0, 0]);
      expect(drawn.lines.at(-1)!.to).toEqual([2, 0, 0]);
      drawn.lines.slice(1).forEach((l, i) => expect(near(l.from, drawn.lines[i]!.to)).toBe(true));
      expect(drawn.lines.every((l) => l.tone === kTones.spring)).toBe(true);
    }
  });

  it("that are beads show their wire, which goes with A", () => {
    const poses = new Float32Array([...pose(5, 1), ...pose(2, 0)]);
    const drawn = new Drawn(2, [{ kind: "bead", curve: [0, 0, 1, 1, 2, 4] }], [], poses);
    expect(drawn.lines).toHaveLength(2);
    expect(drawn.has([5, 1, 0], [6, 2, 0])).toBe(true);
    expect(drawn.has([6, 2, 0], [7, 5, 0])).toBe(true);
    expect(drawn.dots).toEqual([[1, 0, 0]]);
  });

  it("that are gone are not drawn, and those that are made are", () => {
    const gone = { serial: 0, gone: true } as FrameJoint;
    const made = {
      serial: 1,
      kind: kJointKinds.indexOf("hinge"),
      a: 0,
      b: 1,
      gone: false,
      pointA: [1, 0, 0],
      pointB: [1, 0, 0],
    } as FrameJoint;
    expect(new Drawn(2, [{ kind: "hinge" }], [gone]).lines).toHaveLength(0);
    const drawn = new Drawn(2, [{ kind: "hinge" }], [gone, made]);
    expect(drawn.dots).toEqual([[1, 0, 0]]);
    expect(drawn.has([2, 0, 0], [1, 0, 0])).toBe(true);
    // Between two frames it goes with its bodies.
    const later = new Float32Array([...pose(0, 0), ...pose(2, 3)]);
    expect(new Drawn(2, [{ kind: "hinge" }], [gone, made], later, kPlaces).dots).toEqual([[1, 3, 0]]);
  });

  it("that are targets pull to where the frame says", () => {
    const told = { serial: 0, kind: kJointKinds.indexOf("target"), a: -1, b: 1, gone: false, pointA: [7, 8, 0] };
    const drawn = new Drawn(2, [{ kind: "target", a: -1 }], [told as unknown as FrameJoint]);
    expect(drawn.has([7, 8, 0], [1, 0, 0])).toBe(true);
    expect(new Drawn(2, [{ kind: "target", a: -1, point_a: [3, 0, 0] }]).has([3, 0, 0], [1, 0, 0])).toBe(true);
  });
});
