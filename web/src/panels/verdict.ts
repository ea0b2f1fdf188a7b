// The verdict of `touchstone stable`: the heading over the picture, with a switch between the answers.
import type { StableResult, Statics } from "../data/statics.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";

const kTitles: Record<StableResult["verdict"], string> = {
  stands: "STANDS",
  falls: "FALLS",
  may_stand: "MAY STAND",
  undecided: "UNDECIDED",
};
export const verdictTitle = (verdict: StableResult["verdict"] | undefined): string =>
  verdict ? (kTitles[verdict] ?? verdict) : "–";

const counted = (count: number, one: string, several: string): string => `${count} ${count === 1 ? one : several}`;

/** What the scene has that the verdict rests on or leaves out, as sentences. */
export function remarks(result: StableResult): string[] {
  const out = result.floating.map((name) => `“${name}” floats: it touches nothing, so it falls freely.`);
  for (const { a, b, gap } of result.gaps.slice(0, 5))
    out.push(`“${a}” and “${b}” are ${gap.toPrecision(3)} m apart and do not touch.`);
  if (result.gaps.length > 5) out.push(`${result.gaps.length - 5} more pairs have a small gap.`);
  for (const { a, b } of result.corners.slice(0, 5))
    out.push(`“${a}” and “${b}” touch in a corner only: no force there.`);
  out.push(...result.notes.map((note) => `${note[0]?.toUpperCase() ?? ""}${note.slice(1)}.`));
  if (result.accelerations_converged === false) out.push("The initial accelerations did not converge.");
  return out;
}

export function makeVerdict(context: Context, { result }: Statics): HTMLElement {
  const counts = [
    counted(result.bodies, "body", "bodies"),
    counted(result.contacts, "contact point", "contact points"),
    ...(result.joint_rows > 0 ? [counted(result.joint_rows, "row of joints", "rows of joints")] : []),
  ].join(", ");
  const facts = [result.proof ? `${result.proof[0]!.toUpperCase()}${result.proof.slice(1)}` : "", counts];
  const margin = result.marginal
    ? ` The margin is ${result.marginal_exact ? "exactly " : ""}0: a load as small as one likes may end it.`
    : "";
  return el(
    "section",
    { class: "verdict-head", "data-verdict": result.verdict, "aria-label": "Verdict" },
    el(
      "h2",
      { class: "stamp" },
      verdictTitle(result.verdict),
      result.marginal ? el("span", { class: "marginal" }, "marginal") : null,
    ),
    el(
      "div",
      { class: "why" },
      el("p", {}, result.sentence + margin),
      el("p", { class: "muted" }, facts.filter((text) => text !== "").join(" · ")),
      ...remarks(result).map((text) => el("p", { class: "muted" }, text)),
    ),
    context.runs.length > 1 ? answers(context, result) : null,
  );
}

/** One answer alone, or two of them side by side. */
function answers(context: Context, result: StableResult): HTMLElement {
  const { store, runs } = context;
  const help = el("p", { class: "muted", role: "status" });
  const buttons = runs.map((run, i) =>
    el(
      "button",
      { type: "button", onclick: () => store.set({ view: "single", activeRun: i, selection: null }) },
      run.statics!.label,
    ),
  );
  const both = el("button", { type: "button", onclick: () => store.set({ view: "side" }) }, "Side by side");
  const show = (): void => {
    const { view, activeRun } = store.state;
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", String(view !== "side" && i === activeRun)));
    both.setAttribute("aria-pressed", String(view === "side"));
    help.textContent =
      view !== "side"
        ? runs[activeRun]!.statics!.help
        : result.verdict === "may_stand"
          ? "Both are lawful."
          : "";
  };
  store.on(["view", "activeRun"], show, true);
  return el(
    "div",
    { class: "answers" },
    el("span", { class: "segmented", role: "group", "aria-label": "Answer that is shown" }, ...buttons, both),
    help,
  );
}
