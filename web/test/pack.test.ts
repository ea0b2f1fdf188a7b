// The decoder against a fixture that the C++ encoder wrote; tests/io/replay_pack_test.cpp checks that it still writes it.
import { describe, expect, it } from "vitest";
import { fromBase64, inflate } from "../src/data/embedded.js";
import { decodePack } from "../src/data/pack.js";
import flat from "./pack_fixture_2d.json";
import solid from "./pack_fixture_3d.json";

interface Fixture {
  pack: string; // base64 of the zlib stream
  position_quantum: number;
  rotation_error: number;
  frames: {
    step: number;
    time: number;
    alive: number[];
    fields: (number | null)[];
    poses: number[]; // 7 a slot
    velocities: number[]; // 6 a slot
    contacts: { a: number; b: number; shapes: number; key_low: number; key_high: number; flags: number; numbers: number[] }[];
    joints: { serial: number; kind: number; a: number; b: number; gone: boolean; point_a: number[]; point_b: number[] }[];
    events: { kind: number; a: number; b: number; key_low: number; key_high: number; value: number }[];
  }[];
}

const runs: [string, Fixture][] = [
  ["a run in 2D", flat],
  ["a run in 3D", solid],
];

describe.each(runs)("%s", async (_name, fixture) => {
  const pack = decodePack(await inflate(fromBase64(fixture.pack)));

  it("has the manifest and the series", () => {
    expect(pack.manifest.format).toBe(1);
    expect(pack.manifest.frames).toBe(fixture.frames.length);
    expect(pack.manifest.quantum?.position).toBe(fixture.position_quantum);
    expect(Array.from(pack.series.times)).toEqual(fixture.frames.map((f) => f.time));
    expect(Array.from(pack.series.steps)).toEqual(fixture.frames.map((f) => f.step));
    expect(pack.series.columns.length).toBe(pack.manifest.fields.length);
  });

  it("gives back every frame within what the manifest promises", () => {
    fixture.frames.forEach((expected, f) => {
      const frame = pack.frame(f);
      expect(Array.from(frame.alive)).toEqual(expected.alive);
      expected.fields.forEach((value, c) => expect(frame.fields[c]).toBe(value ?? NaN));
      expected.alive.forEach((there, s) => {
        if (!there) return;
        for (let c = 0; c < 3; ++c)
          expect(Math.abs(frame.poses![7 * s + c]! - expected.poses[7 * s + c]!)).toBeLessThan(0.501 * fixture.position_quantum + 1e-6);
        let dot = 0;
        for (let c = 3; c < 7; ++c) dot += frame.poses![7 * s + c]! * expected.poses[7 * s + c]!;
        expect(2 * Math.acos(Math.min(1, Math.abs(dot)))).toBeLessThan(fixture.rotation_error + 1e-3);
        for (let c = 0; c < 6; ++c)
          expect(Math.abs(frame.velocities![6 * s + c]! - expected.velocities[6 * s + c]!)).toBeLessThan(1 / 256);
      });
    });
  });

  it("gives back what became of joints", () => {
    const slot = (n: number): number => (n === 0xffffffff ? -1 : n);
    fixture.frames.forEach((expected, f) => {
      expect(pack.frame(f).joints).toEqual(
        expected.joints.map((j) => ({
          serial: j.serial,
          kind: j.kind,
          a: slot(j.a),
          b: slot(j.b),
          gone: j.gone,
          pointA: j.point_a,
          pointB: j.point_b,
        })),
      );
    });
    expect(pack.frame(11).joints.map(({ serial, gone }) => [serial, gone])).toEqual([
      [0, true],
      [1, false],
      [4, false],
    ]);
  });

  it("gives back contacts and events", () => {
    fixture.frames.forEach((expected, f) => {
      const frame = pack.frame(f);
      expect(frame.contacts).toBe(expected.contacts.length);
      expected.contacts.forEach((c, i) => {
        const at = 24 * i;
        expect(Array.from(frame.contactsU32.subarray(at, at + 6))).toEqual([c.a, c.b, c.shapes, c.key_low, c.key_high, c.flags]);
        c.numbers.forEach((value, k) => {
          const error = Math.abs(frame.contactsF32[at + 6 + k]! - value);
          expect(error, `contact ${i}, number ${k}`).toBeLessThan(k < 6 ? 1e-3 : 3e-4 * Math.abs(value) + 2e-6);
        });
      });
      expect(frame.events.length).toBe(expected.events.length);
      expected.events.forEach((e, i) => {
        const found = frame.events[i]!;
        expect([found.kind, found.a, found.b, found.keyLow, found.keyHigh, found.value]).toEqual([e.kind, e.a, e.b, e.key_low, e.key_high, e.value]);
      });
    });
    expect(pack.series.events.length).toBeGreaterThan(0);
  });
});

describe("damaged packs", async () => {
  const bytes = await inflate(fromBase64(solid.pack));
  it("are refused with a sentence", () => {
    expect(() => decodePack(new Uint8Array(3))).toThrow(/damaged/);
    expect(() => decodePack(bytes.subarray(0, bytes.length - 100))).toThrow(/damaged/);
    const other = bytes.slice();
    other[0] = 0;
    expect(() => decodePack(other)).toThrow(/no run of Touchstone/);
  });
});
