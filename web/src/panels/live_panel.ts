// A running simulation: its state, and what can be changed in it.
import type { LiveOptions } from "../data/source.js";
import { number } from "../state/units.js";
import type { Context } from "./context.js";
import { el, facts } from "./dom.js";

export function makeLivePanel(context: Context): HTMLElement {
  const live = context.source.live!;
  const { store } = context;
  const state = el("div");
  const forms = el("div");
  const model = el("select", { id: "live-model", onchange: () => live.send({ do: "model", name: model.value }) });
  const step = el("input", {
    id: "live-step",
    type: "number",
    min: 0,
    step: "any",
    onchange: () => live.send({ do: "step_size", value: Number(step.value) }),
  });
  const drag = el("input", {
    type: "checkbox",
    id: "drag-tool",
    onchange: () => store.set({ dragTool: drag.checked }),
  });
  const here = el("button", { type: "button", onclick: () => goOnFromHere(context) }, "Go on from this frame");
  let shown = "";
  let said = "";
  let known = "";
  let made: MaterialForm[] = [];

  const showModels = (): void => {
    const models = context.runs[0]!.manifest.models ?? [];
    model.replaceChildren(...models.map(({ name, help }) => el("option", { value: name, title: help }, name)));
    model.value = live.status.options?.model ?? context.runs[0]!.manifest.model;
  };
  const show = (): void => {
    const { status } = live;
    state.replaceChildren(
      facts([
        [
          "connection",
          status.connection === "open"
            ? "connected"
            : status.connection === "connecting"
              ? "connecting…"
              : "lost, trying again…",
        ],
        ["simulation", status.failed ? "stopped by an error" : status.running ? "runs" : "paused"],
        ["real-time factor", number(status.real_time_factor, 3), "Simulated over real time"],
      ]),
      status.message ? el("p", { class: status.failed ? "warning" : "muted", role: "status" }, status.message) : "",
    );
    if (status.message !== said) shown = ""; // a value may have been refused: show those that hold
    said = status.message;
    here.hidden = store.state.following;
    drag.checked = store.state.dragTool;
    const { options } = status;
    const text = JSON.stringify(options);
    if (!options || text === shown) return;
    shown = text;
    model.value = options.model;
    setValue(step, options.step_size);
    const names = options.materials.map(({ name }) => name).join("\n");
    if (names !== known) {
      known = names;
      made = options.materials.map((material) => materialForm(context, material.name));
      forms.replaceChildren(...made.map(({ root }) => root));
    }
    options.materials.forEach((material, i) => made[i]!.show(material));
  };
  store.on(["status", "following", "dragTool"], show, true);
  store.on(["scene"], showModels, true);
  return el(
    "div",
    { class: "live" },
    state,
    el("label", { class: "field" }, el("span", {}, "Contact model"), model),
    el("label", { class: "field" }, el("span", {}, "Step [s]"), step),
    el(
      "label",
      { class: "check", title: "Without it: hold Ctrl and drag" },
      drag,
      el("span", {}, "Drag bodies by a spring"),
      el("kbd", {}, "x"),
    ),
    el(
      "div",
      { class: "row" },
      el("button", { type: "button", onclick: () => live.send({ do: "restart" }) }, "Restart"),
      here,
    ),
    el("h3", {}, "Materials"),
    forms,
  );
}

/** Takes the simulation back to the frame that is shown. */
export function goOnFromHere(context: Context): void {
  const frame = context.frame();
  if (!frame) return;
  context.source.live?.send({ do: "goto", step: frame.step });
  context.store.set({ following: true, playing: false });
}

interface MaterialForm {
  root: HTMLElement;
  show(material: LiveOptions["materials"][0]): void;
}

/** Not where somebody is typing. */
function setValue(input: HTMLInputElement, value: number): void {
  if (input !== document.activeElement) input.value = String(value);
}

function materialForm(context: Context, name: string): MaterialForm {
  const input = (label: string): HTMLInputElement =>
    el("input", { type: "number", min: 0, step: "any", "aria-label": `${label} of ${name}`, onchange: () => send() });
  const staticFriction = input("static friction");
  const dynamicFriction = input("dynamic friction");
  const restitution = input("restitution");
  const send = (): void =>
    context.source.live!.send({
      do: "material",
      name,
      static_friction: Number(staticFriction.value),
      dynamic_friction: Number(dynamicFriction.value),
      restitution: Number(restitution.value),
    });
  return {
    root: el(
      "fieldset",
      {},
      el("legend", {}, name),
      el("label", {}, "μ_s", staticFriction),
      el("label", {}, "μ_d", dynamicFriction),
      el("label", {}, "e", restitution),
    ),
    show: (material) => {
      setValue(staticFriction, material.static_friction);
      setValue(dynamicFriction, material.dynamic_friction);
      setValue(restitution, material.restitution);
    },
  };
}
