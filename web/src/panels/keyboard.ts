// Keys, as in MuJoCo's simulate where it has them, and the page that lists them.
import { hasLayer, kLayers, toggleLayer } from "../state/app_state.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { tabNames } from "./side.js";
import { changeSpeed } from "./timeline.js";

interface Key {
  keys: string[];
  shown: string;
  help: string;
  act(context: Context): void;
}

export const kKeys: Key[] = [
  { keys: [" "], shown: "space", help: "play, pause", act: (c) => c.playPause() },
  { keys: ["ArrowRight"], shown: "→", help: "one frame on (live: one step)", act: (c) => c.step(1) },
  { keys: ["ArrowLeft"], shown: "←", help: "one frame back", act: (c) => c.step(-1) },
  { keys: ["Home"], shown: "Home", help: "to the start", act: (c) => c.seekFrame(0) },
  { keys: ["End"], shown: "End", help: "to the end", act: (c) => c.seekFrame(Infinity) },
  { keys: ["]"], shown: "]", help: "next event", act: (c) => void c.jump(1) },
  { keys: ["["], shown: "[", help: "previous event", act: (c) => void c.jump(-1) },
  { keys: ["+", "="], shown: "+", help: "faster", act: (c) => changeSpeed(c, 1) },
  { keys: ["-", "_"], shown: "−", help: "slower", act: (c) => changeSpeed(c, -1) },
  { keys: ["l"], shown: "l", help: "loop", act: (c) => c.store.set({ loop: !c.store.state.loop }) },
  {
    keys: ["s"],
    shown: "s",
    help: "smooth: draw between frames",
    act: (c) => c.store.set({ smooth: !c.store.state.smooth }),
  },
  { keys: ["f"], shown: "f", help: "fly to the selection, or show everything", act: (c) => c.flyToSelection() },
  { keys: ["a"], shown: "a", help: "show everything", act: (c) => c.stage?.frameAll() },
  { keys: ["Escape"], shown: "Esc", help: "clear the selection", act: (c) => c.select(null) },
  {
    keys: ["i"],
    shown: "i",
    help: "colour by islands, or by body",
    act: (c) => c.store.set({ colourBy: c.store.state.colourBy === "island" ? "body" : "island" }),
  },
  {
    keys: ["p"],
    shown: "p",
    help: "colour by the depth of the model's contacts, or by body",
    act: (c) => c.store.set({ colourBy: c.store.state.colourBy === "gap" ? "body" : "gap" }),
  },
  { keys: ["t"], shown: "t", help: "light, dark", act: (c) => toggleTheme(c) },
  { keys: ["r"], shown: "r", help: "comparison: side by side, ghosts, one alone", act: (c) => nextView(c) },
  {
    keys: ["x"],
    shown: "x",
    help: "live: drag bodies",
    act: (c) => c.source.live && c.store.set({ dragTool: !c.store.state.dragTool }),
  },
  ...kLayers.map((layer) => ({
    keys: [layer.key],
    shown: layer.key,
    help: `${"statics" in layer ? "verdict: " : ""}layer: ${layer.label.toLowerCase()}`,
    act: (c: Context) => hasLayer(layer, c.page.statics !== undefined) && toggleLayer(c.store, layer.name),
  })),
];

export function toggleTheme({ store, stage }: Context): void {
  const dark =
    stage?.dark ??
    (store.state.theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : store.state.theme === "dark");
  store.set({ theme: dark ? "light" : "dark" });
}

function nextView({ store, runs }: Context): void {
  const order = ["side", "ghost", "single"] as const;
  if (runs.length > 1) store.set({ view: order[(order.indexOf(store.state.view) + 1) % order.length]! });
}

function nextTab(context: Context): void {
  const { store } = context;
  const tabs = tabNames(context);
  store.set({ tab: tabs[(tabs.indexOf(store.state.tab) + 1) % tabs.length]! });
}

/** True where letters are typed or a control has its own use for the key. */
function isBusy(target: EventTarget | null, key: string): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.matches("input[type=number], input[type=text], textarea, select")) return true;
  if (target.matches("input[type=range]")) return key.startsWith("Arrow") || key === "Home" || key === "End";
  if (target.matches("[role=tab]")) return key.startsWith("Arrow");
  return (key === " " || key === "Enter") && target.matches("button, input, a, tr");
}

export function listenToKeys(context: Context, help: HTMLDialogElement): void {
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey || isBusy(event.target, event.key)) return;
    if (event.key === "?") {
      if (help.open) help.close();
      else help.showModal();
      event.preventDefault();
      return;
    }
    if (help.open) return;
    // Tab changes panels while the picture has the focus, as in simulate; anywhere else it moves the focus.
    if (event.key === "Tab" && !event.shiftKey && event.target instanceof HTMLCanvasElement) {
      event.preventDefault();
      nextTab(context);
      return;
    }
    const key = kKeys.find(({ keys }) => keys.includes(event.key));
    if (!key) return;
    event.preventDefault();
    key.act(context);
  });
}

export function makeHelp(context: Context): HTMLDialogElement {
  const live = context.source.live !== null;
  const statics = context.page.statics !== undefined;
  const rows = kKeys
    .filter(
      ({ help }) =>
        (live || !help.startsWith("live:")) &&
        (statics || !help.startsWith("verdict:")) &&
        (context.runs.length > 1 || !help.startsWith("comparison:")),
    )
    .map(({ shown, help }) =>
      el("div", { class: "keyrow" }, el("kbd", {}, shown), el("span", {}, help.replace("verdict: ", ""))),
    );
  const flat = context.runs[0]!.manifest.dimension === 2;
  const mouse: [string, string][] = [
    ["click", "numbers of a body or a contact"],
    ["double click", "fly to it"],
    flat ? ["drag", "move the picture"] : ["drag", "turn; right button: move"],
    ["wheel", "nearer, farther"],
    ...(live ? ([["Ctrl + drag", "pull a body by a spring"]] as [string, string][]) : []),
    ["click a plot", "go to that time"],
    ["Shift + drag", "in a plot: zoom all plots; double click: everything"],
    ["Tab", "in the picture: next panel; elsewhere: next control"],
    ["?", "this page"],
  ];
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Close");
  const dialog: HTMLDialogElement = el(
    "dialog",
    { class: "help", "aria-label": "Keys" },
    el("h2", {}, "Keys"),
    el(
      "div",
      { class: "keys" },
      ...rows,
      ...mouse.map(([shown, text]) => el("div", { class: "keyrow" }, el("kbd", {}, shown), el("span", {}, text))),
    ),
    close,
  );
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  return dialog;
}
