import { describe, expect, it } from "vitest";
import { extentOf, forceOf, moved, withoutRounding } from "../src/data/answer_run.js";
import { answersOf, openStatics, type Statics, type StableResult } from "../src/data/statics.js";
import { At, ContactFlag, FrameFlag, type Manifest } from "../src/data/types.js";
import { limitText, marginNote } from "../src/panels/statics_tables.js";
import { remarks } from "../src/panels/verdict.js";
import { speedFor } from "../src/state/clock.js";
import { exactText, fractionValue } from "../src/state/fractions.js";

const kBase: StableResult = {
  name: "edge",
  verdict: "falls",
  exact: true,
  marginal: false,
  marginal_exact: false,
  reason: "no_forces",
  sentence: "No contact forces balance the loads.",
  proof: "",
  bodies: 2,
  contacts: 2,
  joint_rows: 0,
  forces: [],
  mechanism: null,
  margins: [],
  accelerations: null,
  contact_motion: null,
  floating: [],
  gaps: [],
  corners: [],
  notes: [],
};

/** A brick of 1 m by 0.25 m that hangs over the end of a table; the table is body 0. */
function scene(result: Partial<StableResult>): Statics {
  const body = (name: string, kind: "static" | "dynamic", width: number, height: number): Manifest["bodies"][0] => ({
    name,
    kind,
    mass: kind === "static" ? null : 1,
    material: "",
    com: [0, 0, 0],
    shapes: [{ geometry: 0, scale: [width, height, 1], position: [0, 0, 0], rotation: [1, 0, 0, 0], material: "" }],
  });
  const manifest: Manifest = {
    format: 1,
    program: "touchstone",
    name: "edge",
    model: "",
    model_options: {},
    dimension: 2,
    step_size: 0.001,
    duration: 0,
    gravity: [0, -9.81, 0],
    complete: true,
    truncated: "",
    source: "",
    materials: [],
    bodies: [body("table", "static", 2, 1), body("brick", "dynamic", 1, 0.25)],
    geometries: [{ kind: "rectangle" }],
    joints: [],
    springs: [],
    fields: [],
    measures: [],
    frames: 0,
    has: { poses: true, velocities: false, contacts: false },
    frame_every: 1,
    decimation: "",
  };
  const poses = [
    [-1, -0.5, 0, 1, 0, 0, 0],
    [0.25, 0.125, 0, 1, 0, 0, 0],
  ];
  return { manifest, poses, result: { ...kBase, ...result } };
}

const point = (x: number, more: object = {}) => ({
  point: [x, 0],
  normal: [0, 1],
  tangents: [[-1, 0]],
  friction: 0.5,
  ...more,
});

const falls: Partial<StableResult> = {
  accelerations: { brick: { acceleration: [0, -6], angular_acceleration: [-16] } },
  contact_motion: [
    {
      a: "table",
      b: "brick",
      change: "opens",
      points: [
        point(-0.25, { force: [0, 0], change: "opens", opening: 2, slip: 0 }),
        point(0, { force: ["3/2", "-1/2"], change: "stays", opening: 0, slip: 0 }),
      ],
    },
  ],
  mechanism: { brick: { velocity: [0, "-1/4"], angular_velocity: ["-1"] } },
};

describe("fractions of --exact", () => {
  it("are numbers, of any length", () => {
    expect(fractionValue("981/200")).toBe(4.905);
    expect(fractionValue("-1/3")).toBeCloseTo(-1 / 3, 16);
    expect(fractionValue("7")).toBe(7);
    expect(fractionValue("0")).toBe(0);
    expect(fractionValue(2.5)).toBe(2.5);
    expect(fractionValue(null)).toBe(Infinity);
    const long = "1".padEnd(401, "0");
    expect(fractionValue(`3${long.slice(1)}/${long}`)).toBe(3);
    expect(fractionValue(`1/${"1".padEnd(31, "0")}`)).toBeCloseTo(1e-30, 45);
    expect(fractionValue(`${"1".padEnd(31, "0")}/7`) / (1e30 / 7)).toBeCloseTo(1, 14);
  });

  it("stand in tables as they are while they are short", () => {
    expect(exactText("981/200")).toBe("981/200");
    expect(exactText("-1/2")).toBe("−1/2");
    expect(exactText(null)).toBe("no limit");
    expect(exactText(undefined)).toBe("–");
    expect(exactText(1e-17)).toBe("0");
    expect(exactText(`${"1".repeat(30)}/${"3".repeat(30)}`)).toBe("0.3333");
  });
});

describe("answers of a verdict", () => {
  const kinds = (result: Partial<StableResult>): string[] => answersOf({ ...kBase, ...result }).map(({ kind }) => kind);
  const forces = [{ a: "table", b: "brick", points: [point(0)] }];

  it("FALLS begins with the initial motion, and has the mechanism", () =>
    expect(kinds(falls)).toEqual(["acceleration", "velocity"]));
  it("STANDS has forces, and a motion only if it is marginal", () => {
    expect(kinds({ verdict: "stands", forces })).toEqual(["rest"]);
    expect(kinds({ verdict: "stands", forces, mechanism: falls.mechanism! })).toEqual(["rest", "velocity"]);
  });
  it("MAY STAND has forces first, then the motion", () =>
    expect(kinds({ verdict: "may_stand", forces, accelerations: falls.accelerations! })).toEqual([
      "rest",
      "acceleration",
    ]));
  it("UNDECIDED shows the scene at least", () => expect(kinds({ verdict: "undecided" })).toEqual(["rest"]));
});

describe("a motion", () => {
  it("turns a body about its centre of mass", () => {
    const half = Math.SQRT1_2; // the body is turned by 90°: its x axis is the world's y axis
    const pose = moved([1, 2, 0, half, 0, 0, half], [0.5, 0, 0], [0, 0.1, 0], [0, 0, Math.PI / 2]);
    // The centre was at (1, 2.5), and is at (1, 2.6); after another quarter turn the origin is at its right.
    expect(pose[0]).toBeCloseTo(1.5, 12);
    expect(pose[1]).toBeCloseTo(2.6, 12);
    expect(2 * Math.atan2(pose[6]!, pose[3]!)).toBeCloseTo(Math.PI, 12);
  });

  it("turns about any axis: a third of a turn about (1, 1, 1) permutes the axes", () => {
    const angle = (2 * Math.PI) / 3 / Math.sqrt(3);
    const pose = moved([0, 0, 0, 1, 0, 0, 0], [1, 0, 0], [0, 0, 0], [angle, angle, angle]);
    // The centre stays at (1, 0, 0); the arm from the origin to it now points along y.
    expect(pose[0]).toBeCloseTo(1, 12);
    expect(pose[1]).toBeCloseTo(-1, 12);
    expect(pose[2]).toBeCloseTo(0, 12);
  });

  it("has no arrows for the rounding of a solver", () => {
    const [a, b] = withoutRounding(
      [
        { slot: 0, linear: [0, -9.81, 0], angular: [0, 0, 1e-12] },
        { slot: 1, linear: [1e-13, 0, 0], angular: [0, 0, 1e-3] },
      ],
      [0.5, 0.5],
    );
    expect(a).toEqual({ slot: 0, linear: [0, -9.81, 0], angular: [0, 0, 0] });
    expect(b).toEqual({ slot: 1, linear: [0, 0, 0], angular: [0, 0, 1e-3] });
  });

  it("is shown as far as a usual body's radius, and no farther than half a radian", () => {
    const motion = { slot: 0, linear: [0, -2, 0], angular: [0, 0, 0] };
    expect(extentOf([motion], [1], 100)).toBeCloseTo(0.45, 12);
    expect(extentOf([motion], [1], 1)).toBeCloseTo(0.15, 12);
    expect(extentOf([{ ...motion, linear: [0, 0, 0], angular: [0, 0, 4] }], [0.1], 100)).toBeCloseTo(0.125, 12);
    expect(extentOf([{ ...motion, linear: [0, 0, 0] }], [1], 100)).toBe(0);
    expect(extentOf([], [1], 100)).toBe(0);
  });
});

describe("an answer as a run", () => {
  it("moves as x₀ + ½·a·t²", () => {
    const run = openStatics(scene(falls)).runs[0]!;
    const { frames, times } = run.series;
    const last = run.frame(frames - 1)!;
    const t = times[frames - 1]!;
    expect(t).toBeGreaterThan(0);
    expect(last.flags & FrameFlag.Velocities).toBeTruthy();
    expect(last.poses![7]).toBeCloseTo(0.25, 6);
    expect(last.poses![8]).toBeCloseTo(0.125 - 3 * t * t, 6);
    expect(2 * Math.atan2(last.poses![13]!, last.poses![10]!)).toBeCloseTo(-8 * t * t, 6);
    expect(last.velocities![7]).toBeCloseTo(-6 * t, 5);
    expect([...last.poses!.subarray(0, 3)]).toEqual([-1, -0.5, 0]);
    expect(run.frame(0)!.poses![8]).toBeCloseTo(0.125, 7);
  });

  it("knows which contacts open, how far, and the forces", () => {
    const run = openStatics(scene(falls)).runs[0]!;
    const frame = run.frame(run.series.frames - 1)!;
    const t = frame.time;
    const [u, f] = [frame.contactsU32, frame.contactsF32];
    expect(u[At.FlagsU]).toBe(ContactFlag.Opens);
    expect(u[At.Words + At.FlagsU]).toBe(ContactFlag.Sticking);
    // At x = −0.25 the brick's point has −6 + 16 · 0.5 = 2 m/s².
    expect(f[At.Gap]).toBeCloseTo(t * t, 6);
    expect(f[At.Words + At.Gap]).toBeCloseTo(-t * t, 6); // −6 + 16 · 0.25 = −2: these numbers are no motion of B37
    const h = run.manifest.step_size;
    expect(f[At.Words + At.Impulse]! / h).toBeCloseTo(0.5, 5);
    expect(f[At.Words + At.Impulse + 1]! / h).toBeCloseTo(1.5, 5);
    expect(forceOf(scene(falls).result.contact_motion![0]!.points[1]!)).toEqual([0.5, 1.5, 0]);
  });

  it("finds the contacts that a mechanism opens by itself", () => {
    const run = openStatics(scene(falls)).runs[1]!;
    const frame = run.frame(run.series.frames - 1)!;
    // Turning about (0, 0.125): the left point rises, the right one slides.
    expect(frame.contactsU32[At.FlagsU]).toBe(ContactFlag.Opens);
    expect(frame.contactsU32[At.Words + At.FlagsU]).toBe(0);
    const drop = 0.125 - frame.poses![8]!;
    expect(drop).toBeGreaterThan(0.01);
    expect(-2 * Math.atan2(frame.poses![13]!, frame.poses![10]!)).toBeCloseTo(4 * drop, 6);
    // One clock for both answers.
    expect(frame.time).toBeCloseTo(openStatics(scene(falls)).runs[0]!.manifest.duration, 12);
    expect(frame.contactsF32[At.Impulse + 1]).toBe(0);
  });

  it("has a bar for each contact point, towards the body that is free", () => {
    const forces = [
      { a: "table", b: "brick", least: 3, greatest: 5, points: [point(0, { least: 0, greatest: "981/200", force: [1, 0] }), point(1)] },
      { a: "brick", b: "table", points: [point(0.1, { least: 2, greatest: null })] },
    ];
    const { bars, pairBars, mostForce } = openStatics(scene({ verdict: "stands", forces })).runs[0]!.statics!;
    expect(bars.length).toBe(2); // the range of the second point is not known
    expect(bars[0]).toMatchObject({ axis: [0, 1, 0], least: 0, greatest: 4.905 });
    expect(bars[1]!.axis[1]).toBe(-1);
    expect(bars[1]!.greatest).toBe(Infinity);
    expect(mostForce).toBe(5);
    // Of the pair one at the middle of its points; the second pair's range is not known.
    expect(pairBars).toEqual([{ a: 0, b: 1, point: [0.5, 0, 0], axis: [0, 1, 0], least: 3, greatest: 5 }]);
  });

  it("says that data are damaged", () => {
    expect(() => openStatics(undefined)).toThrow(/damaged/);
    expect(() => openStatics({ ...scene(falls), poses: [] })).toThrow(/places of bodies/);
  });
});

describe("words and numbers around the picture", () => {
  it("margins", () => {
    const margin = { name: "", limit: "2/5" } as const;
    expect(limitText({ ...margin, kind: "push" })).toBe("2/5");
    expect(marginNote({ ...margin, kind: "push" })).toMatch(/of its weight/);
    expect(marginNote({ ...margin, kind: "tilt" })).toBe("tangent 2/5");
    expect(limitText({ ...margin, kind: "tilt", degrees: 21.80141 })).toBe("21.80°");
    expect(limitText({ ...margin, kind: "load", limit: 12.5 })).toBe("12.50 N");
    expect(limitText({ ...margin, kind: "load", limit: null })).toBe("no limit");
    expect(limitText({ ...margin, kind: "least_friction", limit: null })).toBe("none is enough");
  });

  it("remarks", () => {
    const text = remarks({ ...kBase, floating: ["kite"], gaps: [{ a: "x", b: "y", gap: 1e-5, tolerance: 1e-6 }] });
    expect(text[0]).toMatch(/“kite” floats/);
    expect(text[1]).toMatch(/0.0000100 m apart/);
  });

  it("the speed at which a motion takes a few seconds", () => {
    expect(speedFor(0.18)).toBe(0.2);
    expect(speedFor(1e-9)).toBe(0.01);
    expect(speedFor(400)).toBe(10);
  });
});
