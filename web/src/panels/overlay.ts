// Text on the picture: the name of each run, and a label at what is selected.
import { verdictText } from "../data/source.js";
import { toWorld } from "../scene/poses.js";
import { runColour } from "../state/colours.js";
import { contactNumbers, contactsOf, findContact } from "../state/contacts.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";

export class Overlay {
  readonly root = el("div", { class: "overlay", "aria-hidden": "true" });
  private readonly label = el("div", { class: "label" });
  private readonly captions: HTMLElement[] = [];
  private readonly hint = el(
    "div",
    { class: "hint", hidden: true },
    el("p", {}, el("b", {}, "Watch where they part.")),
    el("p", {}, "Click a body for its numbers in every run. Drag turns all pictures."),
    el("p", {}, "Press ", el("kbd", {}, "r"), " to lay the runs over each other, ", el("kbd", {}, "c"), " to see contacts."),
  );

  constructor(private readonly context: Context) {
    this.root.append(this.label);
    if (context.runs.length > 1) {
      this.root.append(this.hint);
      context.runs.forEach((_, run) => {
        const verdict = context.page.report?.verdicts.find(({ model }) => model === context.label(run))?.verdict ?? "";
        const caption = el(
          "div",
          { class: "caption" },
          el("span", { class: "swatch", style: `background:${runColour(run)}` }),
          el("b", {}, context.label(run)),
          verdict ? el("span", { class: "verdict" }, verdictText(verdict)) : null,
        );
        this.captions.push(caption);
        this.root.append(caption);
      });
    }
  }

  /** After each picture that was drawn. */
  update(): void {
    const { stage, store } = this.context;
    if (!stage) return;
    const ghost = store.state.view === "ghost";
    let line = 0;
    this.captions.forEach((caption, run) => {
      const area = stage.areas.find((a) => a.run === run);
      caption.hidden = (!area && !ghost) || (store.state.view === "single" && this.context.page.statics !== undefined);
      if (area && !ghost) place(caption, area.x + 8, area.y + 8);
      else if (ghost) place(caption, 8, 8 + 24 * line++);
      if (area) caption.style.maxWidth = `${area.width - 16}px`;
    });
    const free = stage.freeArea();
    this.hint.hidden = !free;
    if (free) {
      place(this.hint, free.x, free.y);
      this.hint.style.width = `${free.width}px`;
      this.hint.style.height = `${free.height}px`;
    }
    const target = this.target();
    const at = target ? stage.project(target.point, target.run) : null;
    this.label.hidden = !at;
    if (at && target) {
      this.label.textContent = target.text;
      place(this.label, at[0] + 10, at[1] - 26);
    }
  }

  private target(): { point: number[]; text: string; run: number } | null {
    const { context } = this;
    const { selection } = context.store.state;
    if (!selection) return null;
    const view = context.stage!.views[selection.run]!;
    const { frame } = view;
    if (!frame?.poses) return null;
    const name = (slot: number): string => context.name(selection.run, slot);
    if (selection.kind === "body") {
      const com = context.runs[selection.run]!.manifest.bodies[selection.slot]?.com ?? [0, 0, 0];
      if (frame.alive[selection.slot] === 0) return null;
      return {
        point: toWorld(view.poses, selection.slot, com, [0, 0, 0]),
        text: name(selection.slot),
        run: selection.run,
      };
    }
    const index =
      selection.kind === "contact"
        ? findContact(frame, selection)
        : (contactsOf(frame, selection.a, selection.b)[0] ?? -1);
    if (index < 0) return null;
    return {
      point: contactNumbers(frame, index).point,
      text: `${name(selection.a)} – ${name(selection.b)}`,
      run: selection.run,
    };
  }
}

function place(element: HTMLElement, x: number, y: number): void {
  element.style.transform = `translate(${Math.round(x)}px, ${Math.round(y)}px)`;
}
