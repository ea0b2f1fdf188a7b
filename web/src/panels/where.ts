// From a number of the report to the moment and the bodies it comes from.
import type { Run } from "../data/source.js";
import type { Manifest } from "../data/types.js";
import { clock } from "../state/units.js";
import type { Context } from "./context.js";

const kSlack = 1e-9; // s: rounding of times, far below any step

const kRounded = 5e-4; // s: reports may give times to a millisecond

export interface Place {
  time: number;
  body_a: string;
  body_b: string;
  step?: number;
}

/** The first frame that is not before a moment: frames hold the worst since the frame before. */
export function frameNotBefore(run: Run, time: number): number {
  const { times, frames } = run.series;
  for (let i = 0; i < frames; ++i) if (times[i]! >= time - kSlack) return i;
  return Math.max(0, frames - 1);
}

const slotOf = (manifest: Manifest, name: string): number =>
  name === "" ? -1 : manifest.bodies.findIndex((body) => body.name === name);

/** Stops there, selects the two bodies (or the one) and flies to them. */
export function goTo(context: Context, run: number, place: Place): void {
  const source = context.runs[run]!;
  context.store.set({ playing: false, activeRun: run });
  context.seekFrame(frameNotBefore(source, place.time), source);
  const [a, b] = [slotOf(source.manifest, place.body_a), slotOf(source.manifest, place.body_b)];
  if (a >= 0 || b >= 0) context.selectPair(run, a, b, true);
  const shown = context.frame(source)?.time ?? place.time;
  if (shown > place.time + kRounded)
    context.store.set({
      note: `The number is of t = ${clock(place.time, source.manifest.step_size)}, between two recorded frames; this is the one after it.`,
    });
  document.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
}
