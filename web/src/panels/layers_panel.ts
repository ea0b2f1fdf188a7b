// What is drawn: toggles of layers, colours, the scale of arrows, and a legend with units.
import { kMarkCss } from "../scene/tones.js";
import { hasLayer, kColours, kLayers, toggleLayer, type ColourBy } from "../state/app_state.js";
import { cividisCss } from "../state/colours.js";
import { quantity } from "../state/units.js";
import type { Context } from "./context.js";
import { el, throttle } from "./dom.js";
import { staticsEntries } from "./statics_legend.js";

export function makeLayersPanel(context: Context): HTMLElement {
  const { store } = context;
  const statics = context.page.statics !== undefined;
  const boxes = kLayers.filter((layer) => hasLayer(layer, statics)).map(({ name, label, key, help }) => {
    const input = el("input", { type: "checkbox", id: `layer-${name}`, onchange: () => toggleLayer(store, name) });
    store.on(["layers"], () => (input.checked = store.state.layers[name]), true);
    const note = name === "shadows" ? savingNote(store) : null;
    return el("label", { class: "check", title: help }, input, el("span", {}, label), note, el("kbd", {}, key));
  });
  const colour = el("select", { id: "colour-by", onchange: () => store.set({ colourBy: colour.value as ColourBy }) });
  for (const { name, label } of kColours) colour.append(el("option", { value: name }, label));
  const scale = el("input", {
    type: "range",
    id: "arrow-scale",
    min: -2,
    max: 2,
    step: 0.05,
    oninput: () => store.set({ arrowScale: 10 ** Number(scale.value) }),
  });
  store.on(["colourBy"], () => (colour.value = store.state.colourBy), true);
  store.on(["arrowScale"], () => (scale.value = String(Math.log10(store.state.arrowScale))), true);
  return el(
    "div",
    { class: "layers" },
    el("div", { class: "checks" }, ...boxes),
    el("label", { class: "field" }, el("span", {}, "Colour bodies by"), colour),
    el("label", { class: "field" }, el("span", {}, "Length of arrows"), scale),
  );
}

function savingNote(store: Context["store"]): HTMLElement {
  const note = el("span", { class: "muted" }, "off: drawing is slow here");
  store.on(["saving"], () => (note.hidden = !store.state.saving), true);
  return note;
}

/** A small key in the corner of the picture, for what is shown. */
export function makeLegend(context: Context): HTMLElement {
  const { store } = context;
  const root = el("div", { class: "legend" });
  const dot = (colour: string, text: string): HTMLElement =>
    el("span", { class: "entry" }, el("span", { class: "swatch round", style: `background:${colour}` }), text);
  const line = (colour: string, text: string): HTMLElement =>
    el("span", { class: "entry" }, el("span", { class: "swatch line", style: `background:${colour}` }), text);
  const ramp = (low: string, high: string): HTMLElement =>
    el("span", { class: "entry" }, low, el("span", { class: "ramp", style: `background:${cividisCss()}` }), high);
  const show = (): void => {
    const { layers, colourBy } = store.state;
    const view = context.stage?.views[store.state.activeRun];
    const entries: HTMLElement[] = [];
    const marks = context.activeRun.statics;
    if (marks) entries.push(...staticsEntries(context, line, dot));
    else if (layers.contacts && colourBy !== "gap")
      entries.push(dot(kMarkCss.stick, "sticks"), dot(kMarkCss.slip, "slips"), dot(kMarkCss.impact, "impact"));
    if (layers.normals) entries.push(line(kMarkCss.normal, "normal, A to B"));
    if (layers.forces && view && !marks) {
      const length = view.forceLength(store.state);
      entries.push(
        line(kMarkCss.force, length > 0 ? `force on B: ${quantity(1 / length, "N", 3)} per m of arrow` : "force on B"),
      );
      if (length > 0 && view.cappedArrows > 0) {
        const most = quantity(view.longestArrow(store.state) / length, "N", 3);
        entries.push(line(kMarkCss.cut, `cut short: more than ${most} (${view.cappedArrows})`));
      }
    }
    if (layers.cones)
      entries.push(line(kMarkCss.stick, "cone of μ_s (force inside)"), line(kMarkCss.slip, "force on the cone"));
    if (layers.graph) entries.push(line(kMarkCss.graph, "touch"));
    if (layers.centres) entries.push(dot(kMarkCss.centre, "centre of mass"));
    const { joints, springs } = context.activeRun.manifest;
    if (layers.joints && joints.length > 0) entries.push(line(kMarkCss.joint, "joint"));
    const hasKind = (kind: string): boolean => joints.some((joint) => joint.kind === kind);
    if (layers.joints && (springs.length > 0 || hasKind("spring"))) entries.push(line(kMarkCss.spring, "spring"));
    if (layers.joints && hasKind("target")) entries.push(line(kMarkCss.target, "target"));
    if (colourBy === "gap" && view) entries.push(ramp("depth (model's contacts) 0", `≥ ${quantity(view.gapReference, "m", 3)}`));
    if (colourBy === "speed") entries.push(ramp("at rest", `${quantity(fastest(context), "m/s", 3)}, the fastest now`));
    if (colourBy === "island") entries.push(el("span", { class: "entry" }, "one colour: bodies linked by contacts"));
    root.replaceChildren(...entries);
    root.hidden = entries.length === 0;
  };
  store.on(["layers", "colourBy", "arrowScale", "activeRun", "scene", "time", "byPair", "view"], throttle(show, 200), true);
  return root;
}

function fastest(context: Context): number {
  const v = context.frame()?.velocities;
  let most = 0;
  for (let i = 0; v && i < v.length; i += 6) most = Math.max(most, Math.hypot(v[i]!, v[i + 1]!, v[i + 2]!));
  return most;
}
