import { describe, expect, it } from "vitest";
// @ts-expect-error plain JavaScript, also used by the browser tests
import { makeRun, seriesBytes } from "../e2e/synthetic.mjs";
import { decodeFrame, decodeFrames } from "../src/data/frame.js";
import { checkManifest } from "../src/data/manifest.js";
import { decodeSeries } from "../src/data/served.js";
import { At } from "../src/data/types.js";

const run = makeRun({ bodies: 5, frames: 8 }) as { manifest: never; frames: ArrayBuffer[] };

describe("frames", () => {
  it("have every section where the format says", () => {
    const frame = decodeFrame(run.frames[5]!);
    expect(frame.step).toBe(80);
    expect(frame.time).toBeCloseTo(0.08, 12);
    expect(frame.slots).toBe(6);
    expect(frame.fields[1]).toBeCloseTo(0.08, 12);
    expect([...frame.poses!.subarray(0, 7)]).toEqual([0, 0, 0, 1, 0, 0, 0]);
    expect(frame.velocities![3 * 6]).toBeCloseTo(0.3, 6);
    expect([...frame.alive]).toEqual([1, 1, 1, 1, 1, 1]);
    expect(frame.contacts).toBe(5);
    expect(frame.contactsU32[2 * At.Words + At.BU]).toBe(3);
    expect(frame.contactsF32[2 * At.Words + At.Gap]).toBeCloseTo(-2e-5, 10);
    expect(frame.contactsF32[2 * At.Words + At.NaturalMap]).toBeCloseTo(2e-6, 10);
    expect(frame.events).toEqual([{ kind: 0, a: 1, b: 2, keyLow: 1, keyHigh: 7, value: 0.5 }]);
  });

  it("are found one after the other, also where they are not aligned", () => {
    const bytes = new Uint8Array(run.frames.reduce((sum, frame) => sum + frame.byteLength, 0));
    let at = 0;
    for (const frame of run.frames) {
      bytes.set(new Uint8Array(frame), at);
      at += frame.byteLength;
    }
    expect(decodeFrames(bytes.buffer).map(({ step }) => step)).toEqual([0, 16, 32, 48, 64, 80, 96, 112]);
    const shifted = new Uint8Array(run.frames[1]!.byteLength + 4);
    shifted.set(new Uint8Array(run.frames[1]!), 4);
    expect(decodeFrame(shifted.buffer, 4).poses).toEqual(decodeFrame(run.frames[1]!).poses);
  });

  it("tell what became of joints", () => {
    const plain = run.frames[2]!;
    const longer = new Uint8Array(plain.byteLength + 96);
    longer.set(new Uint8Array(plain));
    const view = new DataView(longer.buffer);
    view.setUint32(4, longer.byteLength, true);
    view.setUint32(48, 2, true);
    view.setUint32(plain.byteLength + 16, 1, true); // joint 0 is gone
    const at = plain.byteLength + 48;
    [7, 6, 1, 0xffffffff, 0].forEach((word, k) => view.setUint32(at + 4 * k, word, true));
    [1, 2, 0, 3, 4, 0.5].forEach((x, k) => view.setFloat32(at + 20 + 4 * k, x, true));
    expect(decodeFrame(plain).joints).toEqual([]);
    const [gone, made] = decodeFrame(longer.buffer).joints;
    expect(gone).toMatchObject({ serial: 0, gone: true });
    expect(made).toEqual({ serial: 7, kind: 6, a: 1, b: -1, gone: false, pointA: [1, 2, 0], pointB: [3, 4, 0.5] });
    view.setUint32(48, 3, true);
    expect(() => decodeFrame(longer.buffer)).toThrow("damaged");
  });

  it("that are damaged give a sentence", () => {
    expect(() => decodeFrame(run.frames[0]!.slice(0, 40))).toThrow("header is missing");
    expect(() => decodeFrame(run.frames[0]!.slice(0, 200))).toThrow("cut short");
    const other = run.frames[0]!.slice(0);
    new DataView(other).setUint32(0, 7, true);
    expect(() => decodeFrame(other)).toThrow("not a frame");
    const lies = run.frames[0]!.slice(0);
    new DataView(lies).setUint32(28, 1e6, true);
    expect(() => decodeFrame(lies)).toThrow("damaged");
  });
});

describe("series", () => {
  it("are columns, with the events of all frames", () => {
    const series = decodeSeries(seriesBytes(run) as ArrayBuffer, run.manifest);
    expect(series.frames).toBe(8);
    expect(series.steps[3]).toBe(48);
    expect(series.columns[8]![0]).toBe(5);
    expect(series.events).toHaveLength(1);
    expect(series.events[0]).toMatchObject({ frame: 5, a: 1, b: 2, value: 0.5 });
    expect(() => decodeSeries((seriesBytes(run) as ArrayBuffer).slice(0, 100), run.manifest)).toThrow("damaged");
  });
});

describe("manifests", () => {
  it("of another format or with holes are refused with a sentence", () => {
    expect(() => checkManifest(null)).toThrow("damaged");
    expect(() => checkManifest({ format: 2 })).toThrow("format 2");
    expect(() => checkManifest({ format: 1, bodies: [] })).toThrow("geometries");
    const broken = {
      format: 1,
      geometries: [],
      materials: [],
      fields: [],
      bodies: [{ name: "b", shapes: [{ geometry: 3 }] }],
    };
    expect(() => checkManifest(broken)).toThrow('"b"');
  });
});
