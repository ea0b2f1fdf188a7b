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

const kLeastOfLog = 1e-300; // powers of ten below this are not numbers any more

/** A logarithmic axis from decade to decade. */
export function logRange(low: number | null, high: number | null): [number, number] {
  if (low === null || high === null || !(high > 0)) return [0.1, 1];
  const first = Math.floor(Math.log10(Math.max(low, kLeastOfLog)));
  const last = Math.ceil(Math.log10(Math.max(high, kLeastOfLog)));
  return [power(first), power(Math.max(last, first + 1))];
}

/** The decades of a range, at most `most` of them. They are counted by exponents: sums of small increments may round so
 * that they never reach the end of the range. */
export function decadesIn(low: number, high: number, most: number): number[] {
  const first = Math.ceil(Math.log10(low) - 1e-6);
  const last = Math.floor(Math.log10(high) + 1e-6);
  const step = Math.max(1, Math.ceil((last - first + 1) / most));
  const decades: number[] = [];
  for (let e = Math.ceil(first / step) * step; e <= last; e += step) decades.push(power(e));
  return decades;
}

const power = (exponent: number): number => Number(`1e${exponent}`);
