// The comparison: what each model gave up in plain words, the table of numbers, and observed orders of convergence.
import type { Report, Run } from "../data/source.js";
import { fieldIndex } from "../data/manifest.js";
import { runColour } from "../state/colours.js";
import { number, quantity } from "../state/units.js";
import { worstPair } from "./plot_groups.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";

/** The frame in which a quantity of a run is largest, and its two bodies; null if the run has no such quantity. */
export function worstOf(run: Run, name: string): { frame: number; pair: { a: number; b: number } | null } | null {
  const column = run.series.columns[fieldIndex(run.manifest, name)];
  if (!column) return null;
  let frame = -1;
  for (let i = 0; i < column.length; ++i)
    if (Number.isFinite(column[i]!) && (frame < 0 || column[i]! > column[frame]!)) frame = i;
  return frame < 0 ? null : { frame, pair: worstPair(run, name, frame) };
}

/** Text of a cell: numbers with the unit of their column, words as they are. */
export function cellText(value: number | string | null, unit: string): string {
  if (value === null) return "–";
  return typeof value === "string" ? value : quantity(value, unit, 3);
}

export function makeReport(context: Context, report: Report): HTMLElement {
  const parts = [words(context, report), table(context, report)];
  if (report.convergence) parts.push(convergence(report.convergence));
  return el("section", { class: "report", "aria-label": "Comparison" }, ...parts);
}

function runOf(report: Report, model: string): number | null {
  return report.table.rows.find((row) => row.label === model)?.run ?? null;
}

const swatch = (run: number | null): HTMLElement | null =>
  run === null ? null : el("span", { class: "swatch", style: `background:${runColour(run)}` });

function words(context: Context, report: Report): HTMLElement {
  return el(
    "div",
    { class: "words" },
    ...report.words.map(({ model, verdict, text }) => {
      const run = runOf(report, model);
      const title = el("h3", {}, swatch(run), model);
      const look =
        run === null
          ? null
          : el(
              "button",
              { type: "button", class: "link", onclick: () => context.store.set({ activeRun: run, view: "single" }) },
              "Look at it alone",
            );
      return el("article", { class: "card" }, title, el("p", { class: "verdict" }, verdict), el("p", {}, text), look);
    }),
  );
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
  const body = columns.map((column, c) =>
    el(
      "tr",
      {},
      el("th", { scope: "row" }, column.name.replace(/_/g, " ")),
      ...rows.map((row) =>
        row.failed && row.values.length === 0
          ? el("td", { class: "number muted" }, "–")
          : cell(context, row.run, column, row.values[c] ?? null),
      ),
      el("td", { class: "says" }, column.help),
    ),
  );
  return el(
    "div",
    { class: "scroll" },
    ...failures,
    el(
      "table",
      { class: "grid numbers" },
      el("caption", {}, "Numbers. Those that are underlined lead to the moment and the bodies they come from."),
      el("thead", {}, head),
      el("tbody", {}, ...body),
    ),
  );
}

function cell(
  context: Context,
  run: number | null,
  column: { name: string; unit: string; help: string },
  value: number | string | null,
): HTMLElement {
  const text = cellText(value, column.unit);
  const worst = run !== null && typeof value === "number" ? worstOf(context.runs[run]!, column.name) : null;
  if (run === null || !worst) return el("td", { class: "number" }, text);
  const go = (): void => {
    context.store.set({ playing: false, activeRun: run });
    context.seekFrame(worst.frame, context.runs[run]!);
    if (worst.pair) context.selectPair(run, worst.pair.a, worst.pair.b, true);
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
  };
  return el(
    "td",
    { class: "number" },
    el("button", { type: "button", class: "link", title: "Go to where it is worst", onclick: go }, text),
  );
}

function convergence({ dts, rows }: NonNullable<Report["convergence"]>): HTMLElement {
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
  );
}
