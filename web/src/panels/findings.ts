// The findings of a comparison: a card for each model, whose findings lead to the moments and bodies of their fields.
import { verdictText, type Finding, type Report } from "../data/source.js";
import { runColour } from "../state/colours.js";
import { clock } from "../state/units.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { goTo } from "./where.js";

export const swatch = (run: number | null): HTMLElement | null =>
  run === null ? null : el("span", { class: "swatch", style: `background:${runColour(run)}` });

function runOf(report: Report, model: string): number | null {
  return report.table.rows.find((row) => row.label === model)?.run ?? null;
}

/** The findings about a model, in their order: the gravest first. */
export const findingsOf = (report: Report, model: string): Finding[] =>
  report.findings.filter((finding) => finding.model === model);

/** The text of the link to where a finding was; null for one about the whole run. */
export function placeText({ time, bodies }: Pick<Finding, "time" | "bodies">, step: number): string | null {
  if (time === null) return null;
  const names = bodies.length > 2 ? [...bodies.slice(0, 2), "…"] : bodies;
  return [clock(time, step), names.join(" – ")].filter((part) => part !== "").join(", ");
}

export function makeFindings(context: Context, report: Report): HTMLElement {
  const aside = [
    ...(report.left_out ?? []).map(({ model, reason }) => [`${model} was left out`, reason] as const),
    ...(report.notes ?? []).map((note) => ["Note", note] as const),
  ];
  return el(
    "div",
    { class: "wording" },
    el("div", { class: "findings" }, ...report.verdicts.map((each) => card(context, report, each))),
    aside.length > 0
      ? el("ul", { class: "aside" }, ...aside.map(([head, text]) => el("li", {}, el("b", {}, head), `: ${text}`)))
      : null,
  );
}

function card(context: Context, report: Report, { model, verdict }: Report["verdicts"][0]): HTMLElement {
  const run = runOf(report, model);
  const look = (): void => {
    context.store.set({ activeRun: run!, view: "single" });
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
  };
  return el(
    "article",
    { class: "card" },
    el("h3", {}, swatch(run), model, el("span", { class: `verdict ${verdict.replace(/\W+/g, "-")}` }, verdictText(verdict))),
    el("ul", {}, ...findingsOf(report, model).map((each) => item(context, run, each))),
    run === null ? null : el("button", { type: "button", class: "link", onclick: look }, "Look at it alone"),
  );
}

function item(context: Context, run: number | null, finding: Finding): HTMLElement {
  const place = run === null ? null : placeText(finding, context.runs[run]!.manifest.step_size);
  if (run === null || place === null) return el("li", { "data-kind": finding.kind }, finding.text);
  const go = (event: Event): void => {
    event.preventDefault();
    const [a, b] = finding.bodies;
    goTo(context, run, { time: finding.time!, body_a: a ?? "", body_b: b ?? "" });
  };
  const link = el("a", { href: "#", class: "link", title: "Go there", onclick: go }, place);
  return el("li", { "data-kind": finding.kind }, finding.text, " ", link);
}
