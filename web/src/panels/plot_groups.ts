// Which quantities are plotted together.
import { fieldIndex } from "../data/manifest.js";
import type { Run } from "../data/source.js";
import type { Field, Manifest } from "../data/types.js";

export interface PlotGroup {
  title: string;
  fields: string[];
  log: boolean;
}

const kSingle: PlotGroup[] = [
  {
    title: "Energy",
    fields: ["energy", "kinetic_energy", "gravity_energy", "spring_energy", "contact_energy"],
    log: false,
  },
  {
    title: "Work",
    fields: ["contact_work", "motor_work", "joint_work", "driven_work", "external_work", "drag_work", "correction_work"],
    log: false,
  },
  { title: "Residual", fields: ["natural_map", "natural_map_mean"], log: true },
  { title: "Penetration", fields: ["penetration", "penetration_mean"], log: false },
  { title: "Contacts", fields: ["contacts", "sticking"], log: false },
  { title: "Iterations", fields: ["iterations"], log: false },
  { title: "Step time", fields: ["wall_time"], log: false },
  { title: "Momentum", fields: ["momentum_x", "momentum_y", "momentum_z"], log: false },
];

const kCompared: PlotGroup[] = [
  { title: "Energy", fields: ["energy"], log: false },
  { title: "Kinetic energy", fields: ["kinetic_energy"], log: false },
  { title: "Residual", fields: ["natural_map"], log: true },
  { title: "Penetration", fields: ["penetration"], log: false },
  { title: "Iterations", fields: ["iterations"], log: false },
  { title: "Contacts", fields: ["contacts"], log: false },
  { title: "Step time", fields: ["wall_time"], log: false },
];

/** Groups of which the run has something; a quantity that is never known or always zero beside others is left out. */
export function plotGroups(runs: readonly Run[]): PlotGroup[] {
  const first = runs[0]!;
  return (runs.length > 1 ? kCompared : kSingle)
    .map((group) => ({ ...group, fields: group.fields.filter((name, i) => has(first, name, i === 0)) }))
    .filter((group) => group.fields.length > 0);
}

function has(run: Run, name: string, main: boolean): boolean {
  const column = run.series.columns[fieldIndex(run.manifest, name)];
  if (!column) return fieldIndex(run.manifest, name) >= 0 && run.series.frames === 0;
  if (main && run.manifest.frames === 0) return true; // live: it comes
  return column.some((value) => Number.isFinite(value) && (main || value !== 0)) || run.series.frames === 0;
}

export function fieldOf(manifest: Manifest, name: string): Field | null {
  return manifest.fields[fieldIndex(manifest, name)] ?? null;
}

/** The two bodies of the worst of a measure at a frame; null if the quantity has none or nobody is known. */
export function worstPair(run: Run, name: string, index: number): { a: number; b: number } | null {
  const base = name.replace(/_mean$/, "");
  const a = run.series.columns[fieldIndex(run.manifest, `${base}_a`)]?.[index];
  const b = run.series.columns[fieldIndex(run.manifest, `${base}_b`)]?.[index];
  if (a === undefined || b === undefined || Number.isNaN(a) || (a < 0 && b < 0)) return null;
  return { a, b };
}

/** Quantities for the chooser: not the helpers of others (…_a, …_b, …_step). */
export function choosable(manifest: Manifest): Field[] {
  const names = new Set(manifest.fields.map(({ name }) => name));
  return manifest.fields.filter(({ name }) => {
    const helper = /^(.*)_(a|b|step)$/.exec(name);
    return !(helper && names.has(helper[1]!)) && name !== "time" && name !== "step";
  });
}
