// Runs inside HTML files, in few bytes: what src/io/replay/pack.cpp writes, after inflating. docs/viewer.md has the format.
// A pack is a manifest and sections of columns; numbers are whole, predicted from earlier ones, and stand as byte planes.
import { readContacts, readEvents, readJoints, shortFloat, type Contacts } from "./pack_contacts.js";
import { readSeries, readTurns } from "./pack_motion.js";
import { damaged, Reader } from "./pack_reader.js";
import type { Pack, Series } from "./source.js";
import type { Frame, FrameEvent, FrameJoint, Manifest } from "./types.js";

const kMagic = 0x31505354; // "TSP1"
const kWords = 24; // 32-bit words of a contact
const kNormalQuantum = 1 / 16384;

/** The manifest, and sections by their tags. */
function split(bytes: Uint8Array): { manifest: Manifest; sections: Map<string, Reader> } {
  const whole = new Reader(bytes);
  if (bytes.length < 8 || whole.word() !== kMagic) throw damaged("they are no run of Touchstone");
  const manifest = JSON.parse(new TextDecoder().decode(whole.bytesOf(whole.word()))) as Manifest;
  const sections = new Map<string, Reader>();
  while (!whole.done) {
    const tag = String.fromCharCode(...whole.bytesOf(4));
    sections.set(tag, new Reader(whole.bytesOf(whole.word())));
  }
  return { manifest, sections };
}

class DecodedPack implements Pack {
  readonly manifest: Manifest;
  readonly series: Series;
  private readonly flags: Uint32Array;
  private readonly slots: Uint32Array;
  private readonly contactsTotal: Uint32Array;
  private readonly most: number; // slots of any frame
  private readonly alive: Uint8Array;
  private readonly dimension: number;
  private positions: Int32Array | null = null;
  private positionQuantum = 0;
  private turns: Int16Array | null = null; // 3D
  private angles: Int32Array | null = null; // 2D
  private angleQuantum = 0;
  private velocities: Int32Array | null = null;
  private velocityQuanta = [0, 0];
  private readonly contacts: Contacts | null;
  private readonly eventsAt: Uint32Array;
  private readonly joints: FrameJoint[][] | null;

  constructor(bytes: Uint8Array) {
    const { manifest, sections } = split(bytes);
    const section = (tag: string): Reader => {
      const found = sections.get(tag);
      if (!found) throw damaged(`section ${tag} is missing`);
      return found;
    };
    this.manifest = manifest;
    this.dimension = manifest.dimension;
    const frames = manifest.frames;
    const time = section("TIME");
    const times = time.numbers(frames);
    const steps = time.numbers(frames);
    this.flags = time.words(frames);
    this.slots = time.words(frames);
    this.contactsTotal = time.words(frames);
    this.most = this.slots.reduce((a, b) => Math.max(a, b), 0);
    this.alive = section("ALIV").bytesOf(this.most * frames);
    const report = section("REPT");
    const fields = report.word();
    const numbers = report.numberPlanes(fields * frames);
    const columns: Float64Array[] = [];
    for (let c = 0; c < fields; ++c) columns.push(numbers.subarray(c * frames, (c + 1) * frames));
    this.readMotion(sections, frames);
    const events = readEvents(section("EVNT"), frames);
    this.eventsAt = new Uint32Array(frames + 1);
    for (const event of events) ++this.eventsAt[event.frame + 1]!;
    for (let f = 0; f < frames; ++f) this.eventsAt[f + 1]! += this.eventsAt[f]!;
    const contacts = sections.get("CONT");
    this.contacts = contacts ? readContacts(contacts, frames) : null;
    const joints = sections.get("JNTS");
    this.joints = joints ? readJoints(joints, frames) : null;
    this.series = { frames, times, steps, columns, events };
  }

  private readMotion(sections: Map<string, Reader>, frames: number): void {
    const positions = sections.get("POSN");
    const rotations = sections.get("ROTN");
    if (positions && rotations) {
      this.positionQuantum = positions.number();
      this.positions = readSeries(positions, this.most * this.dimension, frames);
      if (this.dimension === 2) {
        this.angleQuantum = rotations.number();
        this.angles = readSeries(rotations, this.most, frames);
      } else {
        this.turns = readTurns(rotations, this.most, frames);
      }
    }
    const velocities = sections.get("VELO");
    if (velocities) {
      this.velocityQuanta = [velocities.number(), velocities.number()];
      this.velocities = readSeries(velocities, this.most * (this.dimension === 2 ? 3 : 6), frames);
    }
  }

  private posesOf(f: number, slots: number): Float32Array | null {
    if (!this.positions) return null;
    const frames = this.series.frames;
    const out = new Float32Array(7 * slots);
    for (let s = 0; s < slots; ++s) {
      for (let c = 0; c < this.dimension; ++c)
        out[7 * s + c] = this.positions[(s * this.dimension + c) * frames + f]! * this.positionQuantum;
      if (this.angles) {
        const half = 0.5 * this.angles[s * frames + f]! * this.angleQuantum;
        out[7 * s + 3] = Math.cos(half);
        out[7 * s + 6] = Math.sin(half);
      } else {
        const q = this.turns!.subarray((s * frames + f) * 4, (s * frames + f) * 4 + 4);
        const size = Math.hypot(q[0]!, q[1]!, q[2]!, q[3]!) || 1;
        for (let c = 0; c < 4; ++c) out[7 * s + 3 + c] = q[c]! / size;
      }
    }
    return out;
  }

  private velocitiesOf(f: number, slots: number): Float32Array | null {
    if (!this.velocities) return null;
    const frames = this.series.frames;
    const places = this.dimension === 2 ? [0, 1, 5] : [0, 1, 2, 3, 4, 5];
    const out = new Float32Array(6 * slots);
    for (let s = 0; s < slots; ++s)
      places.forEach((place, c) => {
        const count = this.velocities![(s * places.length + c) * frames + f]!;
        out[6 * s + place] = count * this.velocityQuanta[place < 3 ? 0 : 1]!;
      });
    return out;
  }

  private contactsOf(f: number, alive: Uint8Array): { u32: Uint32Array; f32: Float32Array } {
    const c = this.contacts;
    const start = c ? c.first[f]! : 0;
    const count = c ? c.first[f + 1]! - start : 0;
    const u32 = new Uint32Array(count * kWords);
    const f32 = new Float32Array(u32.buffer);
    if (!c) return { u32, f32 };
    for (let i = 0; i < count; ++i) {
      const at = i * kWords;
      const n = (column: number): number => c.columns[column]![start + i]!;
      u32[at] = n(0);
      u32[at + 1] = n(1);
      u32[at + 2] = n(2);
      u32[at + 3] = c.keyLow[start + i]!;
      u32[at + 4] = c.keyHigh[start + i]!;
      u32[at + 5] = n(3);
      const b = u32[at + 1]!;
      for (let k = 0; k < 3; ++k) {
        const moving = this.positions !== null && alive[b] === 1 && k < this.dimension;
        const origin = moving ? this.positions![(b * this.dimension + k) * this.series.frames + f]! : 0;
        f32[at + 6 + k] = ((origin + n(5 + k)) | 0) * c.quantum;
        f32[at + 9 + k] = n(8 + k) * kNormalQuantum;
        f32[at + 12 + k] = shortFloat(n(11 + k));
        f32[at + 15 + k] = shortFloat(n(14 + k));
        f32[at + 19 + k] = c.laws[3 * n(4) + k]!;
      }
      f32[at + 18] = shortFloat(n(17));
      f32[at + 22] = shortFloat(n(18));
    }
    return { u32, f32 };
  }

  frame(index: number): Frame {
    const frames = this.series.frames;
    const f = Math.max(0, Math.min(frames - 1, Math.trunc(index)));
    const slots = this.slots[f]!;
    const alive = new Uint8Array(slots);
    for (let s = 0; s < slots; ++s) alive[s] = this.alive[s * frames + f]!;
    const { u32, f32 } = this.contactsOf(f, alive);
    const fields = new Float64Array(this.series.columns.length);
    this.series.columns.forEach((column, c) => (fields[c] = column[f]!));
    const events: FrameEvent[] = this.series.events.slice(this.eventsAt[f], this.eventsAt[f + 1]);
    const poses = this.posesOf(f, slots);
    const velocities = this.velocitiesOf(f, slots);
    return {
      step: this.series.steps[f]!,
      time: this.series.times[f]!,
      slots,
      flags: (this.flags[f]! & ~7) | (poses ? 1 : 0) | (velocities ? 2 : 0) | (this.contacts ? 4 : 0),
      fields,
      poses,
      velocities,
      alive,
      contacts: u32.length / kWords,
      contactsTotal: Math.max(this.contactsTotal[f]!, u32.length / kWords),
      contactsU32: u32,
      contactsF32: f32,
      events,
      joints: this.joints?.[f] ?? [],
    };
  }
}

/** `bytes`: the pack after inflating. Throws an Error with a sentence if they are damaged. */
export function decodePack(bytes: Uint8Array): Pack {
  return new DecodedPack(bytes);
}
