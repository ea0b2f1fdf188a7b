// What the page remembers: where the clock stands, what is shown and what is selected.
import { Store } from "./store.js";

export const kLayers = [
  { name: "contacts", label: "Contact points", key: "c", help: "A dot where two bodies touch" },
  { name: "normals", label: "Contact normals", key: "n", help: "From body A to body B" },
  { name: "forces", label: "Contact forces", key: "v", help: "Impulse over the step, on body B [N]" },
  {
    name: "ranges",
    label: "Ranges of forces",
    key: "e",
    help: "Normal force at each contact point: a bar from the least to the greatest that balances the loads; an arrow where the two are equal",
    statics: true,
  },
  {
    name: "motion",
    label: "Motion of bodies",
    key: "k",
    help: "Acceleration (or velocity of a mechanism) of each body, and the way it turns",
    statics: true,
  },
  {
    name: "cones",
    label: "Friction cones",
    key: "o",
    help: "All forces that static friction allows; the force lies in it or on it",
  },
  { name: "bounds", label: "Bounds", key: "b", help: "Axis-aligned box around each body" },
  { name: "centres", label: "Centres of mass", key: "m", help: "Where gravity acts" },
  { name: "joints", label: "Joints and springs", key: "j", help: "What is joined to what, and along which axes, planes and curves it moves" },
  { name: "graph", label: "Contact graph", key: "g", help: "A line between the centres of bodies that touch" },
  { name: "shadows", label: "Shadows", key: "h", help: "" },
  { name: "wireframe", label: "Wireframe", key: "w", help: "Edges only" },
  { name: "grid", label: "Ground grid", key: "d", help: "" },
] as const;

/** Whether a layer belongs to a page: some are of verdicts only. */
export const hasLayer = (layer: (typeof kLayers)[number], statics: boolean): boolean =>
  statics || !("statics" in layer);

export type LayerName = (typeof kLayers)[number]["name"];

export const kColours = [
  { name: "body", label: "body" },
  { name: "material", label: "material" },
  { name: "island", label: "island" },
  { name: "gap", label: "depth (model's contacts)" },
  { name: "speed", label: "speed" },
] as const;

export type ColourBy = (typeof kColours)[number]["name"];

/** A contact is remembered by its key, so that it stays selected from frame to frame. */
export type Selection =
  | { kind: "body"; run: number; slot: number }
  | { kind: "pair"; run: number; a: number; b: number }
  | { kind: "contact"; run: number; a: number; b: number; keyLow: number; keyHigh: number };

export interface AppState {
  time: number; // s, of the one clock of all runs
  playing: boolean;
  speed: number; // simulated over real time
  loop: boolean;
  smooth: boolean; // draw between frames when playing slowly
  following: boolean; // live: stay with the newest frame
  layers: Readonly<Record<LayerName, boolean>>;
  colourBy: ColourBy;
  shadowsChosen: boolean; // somebody asked for them or against them
  saving: boolean; // shadows were switched off because pictures took too long
  byPair: boolean; // of a verdict: ranges of forces by pair of bodies, not by contact point
  arrowScale: number; // times the automatic scale
  selection: Selection | null;
  note: string; // on how the selection was come to
  activeRun: number;
  view: "side" | "ghost" | "single";
  zoom: readonly [number, number] | null; // s: what plots show; null is everything
  theme: "auto" | "light" | "dark";
  tab: string;
  eventKind: number; // −1: any
  dragTool: boolean;
  data: number; // counts up when frames or series changed
  scene: number; // counts up when a run is a new one
  status: number; // counts up with the state of the live link
}

export type App = Store<AppState>;

export function makeStore(runs: number, live: boolean): App {
  const layers = Object.fromEntries(
    kLayers.map(({ name }) => [name, ["shadows", "grid", "joints", "ranges", "motion"].includes(name)]),
  );
  return new Store<AppState>({
    time: 0,
    playing: false,
    speed: 1,
    loop: false,
    smooth: true,
    following: live,
    layers: layers as Record<LayerName, boolean>,
    colourBy: "body",
    shadowsChosen: false,
    saving: false,
    byPair: false,
    arrowScale: 1,
    selection: null,
    note: "",
    activeRun: 0,
    view: runs > 1 ? "side" : "single",
    zoom: null,
    theme: "auto",
    tab: "inspect",
    eventKind: -1,
    dragTool: false,
    data: 0,
    scene: 0,
    status: 0,
  });
}

export function toggleLayer(store: App, name: LayerName): void {
  if (name === "shadows") store.set({ shadowsChosen: true, saving: false });
  store.set({ layers: { ...store.state.layers, [name]: !store.state.layers[name] } });
}
