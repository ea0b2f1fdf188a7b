// Colours that people with any kind of colour vision can tell apart. Names and numbers always stand beside them.

/** After Okabe and Ito's palette: without black and yellow, which vanish on one of the backgrounds, and with a lighter blue. */
export const kPalette = ["#1a86c9", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8f7fc0", "#999933"];

export const runColour = (run: number): string => kPalette[run % kPalette.length]!;

export type Rgb = [number, number, number];

export function rgb(hex: string): Rgb {
  const value = parseInt(hex.slice(1), 16);
  return [(value >> 16) / 255, ((value >> 8) & 255) / 255, (value & 255) / 255];
}

/** Cividis at nine places, dark blue to yellow: even steps of brightness for every kind of colour vision. */
const kCividis = [
  "#00224e",
  "#123570",
  "#3b496c",
  "#575d6d",
  "#707173",
  "#8a8678",
  "#a59c74",
  "#c3b369",
  "#fee838",
].map(rgb);

/** Colour of a value in 0…1; out of range is the nearer end, not a number is grey. */
export function scalar(value: number, out: Rgb): Rgb {
  if (Number.isNaN(value)) return ((out[0] = out[1] = out[2] = 0.5), out);
  const place = Math.min(1, Math.max(0, value)) * (kCividis.length - 1);
  const low = Math.min(kCividis.length - 2, Math.floor(place));
  const part = place - low;
  for (let i = 0; i < 3; ++i) out[i] = kCividis[low]![i]! * (1 - part) + kCividis[low + 1]![i]! * part;
  return out;
}

export const cividisCss = (): string =>
  `linear-gradient(to right, ${kCividis.map((c) => `rgb(${c.map((v) => Math.round(v * 255)).join(" ")})`).join(", ")})`;
