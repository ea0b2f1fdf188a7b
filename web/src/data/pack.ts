// Runs inside HTML files, in few bytes: what src/io/replay/pack.cpp writes, after inflating. docs/viewer.md has the format.
// A pack is a manifest and sections of columns; numbers are whole, predicted from earlier ones, and stand as byte planes.
import type { Pack, Series } from "./source.js";
import type { Frame, FrameEvent, Manifest, RunEvent } from "./types.js";

const kMagic = 0x31505354; // "TSP1"
const kWords = 24; // 32-bit words of a contact
const kContactColumns = 19;
const kNormalQuantum = 1 / 16384;

const damaged = (what: string): Error => new Error(`The data of this run are damaged: ${what}. Export the recording again.`);

/** Reads one section from its start to its end. */
class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private take(size: number): number {
    const start = this.at;
    this.at += size;
    if (this.at > this.bytes.length) throw damaged("a section is too short");
    return start;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  word(): number {
    return this.view.getUint32(this.take(4), true);
  }

  number(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  float(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  bytesOf(count: number): Uint8Array {
    const start = this.take(count);
    return this.bytes.subarray(start, start + count);
  }

  numbers(count: number): Float64Array {
    const out = new Float64Array(count);
    const start = this.take(8 * count);
    for (let i = 0; i < count; ++i) out[i] = this.view.getFloat64(start + 8 * i, true);
    return out;
  }

  words(count: number): Uint32Array {
    const out = new Uint32Array(count);
    const start = this.take(4 * count);
    for (let i = 0; i < count; ++i) out[i] = this.view.getUint32(start + 4 * i, true);
    return out;
  }

  /** 32-bit numbers: all lowest bytes, then all second ones, ... */
  wordPlanes(count: number): Uint32Array {
    const start = this.take(4 * count);
    const b = this.bytes;
    const out = new Uint32Array(count);
    for (let i = 0, p = start; i < count; ++i, ++p)
      out[i] = b[p]! | (b[p + count]! << 8) | (b[p + 2 * count]! << 16) | (b[p + 3 * count]! << 24);
    return out;
  }

  /** 64-bit floats the same way. */
  numberPlanes(count: number): Float64Array {
    const start = this.take(8 * count);
    const raw = new Uint8Array(8 * count);
    for (let k = 0; k < 8; ++k)
      for (let i = 0; i < count; ++i) raw[8 * i + k] = this.bytes[start + k * count + i]!;
    const view = new DataView(raw.buffer);
    const out = new Float64Array(count);
    for (let i = 0; i < count; ++i) out[i] = view.getFloat64(8 * i, true);
    return out;
  }
}

const unzigzag = (n: number): number => (n >>> 1) ^ -(n & 1);

/** `columns` series over all frames, each with a byte that says how it is predicted; in place of the residuals. */
function readSeries(reader: Reader, columns: number, frames: number): Int32Array {
  const orders = reader.bytesOf(columns);
  const out = new Int32Array(reader.wordPlanes(columns * frames).buffer);
  for (let c = 0, at = 0; c < columns; ++c) {
    let before = 0;
    let earlier = 0;
    for (let f = 0; f < frames; ++f, ++at) {
      const guess = orders[c] ? (2 * before - earlier) | 0 : before;
      const value = (guess + unzigzag(out[at]!)) | 0;
      out[at] = value;
      earlier = before;
      before = value;
    }
  }
  return out;
}

/** Quaternions w x y z of every slot and frame: three components each, the fourth follows from them. */
function readTurns(reader: Reader, slots: number, frames: number): Int16Array {
  const scale = Math.round(1 / reader.number());
  const orders = reader.bytesOf(slots);
  const choices = reader.bytesOf(slots * frames);
  const residuals = reader.wordPlanes(slots * frames * 3);
  const out = new Int16Array(slots * frames * 4);
  for (let slot = 0; slot < slots; ++slot) {
    let p1 = [scale, 0, 0, 0];
    let p2 = [scale, 0, 0, 0];
    for (let f = 0; f < frames; ++f) {
      let expected = 0;
      for (let i = 1; i < 4; ++i) if (Math.abs(p1[i]!) > Math.abs(p1[expected]!)) expected = i;
      if (p1[expected]! < 0) p1 = p1.map((c) => -c);
      if (p1[0]! * p2[0]! + p1[1]! * p2[1]! + p1[2]! * p2[2]! + p1[3]! * p2[3]! < 0) p2 = p2.map((c) => -c);
      const dropped = (expected + choices[slot * frames + f]!) & 3;
      const q = [0, 0, 0, 0];
      let rest = scale * scale;
      for (let i = 0, k = 0; i < 4; ++i) {
        if (i === dropped) continue;
        const guess = orders[slot] ? 2 * p1[i]! - p2[i]! : p1[i]!;
        const value = guess + unzigzag(residuals[(slot * 3 + k++) * frames + f]!);
        q[i] = value;
        rest -= value * value;
      }
      q[dropped] = Math.round(Math.sqrt(Math.max(rest, 0)));
      out.set(q, (slot * frames + f) * 4);
      p2 = p1;
      p1 = q;
    }
  }
  return out;
}

const floatWord = new Uint32Array(1);
const floatValue = new Float32Array(floatWord.buffer);
/** A float in 20 bits (src/io/replay/pack_bytes.h). */
function shortFloat(n: number): number {
  floatWord[0] = n < 0 ? ((-n << 12) | 0x80000000) >>> 0 : (n << 12) >>> 0;
  return floatValue[0]!;
}

/** What all frames have of contacts, as columns. */
interface Contacts {
  first: Uint32Array; // a frame's first contact, and one more
  keyLow: Uint32Array;
  keyHigh: Uint32Array;
  columns: Int32Array[]; // a b shapes flags law, point, normal, impulse, velocity, gap, natural map
  laws: Float32Array; // three numbers each
  quantum: number;
}

function readContacts(reader: Reader, frames: number): Contacts {
  const laws = new Float32Array(3 * reader.word());
  for (let i = 0; i < laws.length; ++i) laws[i] = reader.float();
  const quantum = reader.number();
  const counts = reader.wordPlanes(frames);
  const first = new Uint32Array(frames + 1);
  for (let f = 0; f < frames; ++f) first[f + 1] = first[f]! + counts[f]!;
  const total = first[frames]!;
  const keyLow = reader.wordPlanes(total);
  const keyHigh = reader.wordPlanes(total);
  const columns: Int32Array[] = [];
  for (let c = 0; c < kContactColumns; ++c) columns.push(new Int32Array(reader.wordPlanes(total).buffer));
  const guesses = new Int32Array(total); // which contact a contact is predicted from; −1: none
  for (let f = 0; f < frames; ++f) {
    const start = first[f]!;
    const stop = first[f + 1]!;
    let k = f > 0 ? first[f - 1]! : 0;
    const end = f > 0 ? start : 0;
    for (let i = start; i < stop; ++i) {
      const low = i > start ? keyLow[i - 1]! : 0;
      const high = i > start ? keyHigh[i - 1]! : 0;
      keyLow[i] = low + unzigzag(keyLow[i]!);
      keyHigh[i] = high + unzigzag(keyHigh[i]!);
      const isLess = (j: number): boolean =>
        keyHigh[j]! < keyHigh[i]! || (keyHigh[j] === keyHigh[i] && keyLow[j]! < keyLow[i]!);
      while (k < end && isLess(k)) ++k;
      const match = k < end && keyLow[k] === keyLow[i] && keyHigh[k] === keyHigh[i];
      guesses[i] = match ? k : i > start ? i - 1 : -1;
    }
  }
  for (const column of columns)
    for (let i = 0; i < total; ++i) {
      const from = guesses[i]!;
      column[i] = ((from < 0 ? 0 : column[from]!) + unzigzag(column[i]!)) | 0;
    }
  return { first, keyLow, keyHigh, columns, laws, quantum };
}

function readEvents(reader: Reader, frames: number): RunEvent[] {
  const counts = reader.wordPlanes(frames);
  let total = 0;
  for (const count of counts) total += count;
  const columns: Uint32Array[] = [];
  for (let c = 0; c < 5; ++c) {
    const column = reader.wordPlanes(total);
    for (let i = 0; i < total; ++i) column[i] = (i > 0 ? column[i - 1]! : 0) + unzigzag(column[i]!);
    columns.push(column);
  }
  const values = reader.numberPlanes(total);
  const events: RunEvent[] = [];
  for (let f = 0, i = 0; f < frames; ++f)
    for (let k = 0; k < counts[f]!; ++k, ++i)
      events.push({
        frame: f,
        kind: columns[0]![i]!,
        a: columns[1]![i]!,
        b: columns[2]![i]!,
        keyLow: columns[3]![i]!,
        keyHigh: columns[4]![i]!,
        value: values[i]!,
      });
  return events;
}

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
    };
  }
}

/** `bytes`: the pack after inflating. Throws an Error with a sentence if they are damaged. */
export function decodePack(bytes: Uint8Array): Pack {
  return new DecodedPack(bytes);
}
