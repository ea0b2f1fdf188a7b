// The line on top: what this is, the state of a live run, how runs are shown, light or dark, help.
import type { AppState } from "../state/app_state.js";
import { runColour } from "../state/colours.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";
import { icon } from "./icons.js";
import { toggleTheme } from "./keyboard.js";

export function makeTopBar(context: Context, help: HTMLDialogElement): HTMLElement {
  const { store, page, runs } = context;
  const manifest = runs[0]!.manifest;
  const several = runs.length > 1;
  const bar = el(
    "header",
    { class: "top" },
    el("h1", {}, page.report?.title || page.title || manifest.name),
    several || page.statics ? null : el("span", { class: "badge", title: "Contact model" }, manifest.model),
    context.source.live ? liveBadges(context) : null,
    el("span", { class: "space" }),
    several && !page.statics ? views(context) : null,
    el(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": "Show everything (a)",
        title: "Show everything (a)",
        onclick: () => context.stage?.frameAll(),
      },
      icon("frame"),
    ),
    el(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": "Light or dark (t)",
        title: "Light or dark (t)",
        onclick: () => toggleTheme(context),
      },
      icon("theme"),
    ),
    el(
      "button",
      {
        type: "button",
        class: "tool",
        "aria-label": "Keys and help (?)",
        title: "Keys and help (?)",
        onclick: () => help.showModal(),
      },
      icon("help"),
    ),
  );
  const badge = bar.querySelector(".badge");
  if (badge)
    store.on(
      ["scene", "status"],
      () => (badge.textContent = context.source.live?.status.options?.model ?? runs[0]!.manifest.model),
    );
  return bar;
}

function liveBadges(context: Context): HTMLElement {
  const live = context.source.live!;
  const link = el("span", { class: "badge", role: "status" });
  const edited = el(
    "span",
    {
      class: "badge warn",
      title: "Someone pulled a body or changed a number: this is no longer the run of the scene file",
    },
    "edited",
  );
  const back = el(
    "button",
    { type: "button", onclick: () => (context.store.set({ playing: false }), context.seek(Infinity)) },
    "Back to now",
  );
  const show = (): void => {
    const { connection, running, failed } = live.status;
    link.textContent =
      connection !== "open"
        ? connection === "closed"
          ? "connection lost"
          : "connecting"
        : failed
          ? "stopped"
          : running
            ? "live"
            : "paused";
    link.dataset["state"] = connection === "open" && !failed ? (running ? "good" : "idle") : "bad";
    edited.hidden = !live.status.edited;
    back.hidden = context.store.state.following;
  };
  context.store.on(["status", "following"], show, true);
  return el("span", { class: "badges" }, link, edited, back);
}

/** Side by side, ghosts, or one alone; and which one comes first. */
function views(context: Context): HTMLElement {
  const { store, runs } = context;
  const choices: [AppState["view"], string][] = [
    ["side", "Side by side"],
    ["ghost", "Overlay"],
    ["single", "One"],
  ];
  const buttons = choices.map(([view, label]) => {
    const button = el("button", { type: "button", onclick: () => store.set({ view }) }, label);
    store.on(["view"], () => button.setAttribute("aria-pressed", String(store.state.view === view)), true);
    return button;
  });
  const active = el("select", {
    "aria-label": "Run whose contacts and events are listed",
    title: "Run whose contacts and events are listed",
    onchange: () => store.set({ activeRun: Number(active.value) }),
  });
  runs.forEach((_, i) => active.append(el("option", { value: i, style: `color:${runColour(i)}` }, context.label(i))));
  store.on(["activeRun"], () => (active.value = String(store.state.activeRun)), true);
  return el(
    "span",
    { class: "views" },
    el("span", { class: "segmented", role: "group", "aria-label": "How runs are shown" }, ...buttons),
    active,
  );
}
