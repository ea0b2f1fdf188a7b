// What the comparison says in words: a card for each model, whose sentences lead to the moments and bodies they speak of.
import type { Report } from "../data/source.js";
import { runColour } from "../state/colours.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { goTo } from "./where.js";

export const swatch = (run: number | null): HTMLElement | null =>
  run === null ? null : el("span", { class: "swatch", style: `background:${runColour(run)}` });

function runOf(report: Report, model: string): number | null {
  return report.table.rows.find((row) => row.label === model)?.run ?? null;
}

/** Sentences of a text: they end with a full stop before a capital letter. */
export const sentencesOf = (text: string): string[] => text.split(/(?<=\.)\s+(?=[A-Z])/).filter((part) => part !== "");

/** Parts of a sentence: plain text, and places of the kind "between A and B at t = 1.5 s" that can be gone to. */
export interface Part {
  text: string;
  bodies: string[];
  time: number | null;
}

export function partsOf(sentence: string): Part[] {
  const place = /(?:between (\S+) and (\S+) )?at t = ([\d.]+(?:e-?\d+)?) s/g;
  const parts: Part[] = [];
  let from = 0;
  for (const match of sentence.matchAll(place)) {
    parts.push({ text: sentence.slice(from, match.index), bodies: [], time: null });
    const bodies = [match[1], match[2]].filter((name): name is string => name !== undefined);
    parts.push({ text: match[0], bodies, time: Number(match[3]) });
    from = match.index + match[0].length;
  }
  parts.push({ text: sentence.slice(from), bodies: [], time: null });
  return parts.filter(({ text }) => text !== "");
}

export function makeWords(context: Context, report: Report): HTMLElement {
  const left = new Set((report.left_out ?? []).map(({ model }) => model));
  const cards = report.words.filter(({ model, verdict }) => !(verdict === "left out" && left.has(model)));
  const aside = [
    ...(report.left_out ?? []).map(({ model, reason }) => [`${model} was left out`, reason] as const),
    ...(report.notes ?? []).map((note) => ["Note", note] as const),
  ];
  return el(
    "div",
    { class: "wording" },
    el("div", { class: "words" }, ...cards.map((word) => card(context, report, word))),
    aside.length > 0
      ? el("ul", { class: "aside" }, ...aside.map(([head, text]) => el("li", {}, el("b", {}, head), `: ${text}`)))
      : null,
  );
}

function card(context: Context, report: Report, { model, verdict, text }: Report["words"][0]): HTMLElement {
  const run = runOf(report, model);
  const look = (): void => {
    context.store.set({ activeRun: run!, view: "single" });
    document.querySelector(".stage")?.scrollIntoView({ block: "nearest" });
  };
  return el(
    "article",
    { class: "card" },
    el("h3", {}, swatch(run), model, el("span", { class: `verdict ${verdict.replace(/\W+/g, "-")}` }, verdict)),
    el("ul", {}, ...sentencesOf(text).map((each) => el("li", {}, ...linked(context, run, each)))),
    run === null ? null : el("button", { type: "button", class: "link", onclick: look }, "Look at it alone"),
  );
}

function linked(context: Context, run: number | null, sentence: string): (Node | string)[] {
  return partsOf(sentence).map(({ text, bodies, time }) => {
    if (run === null || time === null) return text;
    const go = (event: Event): void => {
      event.preventDefault();
      goTo(context, run, { time, body_a: bodies[0] ?? "", body_b: bodies[1] ?? "" });
    };
    return el("a", { href: "#", class: "link", title: "Go there", onclick: go }, text); // a button would not break into lines
  });
}
