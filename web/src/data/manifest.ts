// Checks a manifest as far as the page relies on it, so that damaged data give a sentence and not a blank page.
import type { Manifest } from "./types.js";

const kFormat = 1;

function list(value: unknown, name: string): unknown[] {
  if (!Array.isArray(value)) throw new Error(`The description of the run is damaged: "${name}" is missing.`);
  return value;
}

export function checkManifest(value: unknown): Manifest {
  if (typeof value !== "object" || value === null) throw new Error("The description of the run is damaged.");
  const manifest = value as Manifest;
  if (manifest.format !== kFormat) {
    throw new Error(
      `The run was written in format ${String(manifest.format)}; this page reads format ${kFormat}. Export it again with this version.`,
    );
  }
  for (const name of ["bodies", "geometries", "materials", "fields"] as const) list(manifest[name], name);
  manifest.joints ??= [];
  manifest.springs ??= [];
  manifest.measures ??= [];
  manifest.bodies.forEach((body, slot) => {
    for (const shape of list(body.shapes, `bodies[${slot}].shapes`) as Manifest["bodies"][0]["shapes"]) {
      if (!manifest.geometries[shape.geometry]) throw new Error(`Body "${body.name}" has a shape without geometry.`);
    }
  });
  return manifest;
}

/** Column of a field by its name, or −1. */
export function fieldIndex(manifest: Manifest, name: string): number {
  return manifest.fields.findIndex((field) => field.name === name);
}

export const bodyName = (manifest: Manifest, slot: number): string =>
  slot < 0 || slot >= manifest.bodies.length ? "world" : manifest.bodies[slot]!.name || `body ${slot}`;
