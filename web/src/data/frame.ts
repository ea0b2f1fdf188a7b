// Frames as bytes: little-endian, every section at a multiple of 8 bytes from the frame's start.
import { At, FrameFlag, type Frame, type FrameEvent, type FrameJoint } from "./types.js";

export const kFrameMagic = 0x31465354; // "TSF1"
export const kHeaderBytes = 64;
const kContactBytes = At.Words * 4;
const kEventBytes = 32;
const kJointBytes = 48;

const padded = (bytes: number): number => (bytes + 7) & ~7;

/** The bytes of the frame that starts at `offset`. Throws a sentence if there is none. */
export function frameBytes(view: DataView, offset: number): number {
  if (view.byteLength - offset < kHeaderBytes) throw new Error("A frame is cut short: its header is missing.");
  if (view.getUint32(offset, true) !== kFrameMagic) throw new Error("These bytes are not a frame of Touchstone.");
  const bytes = view.getUint32(offset + 4, true);
  if (bytes < kHeaderBytes || bytes > view.byteLength - offset) throw new Error("A frame is cut short.");
  return bytes;
}

export function decodeEvent(view: DataView, at: number): FrameEvent {
  return {
    kind: view.getUint32(at, true),
    a: view.getUint32(at + 4, true),
    b: view.getUint32(at + 8, true),
    keyLow: view.getUint32(at + 12, true),
    keyHigh: view.getUint32(at + 16, true),
    value: view.getFloat64(at + 24, true),
  };
}

const kNobody = 0xffffffff;
const slotOf = (n: number): number => (n === kNobody ? -1 : n);

/** Words of a joint: serial, kind, a, b, flags (1: gone), two places. */
export function decodeJoint(word: (index: number) => number, float: (index: number) => number): FrameJoint {
  return {
    serial: word(0),
    kind: word(1),
    a: slotOf(word(2)),
    b: slotOf(word(3)),
    gone: (word(4) & 1) !== 0,
    pointA: [float(5), float(6), float(7)],
    pointB: [float(8), float(9), float(10)],
  };
}

/** Decodes one frame. The arrays are views of `buffer` where its alignment allows, else of a copy. */
export function decodeFrame(buffer: ArrayBuffer, offset = 0): Frame {
  const header = new DataView(buffer);
  const bytes = frameBytes(header, offset);
  let base = offset;
  if (offset % 8 !== 0) {
    buffer = buffer.slice(offset, offset + bytes);
    base = 0;
  }
  const view = new DataView(buffer, base, bytes);
  const count = (at: number): number => view.getUint32(at, true);
  const [slots, contacts, fields, events, flags] = [count(24), count(28), count(32), count(36), count(40)];
  const joints = count(48);
  let at = kHeaderBytes;
  const take = (size: number): number => {
    const start = base + at;
    at += padded(size);
    if (at > padded(bytes)) throw new Error("A frame is damaged: it holds more than its length says.");
    return start;
  };
  const values = new Float64Array(buffer, take(fields * 8), fields);
  const poses = flags & FrameFlag.Poses ? new Float32Array(buffer, take(slots * 28), slots * 7) : null;
  const velocities = flags & FrameFlag.Velocities ? new Float32Array(buffer, take(slots * 24), slots * 6) : null;
  const alive = new Uint8Array(buffer, take(slots), slots);
  const contactsAt = take(contacts * kContactBytes);
  const eventsAt = take(events * kEventBytes) - base;
  const list: FrameEvent[] = [];
  for (let i = 0; i < events; ++i) list.push(decodeEvent(view, eventsAt + i * kEventBytes));
  const jointsAt = take(joints * kJointBytes) - base;
  const held: FrameJoint[] = [];
  for (let i = 0; i < joints; ++i) {
    const start = jointsAt + i * kJointBytes;
    held.push(decodeJoint((w) => count(start + 4 * w), (w) => view.getFloat32(start + 4 * w, true)));
  }
  return {
    step: Number(view.getBigUint64(8, true)),
    time: view.getFloat64(16, true),
    slots,
    flags,
    fields: values,
    poses,
    velocities,
    alive,
    contacts,
    contactsTotal: Math.max(count(44), contacts),
    contactsU32: new Uint32Array(buffer, contactsAt, contacts * At.Words),
    contactsF32: new Float32Array(buffer, contactsAt, contacts * At.Words),
    events: list,
    joints: held,
  };
}

/** Frames one after the other, as the server sends them. */
export function decodeFrames(buffer: ArrayBuffer): Frame[] {
  const view = new DataView(buffer);
  const frames: Frame[] = [];
  for (let at = 0; at < buffer.byteLength; at += frameBytes(view, at)) frames.push(decodeFrame(buffer, at));
  return frames;
}
