// The panels beside the picture, one at a time.
import type { Context } from "./context.js";
import { makeContactTable } from "./contact_table.js";
import { el } from "./dom.js";
import { makeInspect } from "./inspect.js";
import { makeLayersPanel } from "./layers_panel.js";
import { makeLivePanel } from "./live_panel.js";
import { makeForces, makeMargins, makeMotion } from "./statics_tables.js";

type Panel = [name: string, label: string, make: () => HTMLElement];

function panelsOf(context: Context): Panel[] {
  const inspect: Panel = ["inspect", "Inspect", () => makeInspect(context)];
  const layers: Panel = ["layers", "Layers", () => makeLayersPanel(context)];
  const { statics } = context.page;
  if (statics) {
    const { accelerations, forces } = statics.result;
    const out: Panel[] = [["margins", "Margins", () => makeMargins(context, statics)], inspect, layers];
    if (accelerations) out.unshift(["motion", "Motion", () => makeMotion(context, statics)]);
    if (forces.length > 0) out.unshift(["forces", "Forces", () => makeForces(context, statics)]);
    return out;
  }
  const out: Panel[] = [inspect, ["contacts", "Contacts", () => makeContactTable(context)], layers];
  if (context.source.live) out.push(["live", "Live", () => makeLivePanel(context)]);
  return out;
}

export const tabNames = (context: Context): string[] => panelsOf(context).map(([name]) => name);

export function makeSide(context: Context): HTMLElement {
  const { store } = context;
  const panels = panelsOf(context).map(([name, label, make]) => [name, label, make()] as const);
  const tabs = panels.map(([name, label]) =>
    el(
      "button",
      {
        type: "button",
        role: "tab",
        id: `tab-${name}`,
        "aria-controls": `panel-${name}`,
        onclick: () => store.set({ tab: name }),
      },
      label,
    ),
  );
  const bodies = panels.map(([name, , content]) =>
    el("div", { role: "tabpanel", id: `panel-${name}`, "aria-labelledby": `tab-${name}`, tabindex: 0 }, content),
  );
  const list = el("div", { role: "tablist", "aria-label": "Panels", class: "tabs" }, ...tabs);
  list.addEventListener("keydown", (event) => {
    const direction = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (direction === 0) return;
    const next = (panels.findIndex(([name]) => name === store.state.tab) + direction + panels.length) % panels.length;
    store.set({ tab: panels[next]![0] });
    tabs[next]!.focus();
    event.preventDefault();
  });
  const show = (): void =>
    panels.forEach(([name], i) => {
      const chosen = store.state.tab === name;
      tabs[i]!.setAttribute("aria-selected", String(chosen));
      tabs[i]!.tabIndex = chosen ? 0 : -1;
      bodies[i]!.hidden = !chosen;
    });
  store.on(["tab"], show, true);
  return el("aside", { class: "side", "aria-label": "Numbers and layers" }, list, ...bodies);
}
