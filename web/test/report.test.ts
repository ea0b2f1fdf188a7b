import { describe, expect, it } from "vitest";
import type { Finding, Report, Run } from "../src/data/source.js";
import { sampleIndices } from "../src/data/source.js";
import { findingsOf, placeText } from "../src/panels/findings.js";
import { ordered } from "../src/panels/report.js";
import { frameNotBefore } from "../src/panels/where.js";
import { kineticEnergy } from "../src/state/energy.js";
import { clock } from "../src/state/units.js";

describe("findings of a report", () => {
  const finding = (model: string, more: Partial<Finding>): Finding => ({
    kind: "penetration",
    model,
    bodies: [],
    time: null,
    value: 1,
    unit: "m",
    bound: 0.1,
    fault: true,
    text: "Bodies sink, between a and b at t = 9 s.",
    ...more,
  });
  it("are those of the model, in their order", () => {
    const report = { findings: [finding("a", { kind: "x" }), finding("b", {}), finding("a", { kind: "y" })] } as Report;
    expect(findingsOf(report, "a").map(({ kind }) => kind)).toEqual(["x", "y"]);
    expect(findingsOf(report, "c")).toEqual([]);
  });
  it("lead to the time and the bodies of their fields, whatever their sentence says", () => {
    expect(placeText(finding("a", {}), 0.001)).toBeNull();
    expect(placeText(finding("a", { time: 0.456, bodies: ["floor", "ball 2"] }), 0.001)).toBe(
      `${clock(0.456, 0.001)}, floor – ball 2`,
    );
    expect(placeText(finding("a", { time: 3 }), 0.001)).toBe(clock(3, 0.001));
    expect(placeText(finding("a", { time: 3, bodies: ["a", "b", "c"] }), 0.001)).toContain("a – b – …");
  });
});

describe("numbers of a report", () => {
  const columns = (...names: string[]): { name: string; unit: string; help: string }[] =>
    names.map((name) => ({ name, unit: "", help: "" }));
  it("have the telling ones first, and all of them once", () => {
    const { telling, others } = ordered(columns("cone", "creep", "penetration", "conic"));
    expect(telling).toEqual([2, 1]);
    expect(others).toEqual([0, 3]);
    expect(ordered(columns("cone", "conic"))).toEqual({ telling: [0, 1], others: [] });
  });
  it("are found in the first frame that is not before them", () => {
    const run = { series: { frames: 3, times: new Float64Array([0, 0.1, 0.2]) } } as unknown as Run;
    expect([0, 0.05, 0.1, 0.1 + 1e-12, 9].map((time) => frameNotBefore(run, time))).toEqual([0, 1, 1, 1, 2]);
  });
});

describe("samples of a run", () => {
  it("hold its first and its last frame, and are fewer for many bodies", () => {
    expect(sampleIndices(0, 5)).toEqual([]);
    expect(sampleIndices(1, 5)).toEqual([0]);
    expect(sampleIndices(2, 5)).toEqual([0, 1]);
    const many = sampleIndices(1000, 5);
    expect([many.length, many[0], many.at(-1)]).toEqual([16, 0, 999]);
    expect(sampleIndices(1000, 1e6)).toHaveLength(3);
  });
});

describe("kinetic energy", () => {
  it("is that of translation and turning, in the body's own axes", () => {
    const half = Math.SQRT1_2; // a quarter turn about z: the body's x is the world's y
    const pose = [0, 0, 0, half, 0, 0, half];
    const body = { mass: 2, inertia: [1, 2, 3, 0, 0, 0] };
    expect(kineticEnergy(body, pose, [3, 0, 4, 0, 0, 0])).toEqual({ translation: 25, rotation: 0 });
    expect(kineticEnergy(body, pose, [0, 0, 0, 0, 2, 0])!.rotation).toBeCloseTo(0.5 * 1 * 4, 12);
    expect(kineticEnergy(body, pose, [0, 0, 0, 2, 0, 0])!.rotation).toBeCloseTo(0.5 * 2 * 4, 12);
    // Products: a rod along (1, 1, 0) does not resist turning about itself.
    const rod = { mass: 2, inertia: [1, 1, 2, -1, 0, 0] };
    expect(kineticEnergy(rod, [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, 1, 0])!.rotation).toBeCloseTo(0, 12);
    expect(kineticEnergy(rod, [0, 0, 0, 1, 0, 0, 0], [0, 0, 0, 1, -1, 0])!.rotation).toBeCloseTo(2, 12);
    expect(kineticEnergy({ mass: 2, inertia: 4 }, null, [1, 0, 0, 0, 0, 3])).toEqual({ translation: 1, rotation: 18 });
  });
  it("says what is not known", () => {
    expect(kineticEnergy({ mass: null }, null, [1, 0, 0, 0, 0, 0])).toBeNull();
    expect(kineticEnergy({ mass: 2 }, null, [1, 0, 0, 0, 0, 1])).toEqual({ translation: 1, rotation: null });
  });
});
