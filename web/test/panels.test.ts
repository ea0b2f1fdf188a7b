import { describe, expect, it } from "vitest";
import type { Run } from "../src/data/source.js";
import { choosable, plotGroups, worstPair } from "../src/panels/plot_groups.js";
import { cellText, worstOf } from "../src/panels/report.js";

const names = [
  "step",
  "time",
  "energy",
  "spring_energy",
  "natural_map",
  "natural_map_mean",
  "natural_map_a",
  "natural_map_b",
  "natural_map_step",
];
const columns = [
  [0, 1, 2],
  [0, 0.1, 0.2],
  [5, 4, 3],
  [0, 0, 0],
  [NaN, 0.3, 0.1],
  [NaN, 0.1, 0.1],
  [NaN, 4, -1],
  [NaN, 7, -1],
  [NaN, 1, 2],
];
const run = {
  manifest: { frames: 3, fields: names.map((name) => ({ name, unit: "", help: "" })) },
  series: {
    frames: 3,
    times: Float64Array.of(0, 0.1, 0.2),
    steps: Float64Array.of(0, 1, 2),
    columns: columns.map((c) => Float64Array.from(c)),
    events: [],
    joints: [],
  },
} as unknown as Run;

describe("plots", () => {
  it("show what the run has, without quantities that are always zero", () => {
    const groups = plotGroups([run]);
    expect(groups.map(({ title }) => title)).toEqual(["Energy", "Residual"]);
    expect(groups[0]!.fields).toEqual(["energy"]);
  });
  it("name the two bodies of the worst", () => {
    expect(worstPair(run, "natural_map", 1)).toEqual({ a: 4, b: 7 });
    expect(worstPair(run, "natural_map", 0)).toBe(null);
    expect(worstPair(run, "natural_map", 2)).toBe(null);
    expect(worstPair(run, "energy", 1)).toBe(null);
  });
  it("offer every quantity but the helpers of others", () => {
    expect(choosable(run.manifest).map(({ name }) => name)).toEqual([
      "energy",
      "spring_energy",
      "natural_map",
      "natural_map_mean",
    ]);
  });
});

describe("the report's table", () => {
  it("leads from a number to its moment and its bodies", () => {
    expect(worstOf(run, "natural_map")).toEqual({ frame: 1, pair: { a: 4, b: 7 } });
    expect(worstOf(run, "energy")).toEqual({ frame: 0, pair: null });
    expect(worstOf(run, "creep")).toBe(null);
  });
  it("shows numbers with units, words as they are, and a dash for nothing", () => {
    expect(cellText(5.15e-5, "m")).toBe("51.5 µm");
    expect(cellText("stopped at 2.1 s", "m")).toBe("stopped at 2.1 s");
    expect(cellText(null, "m")).toBe("–");
  });
});
