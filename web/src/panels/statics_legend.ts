// The key of a verdict's picture: scales of forces and motions, and what contact points do.
import { barsShown, kMotionShare } from "../scene/statics_layer.js";
import { kMarkCss } from "../scene/tones.js";
import { quantity } from "../state/units.js";
import type { Context } from "./context.js";

type Entry = (colour: string, text: string) => HTMLElement;

export function staticsEntries(context: Context, line: Entry, dot: Entry): HTMLElement[] {
  const { store } = context;
  const { layers } = store.state;
  const out: HTMLElement[] = [];
  const shown = context.runs.filter((_, run) => context.stage?.isShown(run) ?? true);
  const view = context.stage?.views[store.state.activeRun];
  const bars = shown.flatMap(({ statics }) => (statics ? barsShown(statics, store.state) : []));
  const moving = shown.find(({ statics }) => (statics?.motions.length ?? 0) > 0)?.statics;
  const length = view?.forceLength(store.state) ?? 0;
  const scale = length > 0 ? `, ${quantity(1 / length, "N", 3)} per m` : "";
  if (layers.ranges && bars.length > 0) {
    const ranged = bars.some(({ least, greatest }) => greatest > least);
    out.push(line(kMarkCss.range, `normal force${store.state.byPair ? " of a pair" : ""}${ranged ? "; bar: least to greatest" : ""}${scale}`));
    if (bars.some(({ greatest }) => greatest === Infinity)) out.push(line(kMarkCss.noLimit, "no greatest force: no limit"));
  }
  if (layers.forces)
    out.push(line(kMarkCss.range, `${moving ? "contact force" : "one set of forces"}, on the second body${scale}`));
  if (moving && layers.motion) {
    const unit = moving.kind === "acceleration" ? "m/s²" : "m/s";
    const arrow = view ? view.ball.radius * kMotionShare * store.state.arrowScale : 0;
    const name = moving.kind === "acceleration" ? "acceleration" : "velocity, at any scale";
    const per = arrow > 0 && moving.mostLinear > 0 ? `, ${quantity(moving.mostLinear / arrow, unit, 3)} per m` : "";
    out.push(line(kMarkCss.motion, `${name}${moving.kind === "acceleration" ? per : ""}`));
    if (moving.mostAngular > 0 && moving.kind === "acceleration")
      out.push(line(kMarkCss.motion, `arc: up to ${quantity(moving.mostAngular, "rad/s²", 3)}`));
  }
  if (layers.contacts) {
    if (moving) out.push(dot(kMarkCss.opens, "opens"), dot(kMarkCss.slip, "slides"));
    out.push(dot(kMarkCss.stick, moving ? "stays closed" : "contact point"));
  }
  return out;
}
