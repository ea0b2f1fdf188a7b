// Numbers for people: SI prefixes where a unit takes them, a fixed count of digits, and a dash for what is not known.

const kPrefixes: [number, string][] = [
  [1e12, "T"],
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
  [1e-12, "p"],
];
const kTakesPrefix = new Set(["m", "s", "N", "J", "N·s", "m/s", "W", "Pa", "N·m", "N·m·s"]);
const kNothing = "–";

/** Four digits that count, exponents only where they are needed. */
export function number(value: number | null | undefined, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return kNothing;
  if (!Number.isFinite(value)) return value > 0 ? "∞" : "−∞";
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (Number.isInteger(value) && size < 1e6) return sign(String(value));
  if (size < 1e-3 || size >= 1e6) {
    const [mantissa, exponent] = value.toExponential(digits - 1).split("e");
    return `${sign(mantissa!)}e${Number(exponent)}`.replace("e-", "e−");
  }
  return sign(value.toPrecision(digits).replace(/e\+?(\d+)$/, "e$1"));
}

const sign = (text: string): string => text.replace("-", "−");

/** A value with its unit, e.g. 51.5 µm. Kilograms go to grams, other units keep theirs if no prefix is usual. */
export function quantity(value: number | null | undefined, unit: string, digits = 4): string {
  if (value === null || value === undefined || Number.isNaN(value)) return kNothing;
  if (unit === "kg" && value !== 0 && Math.abs(value) < 1) return quantity(value * 1e3, "g", digits);
  if (unit === "" || unit === "1") return number(value, digits);
  const prefixed = kTakesPrefix.has(unit) || unit === "g";
  if (!prefixed || value === 0 || !Number.isFinite(value)) return `${number(value, digits)} ${unit}`;
  const size = Math.abs(value);
  // Lengths and times stay in m and s up to thousands: nobody thinks in kilometres here.
  const top = unit === "m" || unit === "s" || unit === "m/s" || unit === "g" ? 1 : 1e12;
  for (const [factor, name] of kPrefixes) {
    if (factor > top) continue;
    if (size >= factor * 0.99995) return `${number(value / factor, digits)} ${name}${unit}`;
  }
  return `${number(value, digits)} ${unit}`;
}

export function vector(values: ArrayLike<number>, unit: string, digits = 4): string {
  let largest = 0;
  for (let i = 0; i < values.length; ++i) largest = Math.max(largest, Math.abs(values[i]!));
  const [factor, name] = scaleFor(largest, unit);
  const parts = Array.from(values, (v) => fixed(v / factor, largest / factor, digits));
  return `${parts.join(", ")} ${name}${unit === "1" ? "" : unit}`.trim();
}

/** All components with as many decimals as the largest one has, so that they line up. */
function fixed(value: number, largest: number, digits: number): string {
  if (!Number.isFinite(value)) return number(value);
  const whole = largest > 0 ? Math.floor(Math.log10(largest)) + 1 : 1;
  if (whole > 6 || whole < -3) return number(value, digits);
  const text = value.toFixed(Math.max(0, Math.min(9, digits - whole)));
  return sign(Number(text) === 0 ? text.replace("-", "") : text);
}

/** The prefix under which `largest` reads well: [factor, prefix]. */
export function scaleFor(largest: number, unit: string): [number, string] {
  if (!kTakesPrefix.has(unit) || largest === 0 || !Number.isFinite(largest)) return [1, ""];
  const top = unit === "m" || unit === "s" || unit === "m/s" ? 1 : 1e12;
  for (const [factor, name] of kPrefixes) if (factor <= top && largest >= factor * 0.99995) return [factor, name];
  return [1, ""];
}

/** Seconds of a clock: always in s, with decimals that fit the step. */
export function clock(time: number, step: number): string {
  const decimals = step > 0 ? Math.max(2, Math.min(6, Math.ceil(-Math.log10(step)))) : 3;
  return `${time.toFixed(decimals)} s`;
}
