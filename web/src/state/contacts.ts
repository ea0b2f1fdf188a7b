// Numbers of one contact, worked out from its words.
import { At, ContactFlag, type Frame } from "../data/types.js";
import type { Selection } from "./app_state.js";

export interface ContactNumbers {
  index: number;
  a: number;
  b: number;
  shapeA: number;
  shapeB: number;
  keyLow: number;
  keyHigh: number;
  sticking: boolean;
  impact: boolean;
  opens: boolean;
  point: [number, number, number];
  normal: [number, number, number];
  impulse: [number, number, number];
  velocity: [number, number, number];
  gap: number;
  muS: number;
  muD: number;
  restitution: number;
  naturalMap: number;
  impulseNormal: number; // N·s
  impulseTangential: number;
  velocityNormal: number; // m/s
  velocityTangential: number;
}

const three = (f: Float32Array, at: number): [number, number, number] => [f[at]!, f[at + 1]!, f[at + 2]!];

/** Normal and tangential parts of a vector: [along n, length of the rest]. */
export function split(f: Float32Array, at: number, normalAt: number): [number, number] {
  const [x, y, z] = [f[at]!, f[at + 1]!, f[at + 2]!];
  const [nx, ny, nz] = [f[normalAt]!, f[normalAt + 1]!, f[normalAt + 2]!];
  const along = x * nx + y * ny + z * nz;
  return [along, Math.hypot(x - along * nx, y - along * ny, z - along * nz)];
}

export function contactNumbers(frame: Frame, index: number): ContactNumbers {
  const u = frame.contactsU32;
  const f = frame.contactsF32;
  const o = index * At.Words;
  const [impulseNormal, impulseTangential] = split(f, o + At.Impulse, o + At.Normal);
  const [velocityNormal, velocityTangential] = split(f, o + At.Velocity, o + At.Normal);
  return {
    index,
    a: u[o + At.AU]!,
    b: u[o + At.BU]!,
    shapeA: u[o + At.ShapesU]! & 0xffff,
    shapeB: u[o + At.ShapesU]! >>> 16,
    keyLow: u[o + At.KeyLowU]!,
    keyHigh: u[o + At.KeyHighU]!,
    sticking: (u[o + At.FlagsU]! & ContactFlag.Sticking) !== 0,
    impact: (u[o + At.FlagsU]! & ContactFlag.Impact) !== 0,
    opens: (u[o + At.FlagsU]! & ContactFlag.Opens) !== 0,
    point: three(f, o + At.Point),
    normal: three(f, o + At.Normal),
    impulse: three(f, o + At.Impulse),
    velocity: three(f, o + At.Velocity),
    gap: f[o + At.Gap]!,
    muS: f[o + At.MuS]!,
    muD: f[o + At.MuD]!,
    restitution: f[o + At.Restitution]!,
    naturalMap: f[o + At.NaturalMap]!,
    impulseNormal,
    impulseTangential,
    velocityNormal,
    velocityTangential,
  };
}

/** Where the selected contact is in this frame, or −1. */
export function findContact(frame: Frame, selection: Selection): number {
  if (selection.kind !== "contact") return -1;
  const u = frame.contactsU32;
  for (let c = 0; c < frame.contacts; ++c) {
    const o = c * At.Words;
    if (
      u[o + At.KeyLowU] === selection.keyLow &&
      u[o + At.KeyHighU] === selection.keyHigh &&
      u[o + At.AU] === selection.a &&
      u[o + At.BU] === selection.b
    )
      return c;
  }
  return -1;
}

/** Contacts of a body, or between two bodies, in the order of the frame. */
export function contactsOf(frame: Frame, a: number, b = -1): number[] {
  const u = frame.contactsU32;
  const found: number[] = [];
  for (let c = 0; c < frame.contacts; ++c) {
    const ca = u[c * At.Words + At.AU]!;
    const cb = u[c * At.Words + At.BU]!;
    if ((ca === a && (b < 0 || cb === b)) || (cb === a && (b < 0 || ca === b))) found.push(c);
  }
  return found;
}

export type SortKey = "impulse" | "gap" | "residual" | "slip";

/** Indices of the worst contacts first: greatest impulse, deepest gap, greatest residual, fastest slip. */
export function sortContacts(frame: Frame, key: SortKey, ascending: boolean): Uint32Array {
  const f = frame.contactsF32;
  const values = new Float32Array(frame.contacts);
  for (let c = 0; c < frame.contacts; ++c) {
    const o = c * At.Words;
    if (key === "gap") values[c] = -f[o + At.Gap]!;
    else if (key === "residual") values[c] = f[o + At.NaturalMap]!;
    else if (key === "slip") values[c] = split(f, o + At.Velocity, o + At.Normal)[1];
    else values[c] = Math.hypot(f[o + At.Impulse]!, f[o + At.Impulse + 1]!, f[o + At.Impulse + 2]!);
    if (Number.isNaN(values[c]!)) values[c] = -Infinity;
  }
  const order = Uint32Array.from({ length: frame.contacts }, (_, i) => i);
  order.sort((i, j) => (ascending ? values[i]! - values[j]! : values[j]! - values[i]!) || i - j);
  return order;
}
