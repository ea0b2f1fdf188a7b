import { describe, expect, it } from "vitest";
// @ts-expect-error plain JavaScript, also used by the browser tests
import { makeRun } from "../e2e/synthetic.mjs";
import { decodeFrame } from "../src/data/frame.js";
import { History } from "../src/data/history.js";
import type { Series } from "../src/data/source.js";
import { At, type Body, type Frame, type RunEvent } from "../src/data/types.js";
import { advance, eventFrame, fraction, frameAt, nextSpeed } from "../src/state/clock.js";
import { contactNumbers, contactsOf, findContact, sortContacts } from "../src/state/contacts.js";
import { Islands } from "../src/state/islands.js";
import { decadesIn, logRange, timeRange, valueRange } from "../src/state/range.js";
import { Store } from "../src/state/store.js";
import { clock, number, quantity, vector } from "../src/state/units.js";

const series = (times: number[]): Series => ({
  frames: times.length,
  times: Float64Array.from(times),
  steps: Float64Array.from(times),
  columns: [],
  events: [],
});

describe("units", () => {
  it("take the prefix under which a number reads well", () => {
    expect(quantity(5.15e-5, "m")).toBe("51.50 µm");
    expect(quantity(-0.0012, "m")).toBe("−1.200 mm");
    expect(quantity(38800, "J")).toBe("38.80 kJ");
    expect(quantity(1234.5, "m")).toBe("1235 m");
    expect(quantity(0.25, "kg")).toBe("250 g");
    expect(quantity(0.0927, "1")).toBe("0.09270");
    expect(quantity(3e-9, "N·s")).toBe("3 nN·s");
    expect(quantity(1e-15, "m")).toBe("1.000e−15 m");
    expect(quantity(12.5, "kg·m/s")).toBe("12.50 kg·m/s");
    expect(quantity(0, "m")).toBe("0 m");
  });
  it("show what is not known as a dash, and infinity as such", () => {
    expect(quantity(NaN, "m")).toBe("–");
    expect(quantity(null, "m")).toBe("–");
    expect(number(-Infinity)).toBe("−∞");
  });
  it("give all parts of a vector the same prefix and decimals", () => {
    expect(vector([0.001, -0.00025, 0], "m")).toBe("1.000, −0.250, 0.000 mm");
    expect(vector([1, 20, -300], "m")).toBe("1.0, 20.0, −300.0 m");
  });
  it("show the clock with decimals that fit the step", () => {
    expect(clock(1.23456, 0.001)).toBe("1.235 s");
    expect(clock(1.23456, 0.00025)).toBe("1.2346 s");
  });
});

describe("the clock", () => {
  const s = series([0, 0.1, 0.2, 0.3]);
  it("finds the last frame that is not after it", () => {
    expect([-1, 0, 0.05, 0.1, 0.1999999999, 0.25, 9].map((t) => frameAt(s, t))).toEqual([0, 0, 0, 1, 2, 2, 3]);
    expect(fraction(s, 1, 0.15)).toBeCloseTo(0.5);
    expect(fraction(s, 3, 0.3)).toBe(0);
  });
  it("stops at the end, or begins anew", () => {
    expect(advance(0.25, 0.02, 1, s, false)).toEqual({ time: 0.27, ended: false });
    expect(advance(0.25, 0.2, 1, s, false)).toEqual({ time: 0.3, ended: true });
    expect(advance(0.25, 0.2, 1, s, true).time).toBeCloseTo(0.15);
    expect(advance(0, 1, 1, series([0]), true)).toEqual({ time: 0, ended: true });
  });
  it("jumps between events of a kind", () => {
    const at = (frame: number, kind: number): RunEvent => ({
      frame,
      kind,
      a: 0,
      b: 1,
      keyLow: 0,
      keyHigh: 0,
      value: 0,
    });
    const events = [at(1, 0), at(3, 1), at(3, 0), at(7, 1)];
    expect(eventFrame(events, 1, 1, -1)).toBe(3);
    expect(eventFrame(events, 3, 1, 0)).toBe(null);
    expect(eventFrame(events, 7, -1, 0)).toBe(3);
    expect(eventFrame(events, 1, -1, -1)).toBe(null);
    expect(eventFrame(events, 0, 1, 1)).toBe(3);
  });
  it("has steps of speed", () => {
    expect(nextSpeed(1, 1)).toBe(2);
    expect(nextSpeed(1, -1)).toBe(0.5);
    expect(nextSpeed(10, 1)).toBe(10);
    expect(nextSpeed(0.3, 1)).toBe(0.5);
  });
});

/** A frame with contacts between pairs of slots and nothing else. */
function touching(slots: number, pairs: [number, number][]): Frame {
  const buffer = new ArrayBuffer(pairs.length * At.Words * 4);
  const u = new Uint32Array(buffer);
  pairs.forEach(([a, b], c) => u.set([a, b, 0x20001, c + 1, 9], c * At.Words));
  return {
    step: 0,
    time: 0,
    slots,
    flags: 7,
    fields: new Float64Array(),
    poses: null,
    velocities: null,
    alive: new Uint8Array(slots).fill(1),
    contacts: pairs.length,
    contactsTotal: pairs.length,
    contactsU32: u,
    contactsF32: new Float32Array(buffer),
    events: [],
    joints: [],
  };
}
const bodies = (kinds: string): Body[] =>
  [...kinds].map((k) => ({
    name: k,
    kind: k === "s" ? "static" : "dynamic",
    mass: 1,
    material: "",
    com: [0, 0, 0],
    shapes: [],
  }));

describe("islands", () => {
  it("are joined by contacts of dynamic bodies only", () => {
    const islands = new Islands();
    islands.find(
      touching(7, [
        [0, 1],
        [0, 2],
        [2, 3],
        [5, 4],
        [3, 6],
      ]),
      bodies("sdddddd"),
    );
    expect([0, 1, 2, 3, 4, 5, 6].map((s) => islands.of(s))).toEqual([-1, 1, 2, 2, 4, 4, 2]);
    expect(islands.count()).toBe(3);
  });
  it("agree with a flood fill on random contacts", () => {
    let seed = 1;
    const random = (n: number): number => (seed = (seed * 48271) % 2147483647) % n;
    const pairs = Array.from({ length: 60 }, () => [random(80), random(80)] as [number, number]);
    const islands = new Islands();
    islands.find(touching(80, pairs), bodies("d".repeat(80)));
    const seen = new Array<number>(80).fill(-1);
    const fill = (slot: number, mark: number): void => {
      if (seen[slot] !== -1) return;
      seen[slot] = mark;
      for (const [a, b] of pairs)
        if (a === slot) fill(b, mark);
        else if (b === slot) fill(a, mark);
    };
    for (let slot = 0; slot < 80; ++slot) fill(slot, slot);
    expect(seen.map((_, s) => islands.of(s))).toEqual(seen);
  });
});

describe("contacts", () => {
  const frame = decodeFrame((makeRun({ bodies: 9, frames: 1 }) as { frames: ArrayBuffer[] }).frames[0]!);
  it("split vectors into normal and tangential parts", () => {
    const c = contactNumbers(frame, 1);
    expect(c.impulseNormal).toBeCloseTo(0.02, 7);
    expect(c.impulseTangential).toBeCloseTo(0.006, 7);
    expect(c.velocityNormal).toBe(0);
    expect(c.velocityTangential).toBeCloseTo(0.01, 7);
    expect(contactNumbers(touching(3, [[1, 2]]), 0)).toMatchObject({ shapeA: 1, shapeB: 2 });
  });
  it("are found again by their key and by their bodies", () => {
    const { a, b, keyLow, keyHigh } = contactNumbers(frame, 4);
    expect(findContact(frame, { kind: "contact", run: 0, a, b, keyLow, keyHigh })).toBe(4);
    expect(findContact(frame, { kind: "contact", run: 0, a, b, keyLow: 99, keyHigh })).toBe(-1);
    expect(
      contactsOf(
        touching(5, [
          [0, 1],
          [1, 2],
          [3, 4],
        ]),
        1,
      ),
    ).toEqual([0, 1]);
    expect(
      contactsOf(
        touching(5, [
          [0, 1],
          [1, 2],
          [1, 0],
        ]),
        1,
        0,
      ),
    ).toEqual([0, 2]);
  });
  it("are sorted worst first", () => {
    const gaps = [...sortContacts(frame, "gap", false)].map((c) => contactNumbers(frame, c).gap);
    expect(gaps).toEqual([...gaps].sort((x, y) => x - y));
    const forces = [...sortContacts(frame, "impulse", true)].map((c) =>
      Math.hypot(...contactNumbers(frame, c).impulse),
    );
    expect(forces).toEqual([...forces].sort((x, y) => x - y));
  });
});

describe("history of a live run", () => {
  const at = (step: number, events: Frame["events"] = []): Frame => ({
    ...touching(1, []),
    step,
    time: step / 10,
    fields: Float64Array.of(step),
    events,
  });
  const event = { kind: 0, a: 0, b: 0, keyLow: 0, keyHigh: 0, value: 0 };
  it("is rewritten from a step that comes again", () => {
    const history = new History(1);
    for (const step of [0, 1, 2, 3]) history.add(at(step, [event]), 10);
    history.add(at(2), 10);
    expect([...history.series.steps]).toEqual([0, 1, 2]);
    expect(history.series.events.map(({ frame }) => frame)).toEqual([0, 1]);
    expect(history.frame(2)!.events).toEqual([]);
  });
  it("forgets the oldest and keeps its numbers in step", () => {
    const history = new History(1, 1000);
    for (let step = 0; step < 5000; ++step) history.add(at(step, step % 100 === 0 ? [event] : []), 10);
    const { series } = history;
    expect(series.frames).toBeLessThanOrEqual(101);
    expect(series.frames).toBeGreaterThan(80);
    expect(series.steps[series.frames - 1]).toBe(4999);
    expect([...series.columns[0]!]).toEqual([...series.steps]);
    for (const { frame } of series.events) expect(series.steps[frame]! % 100).toBe(0);
  });
});

describe("the store", () => {
  it("tells listeners once, after all keys are set, and only if something changed", () => {
    const store = new Store({ a: 1, b: 1 });
    const seen: number[] = [];
    store.on(["a", "b"], () => seen.push(store.state.a + store.state.b));
    store.set({ a: 2, b: 2 });
    store.set({ a: 2 });
    expect(seen).toEqual([4]);
  });
});

describe("ranges of axes", () => {
  it("are wider than the rounding of their ends", () => {
    for (const at of [0, 5, -3e9, 1e-30, 1e300])
      for (const width of [0, Math.abs(at) * 1e-16, Math.abs(at) * 1e-12])
        for (const range of [valueRange, timeRange]) {
          const [low, high] = range(at, at + width);
          const part = (high - low) / 1000;
          expect(low + part).toBeGreaterThan(low);
          expect(high - part).toBeLessThan(high);
          expect(low).toBeLessThanOrEqual(at);
          expect(high).toBeGreaterThanOrEqual(at + width);
        }
  });
  it("have room for values, and none for times", () => {
    expect(valueRange(0, 100)).toEqual([0, 106]);
    expect(timeRange(0, 10)).toEqual([0, 10]);
    expect(valueRange(null, null)).toEqual([0, 1]);
  });

  it("have few decades on a logarithmic axis, however small the values are", () => {
    for (let e = -330; e <= 300; e += 3) {
      const [low, high] = logRange(3 * 10 ** e, 5);
      expect(low).toBeGreaterThan(0);
      expect(low).toBeLessThanOrEqual(Math.max(3 * 10 ** e, 1e-300));
      expect(high).toBeGreaterThan(low);
      const decades = decadesIn(low, high, 6);
      expect(decades.length).toBeGreaterThan(0);
      expect(decades.length).toBeLessThanOrEqual(6);
      for (const d of decades) expect(Math.log10(d)).toBeCloseTo(Math.round(Math.log10(d)), 9);
    }
    expect(logRange(null, null)).toEqual([0.1, 1]);
    expect(logRange(2, 2)).toEqual([1, 10]);
    expect(decadesIn(1e-3, 1, 6)).toEqual([1e-3, 1e-2, 1e-1, 1]);
    expect(decadesIn(1e-24, 1, 6)).toEqual([1e-20, 1e-15, 1e-10, 1e-5, 1]);
  });
});
