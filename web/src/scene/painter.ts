// Colours of bodies: their own, by material, by island, by penetration or by speed; the selected ones stand out.
import { Color, SRGBColorSpace } from "three";
import { At, type Frame, type Manifest } from "../data/types.js";
import type { AppState } from "../state/app_state.js";
import { kPalette, rgb, scalar, type Rgb } from "../state/colours.js";
import { Islands } from "../state/islands.js";

const kSelected = rgb("#f0e442");

export class Painter {
  /** A single colour for all that moves (runs on top of each other), as CSS. */
  only: string | null = null;
  private readonly islands = new Islands();
  private readonly materials = new Map<string, number>();
  private by: AppState["colourBy"] = "body";
  private selected: number[] = [];
  private values = new Float32Array(0);
  private dark = false;
  private readonly rgb: Rgb = [0, 0, 0];

  constructor(private readonly manifest: Manifest) {
    manifest.materials.forEach(({ name }, i) => this.materials.set(name, i));
  }

  setTheme(dark: boolean): void {
    this.dark = dark;
  }

  prepare(state: AppState, frame: Frame, gapReference: number): void {
    this.by = state.colourBy;
    const chosen = state.selection;
    this.selected = !chosen ? [] : chosen.kind === "body" ? [chosen.slot] : [chosen.a, chosen.b];
    if (this.by === "island") this.islands.find(frame, this.manifest.bodies);
    if (this.by === "gap") this.penetrations(frame, gapReference);
    if (this.by === "speed") this.speeds(frame);
  }

  colour(slot: number, out: Color): void {
    const c = this.srgb(slot);
    if (this.selected.includes(slot)) {
      // What stands still is often the whole ground: a tint is enough.
      const part = this.manifest.bodies[slot]!.kind === "dynamic" ? 0.7 : 0.16;
      for (let k = 0; k < 3; ++k) c[k] = c[k]! * (1 - part) + kSelected[k]! * part;
    }
    out.setRGB(c[0], c[1], c[2], SRGBColorSpace);
  }

  private srgb(slot: number): Rgb {
    const body = this.manifest.bodies[slot]!;
    if (this.only && body.kind !== "static") return this.mix(this.only, 0.1, 0);
    if (this.by === "gap" || this.by === "speed") {
      const value = this.values[slot] ?? NaN;
      return Number.isNaN(value) || body.kind === "static" ? this.grey(0.76) : scalar(value, this.rgb);
    }
    if (this.by === "material")
      return this.mix(kPalette[(this.materials.get(body.material) ?? 0) % kPalette.length]!, 0.25, slot);
    if (body.kind === "static") return this.grey(0.72);
    if (body.kind === "kinematic") return this.grey(0.52);
    if (this.by === "island") return this.mix(kPalette[hash(this.islands.of(slot)) % kPalette.length]!, 0.2, 0);
    return this.mix(kPalette[hash(slot) % 5]!, 0.38, slot);
  }

  private grey(light: number): Rgb {
    const v = this.dark ? light * 0.62 : light;
    return ((this.rgb[0] = v * 0.98), (this.rgb[1] = v), (this.rgb[2] = v * 1.03), this.rgb);
  }

  /** A colour made calmer by some grey, and a little lighter or darker from slot to slot. */
  private mix(hex: string, calm: number, slot: number): Rgb {
    const c = rgb(hex);
    const shade = slot > 0 ? 1 + 0.08 * ((hash(slot * 7 + 3) % 5) / 2 - 1) : 1;
    const grey = this.dark ? 0.62 : 0.78;
    for (let k = 0; k < 3; ++k) this.rgb[k] = Math.min(1, (c[k]! * (1 - calm) + grey * calm) * shade);
    return this.rgb;
  }

  private penetrations(frame: Frame, reference: number): void {
    this.values = new Float32Array(frame.slots).fill(NaN); // grey: in nobody
    const [u, f] = [frame.contactsU32, frame.contactsF32];
    for (let c = 0; c < frame.contacts; ++c) {
      const deep = reference > 0 ? -f[c * At.Words + At.Gap]! / reference : 0;
      for (const slot of [u[c * At.Words + At.AU]!, u[c * At.Words + At.BU]!])
        if (slot < frame.slots && deep > 0 && !(deep <= this.values[slot]!)) this.values[slot] = deep;
    }
  }

  private speeds(frame: Frame): void {
    this.values = new Float32Array(frame.slots).fill(NaN);
    const v = frame.velocities;
    if (!v) return;
    let fastest = 0;
    for (let s = 0; s < frame.slots; ++s) {
      this.values[s] = Math.hypot(v[s * 6]!, v[s * 6 + 1]!, v[s * 6 + 2]!);
      if (this.values[s]! > fastest) fastest = this.values[s]!;
    }
    if (fastest > 0) for (let s = 0; s < frame.slots; ++s) this.values[s] = this.values[s]! / fastest;
  }
}

/** Neighbours in number get colours that look unrelated. */
function hash(value: number): number {
  let x = (value + 1) * 0x9e3779b1;
  x = Math.imul(x ^ (x >>> 15), 0x85ebca6b);
  return (x ^ (x >>> 13)) >>> 0;
}
