// The row of plots, and one more whose quantity is chosen.
import "uplot/dist/uPlot.min.css";
import type { Context } from "./context.js";
import { el, throttle } from "./dom.js";
import { Plot } from "./plot.js";
import { choosable, plotGroups } from "./plot_groups.js";

/** They are dear to make, so they wait for `start`. */
export function makePlots(context: Context): { root: HTMLElement; start: () => void } {
  const { store } = context;
  const root = el("section", { class: "plots", "aria-label": "Plots over time" });
  let plots: Plot[] = [];
  const build = (): void => {
    plots = plotGroups(context.runs).map((group) => new Plot(context, group));
    plots.push(chosen(context));
    root.replaceChildren(...plots.map((plot) => plot.root));
    for (const plot of plots) plot.build();
    values();
  };
  const values = throttle(() => {
    for (const plot of plots) plot.showValues();
  }, 120);
  const data = throttle(() => {
    for (const plot of plots) plot.setData();
  }, 200);
  let started = false;
  const again = (): void => {
    if (started) build();
  };
  store.on(["scene"], again);
  store.on(["theme"], again);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", again);
  store.on(["time"], () => {
    for (const plot of plots) plot.showNow();
    values();
  });
  store.on(["zoom"], () => {
    for (const plot of plots) plot.showZoom();
  });
  if (context.source.live) store.on(["data"], data);
  new ResizeObserver(() => {
    for (const plot of plots) plot.resize();
  }).observe(root);
  const start = (): void => {
    started = true;
    build();
  };
  return { root, start };
}

function chosen(context: Context): Plot {
  const { manifest } = context.runs[0]!;
  const select = el("select", { class: "chooser", "aria-label": "Quantity to plot" });
  for (const { name, help } of choosable(manifest))
    select.append(el("option", { value: name, title: help }, name.replace(/_/g, " ")));
  const first = ["energy_balance", "max_speed"].find((name) =>
    [...select.options].some((option) => option.value === name),
  );
  if (first) select.value = first;
  const plot = new Plot(context, { title: "Chosen quantity", fields: [select.value], log: false }, select);
  const show = (): void => {
    select.title = manifest.fields.find(({ name }) => name === select.value)?.help ?? "";
  };
  select.addEventListener("change", () => {
    plot.setFields([select.value]);
    plot.showValues();
    show();
  });
  show();
  return plot;
}
