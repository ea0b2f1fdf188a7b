// Contacts, events and joints in a pack. docs/viewer.md has the format.
import { decodeJoint } from "./frame.js";
import { unzigzag, type Reader } from "./pack_reader.js";
import type { FrameJoint, RunEvent } from "./types.js";

const kContactColumns = 19;

const floatWord = new Uint32Array(1);
const floatValue = new Float32Array(floatWord.buffer);
/** A float in 20 bits (src/io/replay/pack_bytes.h). */
export function shortFloat(n: number): number {
  floatWord[0] = n < 0 ? ((-n << 12) | 0x80000000) >>> 0 : (n << 12) >>> 0;
  return floatValue[0]!;
}

/** What all frames have of contacts, as columns. */
export interface Contacts {
  first: Uint32Array; // a frame's first contact, and one more
  keyLow: Uint32Array;
  keyHigh: Uint32Array;
  columns: Int32Array[]; // a b shapes flags law, point, normal, impulse, velocity, gap, natural map
  laws: Float32Array; // three numbers each
  quantum: number;
}

export function readContacts(reader: Reader, frames: number): Contacts {
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

export function readEvents(reader: Reader, frames: number): RunEvent[] {
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

const kJointWords = 11;

/** Joints by frame. */
export function readJoints(reader: Reader, frames: number): FrameJoint[][] {
  const counts = reader.wordPlanes(frames);
  let total = 0;
  for (const count of counts) total += count;
  const columns: Uint32Array[] = [];
  for (let c = 0; c < kJointWords; ++c) columns.push(reader.wordPlanes(total));
  const floats = columns.map((column) => new Float32Array(column.buffer));
  const out: FrameJoint[][] = [];
  let at = 0;
  for (const count of counts) {
    const list: FrameJoint[] = [];
    for (let i = 0; i < count; ++i, ++at) list.push(decodeJoint((w) => columns[w]![at]!, (w) => floats[w]![at]!));
    out.push(list);
  }
  return out;
}
