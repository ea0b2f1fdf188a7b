// One plot over time: lines of all runs, a line for now, values of the frame, and the two bodies of the worst.
import uPlot from "uplot";
import { runColour, kPalette } from "../state/colours.js";
import { decadesIn, logRange, timeRange, valueRange } from "../state/range.js";
import { quantity, scaleFor } from "../state/units.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { fieldOf, worstPair, type PlotGroup } from "./plot_groups.js";
import { fieldIndex } from "../data/manifest.js";

const kHeight = 118;
const kLeastDrag = 4; // px: less is a click
const kMostDecades = 6; // labels on a logarithmic axis of kHeight

interface Line {
  run: number;
  field: string;
  colour: string;
  dash: number[];
  label: string;
}

export class Plot {
  readonly root: HTMLElement;
  private readonly readout = el("div", { class: "readout" });
  private readonly area = el("div", { class: "area" });
  private readonly now = el("div", { class: "now" });
  private readonly logBox: HTMLInputElement;
  private readonly unit = el("span", { class: "unit" });
  private chart: uPlot | null = null;
  private lines: Line[] = [];
  private rawUnit = "";
  private prefix = "";

  constructor(
    private readonly context: Context,
    private group: PlotGroup,
    chooser: HTMLElement | null = null,
  ) {
    this.logBox = el("input", { type: "checkbox", onchange: () => this.setLog(this.logBox.checked) });
    this.logBox.checked = group.log;
    this.root = el(
      "figure",
      { class: "plot", "data-plot": group.title },
      el(
        "figcaption",
        {},
        chooser ?? el("span", { class: "title", title: this.help() }, group.title),
        this.unit,
        el("label", { class: "check", title: "Logarithmic scale" }, this.logBox, "log"),
      ),
      this.area,
      this.readout,
    );
  }

  setFields(fields: string[]): void {
    this.group = { ...this.group, fields };
    this.build();
  }

  /** Makes the chart anew: other fields, other colours, other runs. */
  build(): void {
    this.chart?.destroy();
    this.lines = this.makeLines();
    const width = Math.max(160, this.area.clientWidth);
    const style = getComputedStyle(document.documentElement);
    const axis = {
      stroke: style.getPropertyValue("--muted"),
      grid: { stroke: style.getPropertyValue("--line"), width: 1 },
      ticks: { show: false },
      font: "11px system-ui, sans-serif",
    };
    const data = this.data();
    const field = fieldOf(this.context.runs[0]!.manifest, this.group.fields[0] ?? "");
    this.rawUnit = field?.unit ?? "";
    const [factor, prefix] = scaleFor(largest(data), this.rawUnit);
    this.prefix = prefix;
    const unit = field && field.unit !== "1" ? field.unit : "";
    this.unit.textContent = unit ? `${prefix}${unit}` : "";
    const titleElement = this.root.querySelector(".title");
    if (titleElement) titleElement.setAttribute("title", this.help());
    const log = this.group.log;
    this.chart = new uPlot(
      {
        width,
        height: kHeight,
        legend: { show: false },
        pxAlign: 0,
        hooks: { draw: [() => this.showNow()] },
        cursor: { drag: { x: false, y: false }, points: { show: false }, y: false },
        scales: {
          x: { time: false, range: (_u, low, high) => timeRange(low, high) },
          y: log ? { distr: 3, range: (_u, low, high) => logRange(low, high) } : { range: (_u, low, high) => valueRange(low, high) },
        },
        axes: [
          { ...axis, size: 22, values: (_u, values) => values.map((v) => (v === null ? "" : `${tick(v)} s`)) },
          {
            ...axis,
            size: 52,
            ...(log ? { splits: (_u, _axis, low, high) => decadesIn(low, high, kMostDecades) } : {}),
            values: (_u, values) =>
              values.map((v) => (v === null ? "" : log ? minus((v / factor).toExponential(0)) : tick(v / factor))),
          },
        ],
        series: [
          {},
          ...this.lines.map(({ colour, dash, label }) => ({
            label,
            stroke: colour,
            width: 1.5,
            dash,
            points: { show: false },
          })),
        ],
      },
      data,
      this.area,
    );
    this.chart.over.append(this.now);
    this.listen(this.chart.over);
    if (this.context.store.state.zoom) this.showZoom();
    this.showNow();
  }

  setData(): void {
    if (!this.chart) return;
    const data = this.data();
    if (scaleFor(largest(data), this.rawUnit)[1] !== this.prefix) return this.build();
    const { zoom } = this.context.store.state;
    this.chart.setData(data, zoom === null);
    if (zoom) this.showZoom();
    this.showNow();
  }

  /** The times that all plots show. */
  showZoom(): void {
    if (!this.chart) return;
    const { zoom } = this.context.store.state;
    const times = this.chart.data[0];
    const [min, max] = zoom ?? [times[0] ?? 0, times.at(-1) ?? 1];
    this.chart.setScale("x", { min, max });
  }

  resize(): void {
    const width = this.area.clientWidth;
    if (this.chart && width > 0 && width !== this.chart.width) {
      this.chart.setSize({ width, height: kHeight });
      this.showNow();
    }
  }

  /** The line at the clock; cheap enough for every frame that is drawn. */
  showNow(): void {
    if (!this.chart) return;
    const x = this.chart.valToPos(this.context.store.state.time, "x");
    this.now.hidden = !(x >= -1 && x <= this.chart.over.clientWidth + 1); // the plot may be zoomed to other times
    this.now.style.transform = `translateX(${x}px)`;
  }

  showValues(): void {
    this.readout.replaceChildren(...this.lines.map((line) => this.entry(line)));
  }

  private entry({ run, field, colour, label }: Line): HTMLElement {
    const { context } = this;
    const source = context.runs[run]!;
    const index = context.index(source);
    const value = source.series.columns[fieldIndex(source.manifest, field)]?.[index];
    const unit = fieldOf(source.manifest, field)?.unit ?? "";
    const pair = field.endsWith("_mean") ? null : worstPair(source, field, index);
    return el(
      "span",
      { class: "entry" },
      el("span", { class: "swatch line", style: `background:${colour}` }),
      `${label} `,
      el("b", {}, quantity(value, unit)),
      pair
        ? el(
            "button",
            {
              type: "button",
              class: "link",
              title: "Worst between these two; click to select them",
              onclick: () => context.selectPair(run, pair.a, pair.b, true),
            },
            [pair.a, pair.b]
              .filter((slot) => slot >= 0)
              .map((slot) => context.name(run, slot))
              .join(" – "),
          )
        : null,
    );
  }

  private makeLines(): Line[] {
    const { runs } = this.context;
    const several = runs.length > 1;
    return runs.flatMap((run, i) =>
      this.group.fields
        .filter((field) => fieldIndex(run.manifest, field) >= 0)
        .map((field, f) => ({
          run: i,
          field,
          colour: several ? runColour(i) : kPalette[f % kPalette.length]!,
          dash: several ? [[], [5, 3], [2, 2]][f % 3]! : [],
          label: several ? this.context.label(i) : shortName(field, this.group.fields[0]!),
        })),
    );
  }

  private data(): uPlot.AlignedData {
    const positive = this.group.log;
    const tables = this.context.runs.map((run, i) => {
      const columns = this.lines
        .filter((line) => line.run === i)
        .map((line) => {
          const column = run.series.columns[fieldIndex(run.manifest, line.field)]!;
          return Array.from(column, (v) => (Number.isFinite(v) && (!positive || v > 0) ? v : null));
        });
      return [Array.from(run.series.times), ...columns] as uPlot.AlignedData;
    });
    return tables.length === 1 ? tables[0]! : uPlot.join(tables);
  }

  private setLog(log: boolean): void {
    this.group = { ...this.group, log };
    this.build();
    this.showValues();
  }

  private help(): string {
    const { manifest } = this.context.runs[0]!;
    return this.group.fields.map((name) => `${name}: ${fieldOf(manifest, name)?.help ?? ""}`).join("\n");
  }

  /** Click or drag goes to that time; with shift it chooses the times to show, and a double click shows all again. */
  private listen(over: HTMLElement): void {
    const { store } = this.context;
    const place = (event: PointerEvent): number => event.clientX - over.getBoundingClientRect().left;
    const time = (x: number): number => this.chart!.posToVal(Math.max(0, Math.min(over.clientWidth, x)), "x");
    let from: number | null = null; // px, where a selection began
    const select = (to: number): void => {
      const [left, right] = [Math.min(from!, to), Math.max(from!, to)];
      this.chart!.setSelect({ left, width: right - left, top: 0, height: over.clientHeight }, false);
    };
    const go = (event: PointerEvent): void => {
      store.set({ playing: false });
      this.context.seek(time(place(event)));
    };
    over.addEventListener("pointerdown", (event) => {
      if (event.button !== 0) return;
      over.setPointerCapture(event.pointerId);
      if (event.shiftKey) from = place(event);
      else go(event);
    });
    over.addEventListener("pointermove", (event) => {
      if (!over.hasPointerCapture(event.pointerId)) return;
      if (from === null) go(event);
      else select(place(event));
    });
    over.addEventListener("pointerup", (event) => {
      if (from === null) return;
      const [a, b] = [time(from), time(place(event))];
      const wide = Math.abs(place(event) - from) > kLeastDrag;
      from = null;
      this.chart!.setSelect({ left: 0, width: 0, top: 0, height: 0 }, false);
      if (wide) store.set({ zoom: [Math.min(a, b), Math.max(a, b)] });
    });
    over.addEventListener("dblclick", () => store.set({ zoom: null }));
  }
}

const shortName = (field: string, first: string): string =>
  field === `${first}_mean`
    ? "mean"
    : field
        .replace(/_energy$/, "")
        .replace(/^energy$/, "total")
        .replace(/_/g, " ");

const minus = (text: string): string => text.replace("e+", "e").replaceAll("-", "−");
const tick = (value: number): string => minus(String(Number(value.toPrecision(5))));

function largest(data: uPlot.AlignedData): number {
  let most = 0;
  for (let s = 1; s < data.length; ++s)
    for (const v of data[s]!) if (v !== null && v !== undefined && Math.abs(v) > most) most = Math.abs(v);
  return most;
}
