// The ranges of a plot's axes. Ticks are found by adding a part of the range to its start: a range that is narrower than the
// rounding of its ends would never be left.

const kNarrowest = 1e-9; // of the greatest magnitude

const magnitude = (low: number, high: number): number => Math.max(Math.abs(low), Math.abs(high));
const isNarrow = (low: number, high: number): boolean => !(high - low > kNarrowest * magnitude(low, high));

/** With some room above and below; what hardly changes is shown as constant. */
export function valueRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  const pad = isNarrow(low, high) ? 0.1 * magnitude(low, high) || 1 : 0.06 * (high - low);
  return [low >= 0 && low - pad < 0 ? 0 : low - pad, high + pad];
}

/** From the first to the last time. */
export function timeRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null) return [0, 1];
  return isNarrow(low, high) ? [low, low + (1e-3 * Math.abs(low) || 1)] : [low, high];
}
