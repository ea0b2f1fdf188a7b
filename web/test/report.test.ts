import { describe, expect, it } from "vitest";
import type { Run } from "../src/data/source.js";
import { sampleIndices } from "../src/data/source.js";
import { ordered } from "../src/panels/report.js";
import { frameNotBefore } from "../src/panels/where.js";
import { partsOf, sentencesOf } from "../src/panels/words.js";
import { kineticEnergy } from "../src/state/energy.js";

describe("words of a report", () => {
  const text =
    "Let bodies sink by up to 2.6 %, between floor and ball at t = 0.456 s; the deepest is 9.67 mm, between tower_0 and tower_1 at t = 0.153 s. Ended elsewhere than ncp: bodies are 154 mm away at t = 3.000 s (root mean square).";
  it("are sentences", () => {
    expect(sentencesOf(text).map((each) => each.slice(0, 5))).toEqual(["Let b", "Ended"]);
    expect(sentencesOf(text).join(" ")).toBe(text);
    expect(sentencesOf("")).toEqual([]);
  });
  it("name moments and bodies", () => {
    const [first, second] = sentencesOf(text).map(partsOf) as [ReturnType<typeof partsOf>, ReturnType<typeof partsOf>];
    expect(first.filter(({ time }) => time !== null).map(({ time, bodies }) => [time, ...bodies])).toEqual([
      [0.456, "floor", "ball"],
      [0.153, "tower_0", "tower_1"],
    ]);
    expect(second.find(({ time }) => time !== null)).toEqual({ text: "at t = 3.000 s", bodies: [], time: 3 });
    expect([...first, ...second].map((part) => part.text).join("")).toBe(sentencesOf(text).join(""));
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
