// Scales that fit a run: a usual contact force, a usual penetration. Nine tenths of the contacts are below.
import { At, type Frame } from "../data/types.js";

const kPart = 0.9;

function usual(values: number[]): number {
  values.sort((a, b) => a - b);
  return values[Math.min(values.length - 1, Math.floor(kPart * values.length))] ?? 0;
}

export function forceReference(frames: readonly Frame[], stepSize: number): number {
  const forces: number[] = [];
  for (const { contacts, contactsF32: f } of frames) {
    for (let c = 0; c < contacts; ++c) {
      const i = c * At.Words + At.Impulse;
      const size = Math.hypot(f[i]!, f[i + 1]!, f[i + 2]!) / stepSize;
      if (size > 0 && Number.isFinite(size)) forces.push(size);
    }
  }
  return usual(forces);
}

export function gapReference(frames: readonly Frame[]): number {
  const depths: number[] = [];
  for (const { contacts, contactsF32: f } of frames)
    for (let c = 0; c < contacts; ++c) if (f[c * At.Words + At.Gap]! < 0) depths.push(-f[c * At.Words + At.Gap]!);
  return usual(depths);
}
