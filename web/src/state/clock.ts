// The one clock of all runs. A run shows its last frame that is not after the clock.
import type { Run, Series } from "../data/source.js";
import type { RunEvent } from "../data/types.js";

const kSlack = 1e-9; // s: rounding of times, far below any step

/** Index of the last frame whose time is not after `time`; 0 if there is none. */
export function frameAt(series: Series, time: number): number {
  const times = series.times;
  let low = 0;
  let high = series.frames - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= time + kSlack) low = middle;
    else high = middle - 1;
  }
  return Math.max(0, low);
}

/** How far the clock is from frame `index` to the next one, 0…1. */
export function fraction(series: Series, index: number, time: number): number {
  const here = series.times[index];
  const next = series.times[index + 1];
  if (here === undefined || next === undefined || next <= here) return 0;
  const part = (time - here) / (next - here);
  return part < 1e-6 ? 0 : Math.min(1, part);
}

/** The run whose frames the timeline counts: the one that lasts longest. */
export function clockRun(runs: readonly Run[]): number {
  let best = 0;
  runs.forEach((run, i) => {
    if (endTime(run.series) > endTime(runs[best]!.series) + kSlack) best = i;
  });
  return best;
}

export const endTime = (series: Series): number => (series.frames > 0 ? series.times[series.frames - 1]! : 0);
export const startTime = (series: Series): number => (series.frames > 0 ? series.times[0]! : 0);

/** The clock after `seconds` of real time. At the end it stops, or begins anew. */
export function advance(
  time: number,
  seconds: number,
  speed: number,
  series: Series,
  loop: boolean,
): { time: number; ended: boolean } {
  const start = startTime(series);
  const end = endTime(series);
  const next = time + seconds * speed;
  if (next < end) return { time: next, ended: false };
  if (!loop || end <= start) return { time: end, ended: true };
  return { time: start + ((next - start) % (end - start)), ended: false };
}

/** Does an event count as `kind`? −1 is any; a stick→slip jump takes slip→stick, too, only if that is asked for. */
const isKind = (event: RunEvent, kind: number): boolean => kind < 0 || event.kind === kind;

/** The frame of the nearest event of a kind before (direction −1) or after (+1) frame `from`, or null. */
export function eventFrame(events: readonly RunEvent[], from: number, direction: 1 | -1, kind: number): number | null {
  let best: number | null = null;
  for (const event of events) {
    if (!isKind(event, kind) || (event.frame - from) * direction <= 0) continue;
    if (best === null || (event.frame - best) * direction < 0) best = event.frame;
  }
  return best;
}

export const kSpeeds = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10];

/** The nearest of these speeds. */
export const speedFor = (wanted: number): number =>
  kSpeeds.reduce((best, each) =>
    Math.abs(Math.log(each / wanted)) < Math.abs(Math.log(best / wanted)) ? each : best,
  );

export function nextSpeed(speed: number, direction: 1 | -1): number {
  const faster = kSpeeds.find((s) => s > speed * 1.001);
  const slower = [...kSpeeds].reverse().find((s) => s < speed * 0.999);
  return (direction > 0 ? faster : slower) ?? speed;
}
