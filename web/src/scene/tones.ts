// Colours of marks, in the linear values that the shaders want. The legend shows the same ones as CSS.
import { Color, SRGBColorSpace } from "three";
import { rgb, type Rgb } from "../state/colours.js";

const scratch = new Color();

export function linear(colour: Rgb, out: Rgb): Rgb {
  scratch.setRGB(colour[0], colour[1], colour[2], SRGBColorSpace);
  out[0] = scratch.r;
  out[1] = scratch.g;
  out[2] = scratch.b;
  return out;
}

const tone = (hex: string): Rgb => linear(rgb(hex), [0, 0, 0]);

export const kMarkCss = {
  stick: "#0072b2",
  slip: "#e69f00",
  impact: "#cc79a7",
  opens: "#c8372d",
  range: "#0072b2",
  noLimit: "#8f7fc0",
  motion: "#c8372d",
  normal: "#009e73",
  force: "#d55e00",
  cut: "#7a2f00",
  graph: "#8f7fc0",
  joint: "#cc79a7",
  arm: "#b99aab",
  spring: "#56b4e9",
  target: "#009e73",
  bounds: "#888888",
  centre: "#f0e442",
  chosen: "#f0e442",
} as const;

export const kTones = Object.fromEntries(Object.entries(kMarkCss).map(([name, hex]) => [name, tone(hex)])) as Record<
  keyof typeof kMarkCss,
  Rgb
>;
