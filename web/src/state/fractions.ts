// Numbers as `stable --json` prints them: a number, or with --exact a fraction "981/200"; null where there is no limit.
import { number } from "./units.js";

export type Exact = number | string | null;

const kDigits = 17n; // more than a double has
const kLongest = 13; // characters; for longer fractions a table has the number

/** The double nearest to it (to a few units in the last place); null is infinite. */
export function fractionValue(value: Exact): number {
  if (value === null) return Infinity;
  if (typeof value === "number") return value;
  const [top, bottom = "1"] = value.split("/");
  const [n, d] = [BigInt(top!), BigInt(bottom)];
  if (d === 0n) return NaN;
  const size = (x: bigint): number => x.toString().replace("-", "").length;
  // As many digits of the quotient as a double has, whatever the length of the two.
  const shift = BigInt(size(d) - size(n)) + kDigits;
  const quotient = shift >= 0n ? (n * 10n ** shift) / d : n / (d * 10n ** -shift);
  return Number(`${quotient}e${-shift}`);
}

/** For a cell of a table: the fraction if it is short, otherwise the number. */
export function exactText(value: Exact | undefined, digits = 4): string {
  if (value === undefined) return "–";
  if (value === null) return "no limit";
  if (typeof value === "string" && value.length <= kLongest) return value.replace("-", "−");
  return number(tidy(fractionValue(value)), digits);
}

/** Rounding of a solver is not shown as a number. */
export const tidy = (x: number): number => (Math.abs(x) < 1e-12 ? 0 : x);
