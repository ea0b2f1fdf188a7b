// The comparison: findings about each model, the table of numbers, and observed orders of convergence.
import type { Report, Run, Where } from "../data/source.js";
import { fieldIndex } from "../data/manifest.js";
import { number, quantity } from "../state/units.js";
import { worstPair } from "./plot_groups.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { goTo } from "./where.js";
import { makeFindings, swatch } from "./findings.js";

/** The frame in which a quantity of a run is largest, and its two bodies; null if the run has no such quantity. */
export function worstOf(run: Run, name: string): { frame: number; pair: { a: number; b: number } | null } | null {
  const column = run.series.columns[fieldIndex(run.manifest, name)];
  if (!column) return null;
  let frame = -1;
  for (let i = 0; i < column.length; ++i)
    if (Number.isFinite(column[i]!) && (frame < 0 || column[i]! > column[frame]!)) frame = i;
  return frame < 0 ? null : { frame, pair: worstPair(run, name, frame) };
}

/** Text of a cell: numbers with the unit of their column, texts as they are. */
export function cellText(value: number | string | null, unit: string): string {
  if (value === null) return "–";
  return typeof value === "string" ? value : quantity(value, unit, 3);
}

/** The most telling numbers, in this order, with names for people who have not read the manual. */
const kTelling: readonly (readonly [string, string])[] = [
  ["penetration", "deepest penetration"],
  ["penetration_ratio", "… of the smaller body"],
  ["natural_map_mean", "off the laws of contact, mean"],
  ["natural_map", "off the laws of contact, worst"],
  ["correction", "pushed apart with"],
  ["creep", "creep of resting bodies"],
  ["energy_made", "energy from nothing"],
  ["energy_drift", "energy drift"],
  ["distance", "end away from the reference"],
  ["step_error", "end off because of the step"],
  ["step_time_mean", "time of a step"],
  ["iterations_mean", "iterations of a step"],
  ["not_converged", "steps not converged"],
];

export function makeReport(context: Context, report: Report): HTMLElement {
  const parts = [makeFindings(context, report), table(context, report)];
  if (report.convergence) parts.push(convergence(report.convergence));
  return el("section", { class: "report", "aria-label": "Comparison" }, ...parts);
}

type Columns = Report["table"]["columns"];

/** Indices of columns: telling ones first, then all others. */
export function ordered(columns: Columns): { telling: number[]; others: number[] } {
  const telling = kTelling.map(([name]) => columns.findIndex((column) => column.name === name)).filter((c) => c >= 0);
  const others = columns.map((_, c) => c).filter((c) => !telling.includes(c));
  return telling.length > 0 ? { telling, others } : { telling: others, others: [] };
}

/** A row for each number, a column for each model: there are many numbers and few models. */
function table(context: Context, report: Report): HTMLElement {
  const { columns, rows } = report.table;
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "number"),
    ...rows.map((row) => el("th", { scope: "col" }, swatch(row.run), row.label)),
    el("th", { scope: "col" }, "what it says"),
  );
  const failures = rows
    .filter(({ failed }) => failed)
    .map(({ label, failed }) => el("p", { class: "warning" }, `${label}: ${failed}`));
  const line = (c: number): HTMLElement => numberRow(context, report, c);
  const { telling, others } = ordered(columns);
  const rest = el("tbody", { id: "all-numbers", hidden: true }, ...others.map(line));
  const fold = el(
    "button",
    { type: "button", class: "fold", "aria-expanded": "false", "aria-controls": "all-numbers", onclick: () => unfold() },
    `All ${columns.length} numbers`,
  );
  const unfold = (): void => {
    rest.hidden = !rest.hidden;
    fold.setAttribute("aria-expanded", String(!rest.hidden));
    fold.textContent = rest.hidden ? `All ${columns.length} numbers` : "Fewer numbers";
  };
  const reference = report.reference ? ` Distances: ${report.reference}.` : "";
  return el(
    "div",
    { class: "scroll" },
    ...failures,
    el(
      "table",
      { class: "grid numbers" },
      el("caption", {}, `Underlined numbers lead to the moment and the bodies they come from.${reference}`),
      el("thead", {}, head),
      el("tbody", {}, ...telling.map(line)),
      rest,
    ),
    others.length > 0 ? fold : null,
  );
}

function numberRow(context: Context, { table: { columns, rows } }: Report, c: number): HTMLElement {
  const column = columns[c]!;
  const plain = kTelling.find(([name]) => name === column.name)?.[1];
  return el(
    "tr",
    { "data-number": column.name },
    el("th", { scope: "row", title: column.name }, plain ?? column.name.replace(/_/g, " ")),
    ...rows.map((row) =>
      row.failed && row.values.length === 0 ? el("td", { class: "number muted" }, "–") : cell(context, row, c, column),
    ),
    el("td", { class: "says" }, column.help),
  );
}

/** Where a number comes from: what the report says, or the worst frame of the run if it says nothing. */
function cell(context: Context, row: Report["table"]["rows"][0], c: number, column: Columns[0]): HTMLElement {
  const value = row.values[c] ?? null;
  const text = cellText(value, column.unit);
  const go = typeof value === "number" && row.run !== null ? action(context, row, row.run, c, column.name) : null;
  if (!go) return el("td", { class: "number" }, text);
  const { where, act } = go;
  const bodies = where ? [where.body_a, where.body_b].filter((name) => name !== "").join(" – ") : "";
  const title = where ? `At ${quantity(where.time, "s")}${bodies ? `, ${bodies}` : ""}` : "Go to where it is worst";
  return el("td", { class: "number" }, el("button", { type: "button", class: "link", title, onclick: act }, text));
}

function action(
  context: Context,
  row: Report["table"]["rows"][0],
  run: number,
  c: number,
  name: string,
): { where: Where | null; act: () => void } | null {
  if (row.where) {
    const where = row.where[c];
    return where ? { where, act: () => goTo(context, run, where) } : null;
  }
  const source = context.runs[run]!;
  const worst = worstOf(source, name);
  if (!worst) return null;
  const act = (): void => {
    context.store.set({ playing: false, activeRun: run });
    context.seekFrame(worst.frame, source);
    if (worst.pair) context.selectPair(run, worst.pair.a, worst.pair.b, true);
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
  };
  return { where: null, act };
}

function convergence({ dts, rows, text }: NonNullable<Report["convergence"]>): HTMLElement {
  const head = el(
    "tr",
    {},
    el("th", { scope: "col" }, "model"),
    ...dts.map((dt) => el("th", { scope: "col" }, quantity(dt, "s", 3))),
    el("th", { scope: "col" }, "observed order"),
  );
  const body = rows.map(({ label, errors, orders }) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, label),
      ...dts.map((_, i) => el("td", { class: "number" }, number(errors[i], 3))),
      el("td", { class: "number" }, orders.map((order) => number(order, 3)).join(", ")),
    ),
  );
  return el(
    "div",
    { class: "scroll" },
    el(
      "table",
      { class: "grid numbers" },
      el("caption", {}, "Convergence: error at each step size, and the order from one to the next"),
      el("thead", {}, head),
      el("tbody", {}, ...body),
    ),
    text ? el("p", { class: "muted" }, text) : null,
  );
}
