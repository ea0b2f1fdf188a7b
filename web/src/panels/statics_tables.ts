// Tables of a verdict: ranges of forces, accelerations, contacts that open, margins. A row that is pointed at shows its bodies and
// contact points in the picture.
import { forceOf } from "../data/answer_run.js";
import type { Margin, StableResult, Statics, StaticsPair } from "../data/statics.js";
import type { Selection } from "../state/app_state.js";
import { exactText, fractionValue, tidy, type Exact } from "../state/fractions.js";
import { number, quantity, vector } from "../state/units.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { verdictTitle } from "./verdict.js";

const kRows = 300; // that are made at once; the rest on request
const kStill = 1e-9; // of the greatest: rounding

/** A row that selects something while it is pointed at, and keeps it once it was clicked. */
function pointing(context: Context, target: () => Selection | null, ...cells: HTMLElement[]): HTMLTableRowElement {
  const { store } = context;
  let before: Selection | null = null;
  let kept = false;
  const enter = (): void => {
    before = store.state.selection;
    kept = false;
    const selection = target();
    const shown = selection && store.state.view !== "side" ? { activeRun: selection.run } : {};
    store.set({ selection, note: "", ...shown });
  };
  const leave = (): void => {
    if (!kept) store.set({ selection: before });
  };
  const keep = (): void => {
    kept = true;
    store.set({ selection: target() });
    context.flyToSelection();
  };
  return el(
    "tr",
    {
      tabindex: 0,
      onpointerenter: enter,
      onpointerleave: leave,
      onfocus: enter,
      onblur: leave,
      onclick: () => {
        kept = true;
        store.set({ selection: target() });
      },
      ondblclick: keep,
      onkeydown: (event: KeyboardEvent) => event.key === "Enter" && keep(),
    },
    ...cells,
  );
}

function table(caption: string, heads: string[], rows: (() => HTMLElement)[]): HTMLElement {
  const body = el("tbody");
  const more = el("button", { type: "button", class: "fold", onclick: () => add(rows.length) });
  const add = (until: number): void => {
    body.append(...rows.slice(body.rows.length, until).map((make) => make()));
    more.hidden = body.rows.length >= rows.length;
    more.textContent = `${rows.length - body.rows.length} more`;
  };
  add(kRows);
  return el(
    "div",
    { class: "statics-table" },
    el(
      "table",
      { class: "grid" },
      el("caption", {}, caption),
      el("thead", {}, el("tr", {}, ...heads.map((head) => el("th", { scope: "col" }, head)))),
      body,
    ),
    more,
  );
}

const cell = (text: string, title = ""): HTMLElement => el("td", title ? { class: "number", title } : { class: "number" }, text);
const names = (...parts: string[]): HTMLElement =>
  el("td", { class: "names" }, ...parts.map((part) => el("span", { title: part }, part)));

const slotOf = (context: Context, name: string): number =>
  context.runs[0]!.manifest.bodies.findIndex((body) => body.name === name);

/** The run whose contacts a table lists: the one that is shown if it can be. */
function runOf(context: Context, kind: string): number {
  const { activeRun } = context.store.state;
  const is = (run: number): boolean => context.runs[run]!.statics?.kind === kind;
  return is(activeRun) ? activeRun : Math.max(0, context.runs.findIndex((_, run) => is(run)));
}

const pairOf = (context: Context, kind: string, { a, b }: StaticsPair): Selection => ({
  kind: "pair",
  run: runOf(context, kind),
  a: slotOf(context, a),
  b: slotOf(context, b),
});

/** The index of the first point of each pair among all contacts of the run. */
function firstPoints(pairs: StaticsPair[]): number[] {
  let count = 0;
  return pairs.map(({ points }) => {
    const first = count;
    count += points.length;
    return first;
  });
}

/** Where a range has no limit, there must be room for a bar without an end. */
const endlessShare = (ranges: readonly { greatest?: Exact }[]): number =>
  ranges.some(({ greatest }) => greatest === null) ? 1.6 : 1;

/** A bar from the least to the greatest, on one scale for the whole table. */
export function barOf(least: Exact | undefined, greatest: Exact | undefined, most: number): HTMLElement {
  if (least === undefined || greatest === undefined) return el("td");
  const [low, high] = [Math.max(0, fractionValue(least)), fractionValue(greatest)];
  const share = (x: number): number => (most > 0 ? Math.max(0, Math.min(100, (100 * x) / most)) : 0);
  const endless = !Number.isFinite(high);
  const width = Math.max(0, (endless ? 100 : share(high)) - share(low));
  const equal = width < 0.5;
  const css = equal ? `left:calc(${share(low).toFixed(2)}% - 1.5px);width:3px` : `left:${share(low).toFixed(2)}%;width:${width.toFixed(2)}%`;
  return el(
    "td",
    { class: "bar-cell" },
    el("span", { class: "bar-track" }, el("span", { class: `bar${endless ? " endless" : ""}${equal ? " equal" : ""}`, style: css })),
  );
}

export function makeForces(context: Context, { result }: Statics): HTMLElement {
  const { forces } = result;
  if (forces.length === 0)
    return el("p", { class: "muted" }, "There are no forces that balance the loads.");
  const known = forces.some(({ least }) => least !== undefined);
  const finite = (pairs: readonly { least?: Exact; greatest?: Exact }[]): number =>
    pairs.flatMap(({ least, greatest }) => [least, greatest]).reduce<number>((most, each) => {
      const value = each === undefined ? 0 : fractionValue(each);
      return Number.isFinite(value) ? Math.max(most, value) : most;
    }, 0);
  const most = finite(forces) * endlessShare(forces);
  const rows = forces.map((pair) => (): HTMLElement =>
    pointing(
      context,
      () => pairOf(context, "rest", pair),
      names(pair.a, pair.b),
      cell(exactText(pair.least), String(pair.least ?? "")),
      cell(exactText(pair.greatest), String(pair.greatest ?? "")),
      barOf(pair.least, pair.greatest, most),
    ),
  );
  const caption = known
    ? "Normal force between two bodies [N]: least and greatest under balance of all bodies. Point at a row to see it."
    : "Bodies that touch. The ranges of their forces were not computed; --margins computes them.";
  return el(
    "div",
    {},
    choice(context),
    table(caption, ["between", "least", "greatest", "range"], rows),
    forces.some((pair) => pair.points.some(({ least }) => least !== undefined)) ? points(context, forces) : null,
  );
}

/** What the bars in the picture are of, where both are known. */
function choice(context: Context): HTMLElement | null {
  const { store, runs } = context;
  const marks = runs.find(({ statics }) => statics!.kind === "rest")!.statics!;
  if (marks.bars.length === 0 || marks.pairBars.length === 0) return null;
  const button = (label: string, byPair: boolean): HTMLElement => {
    const out = el("button", { type: "button", onclick: () => store.set({ byPair }) }, label);
    store.on(["byPair"], () => out.setAttribute("aria-pressed", String(store.state.byPair === byPair)), true);
    return out;
  };
  return el(
    "div",
    { class: "row choice" },
    el("span", { class: "muted" }, "Bars in the picture"),
    el(
      "span",
      { class: "segmented", role: "group", "aria-label": "Bars in the picture" },
      button("by pair", true),
      button("by point", false),
    ),
  );
}

function points(context: Context, forces: StaticsPair[]): HTMLElement {
  const first = firstPoints(forces);
  const all = forces.flatMap((pair, g) => pair.points.map((point, i) => ({ pair, point, index: first[g]! + i })));
  const value = (x: Exact | undefined): number => (x === undefined ? 0 : fractionValue(x));
  const most = all.reduce((top, { point }) => {
    const high = value(point.greatest);
    return Math.max(top, value(point.least), Number.isFinite(high) ? high : 0);
  }, 0);
  const full = most * endlessShare(all.map(({ point }) => point));
  const rows = all.map(({ pair, point, index }) => (): HTMLElement =>
    pointing(
      context,
      () => ({ ...pairOf(context, "rest", pair), kind: "contact", keyLow: index, keyHigh: 0 }) as Selection,
      names(`${pair.a} – ${pair.b}`, vector(point.point, "m", 3)),
      cell(point.least === undefined ? "–" : exactText(point.least), String(point.least ?? "")),
      cell(point.greatest === undefined ? "–" : exactText(point.greatest), String(point.greatest ?? "")),
      barOf(point.least, point.greatest, full),
    ),
  );
  return table("Normal force at each contact point [N]", ["point", "least", "greatest", "range"], rows);
}

export function makeMotion(context: Context, { result, manifest }: Statics): HTMLElement {
  const flat = manifest.dimension === 2;
  const entries = Object.entries(result.accelerations ?? {});
  const sizes = entries.map(([, motion]) => ({
    linear: (motion["acceleration"] ?? []).map(fractionValue),
    angular: (motion["angular_acceleration"] ?? []).map(fractionValue),
  }));
  const most = sizes.reduce((top, { linear, angular }) => Math.max(top, ...[...linear, ...angular].map(Math.abs)), 0);
  const clean = (v: number[]): number[] => v.map((x) => (Math.abs(x) <= kStill * most ? 0 : x));
  const rows = entries.map(([name], i) => (): HTMLElement => {
    const [linear, angular] = [clean(sizes[i]!.linear), clean(sizes[i]!.angular)];
    const still = [...linear, ...angular].every((x) => x === 0);
    return pointing(
      context,
      () => ({ kind: "body", run: runOf(context, "acceleration"), slot: slotOf(context, name) }),
      names(name),
      cell(still ? "at rest" : bare(linear)),
      cell(still ? "" : flat ? number(angular[0]) : bare(angular)),
    );
  });
  return el(
    "div",
    {},
    table(
      "Initial accelerations: of the centre of mass [m/s²], and angular [rad/s²]",
      ["body", flat ? "a: x, y" : "a: x, y, z", flat ? "α" : "α: x, y, z"],
      rows,
    ),
    opening(context, result),
  );
}

const bare = (v: number[]): string => v.map((x) => number(x, 3)).join(", ");

function opening(context: Context, { contact_motion: pairs }: StableResult): HTMLElement {
  const moving = (pairs ?? []).filter(({ change }) => change !== "stays");
  const count = (pair: StaticsPair, change: string): number =>
    pair.points.filter((point) => point.change === change).length;
  const rows = moving.map((pair) => (): HTMLElement =>
    pointing(
      context,
      () => pairOf(context, "acceleration", pair),
      names(pair.a, pair.b),
      cell(`${count(pair, "opens")} of ${pair.points.length}`),
      cell(`${count(pair, "slides")}`),
      cell(number(tidy(Math.max(0, ...pair.points.map(({ opening: o }) => o ?? 0))), 3)),
      cell(number(Math.max(...pair.points.map((point) => Math.hypot(...forceOf(point)))), 3)),
    ),
  );
  const still = (pairs?.length ?? 0) - moving.length;
  return table(
    `Contacts that open or slide${still > 0 ? `; the other ${still} of ${pairs!.length} pairs stay closed` : ""}`,
    ["between", "open", "slide", "opening [m/s²]", "force [N]"],
    rows,
  );
}

const kUnits: Record<Margin["kind"], string> = { push: "", tilt: "", load: "N", least_friction: "" };

/** Under the name of a margin: what its number is a part of. */
export function marginNote(margin: Margin): string {
  if (margin.limit === null) return "";
  if (margin.kind === "push") return "of its weight";
  return margin.kind === "tilt" ? `tangent ${exactText(margin.limit)}` : "";
}

/** "no limit" for what can grow without end; friction has a limit below which nothing holds. */
export function limitText(margin: Margin): string {
  if (margin.limit === null) return margin.kind === "least_friction" ? "none is enough" : "no limit";
  if (margin.kind === "tilt") return `${number(margin.degrees ?? NaN)}°`;
  if (margin.kind === "load" && typeof margin.limit === "number") return quantity(margin.limit, "N");
  return `${exactText(margin.limit)} ${kUnits[margin.kind]}`.trim();
}

export function makeMargins(context: Context, { result }: Statics): HTMLElement {
  const { margins } = result;
  if (margins.length === 0)
    return el("p", { class: "muted" }, "No margins were computed. For large structures --margins computes them.");
  const rows = margins.map((margin) => (): HTMLElement => {
    const none = margin.kind === "least_friction" && margin.limit !== null && fractionValue(margin.limit) === 0;
    const sides: HTMLElement[] = [margin.within, margin.beyond].map((verdict) =>
      el("td", { class: "side-verdict", "data-verdict": verdict ?? "" }, none ? "–" : verdictTitle(verdict)),
    );
    const note = marginNote(margin);
    return pointing(
      context,
      () =>
        margin.body ? { kind: "body", run: context.store.state.activeRun, slot: slotOf(context, margin.body) } : null,
      names(margin.name, ...(note ? [note] : [])),
      cell(limitText(margin), String(margin.limit ?? "")),
      ...sides,
    );
  });
  return table(
    "How far from the limit, and the verdict a millionth to either side of it",
    ["margin", "limit", "within", "beyond"],
    rows,
  );
}
