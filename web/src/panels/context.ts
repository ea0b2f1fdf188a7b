// What panels work with: the state, the runs, the picture if there is one, and the things one can do.
import { bodyName } from "../data/manifest.js";
import type { PageBlock, Run, Source } from "../data/source.js";
import type { Frame } from "../data/types.js";
import type { Stage } from "../scene/stage.js";
import { toWorld } from "../scene/poses.js";
import { bodyRadii } from "../scene/bounds.js";
import type { App, Selection } from "../state/app_state.js";
import { clockRun, endTime, eventFrame, frameAt, startTime } from "../state/clock.js";
import { contactNumbers, contactsOf, findContact } from "../state/contacts.js";

export class Context {
  stage: Stage | null = null;

  constructor(
    readonly page: PageBlock,
    readonly source: Source,
    readonly store: App,
  ) {}

  get runs(): Run[] {
    return this.source.runs;
  }

  get activeRun(): Run {
    return this.runs[this.store.state.activeRun]!;
  }

  /** The run whose frames the timeline counts. */
  get clock(): Run {
    return this.runs[clockRun(this.runs)]!;
  }

  index(run: Run): number {
    return frameAt(run.series, this.store.state.time);
  }

  frame(run = this.activeRun): Frame | null {
    return run.series.frames > 0 ? run.frame(this.index(run)) : null;
  }

  stepSize(run = this.store.state.activeRun): number {
    return this.source.live?.status.options?.step_size ?? this.runs[run]!.manifest.step_size;
  }

  name(run: number, slot: number): string {
    return bodyName(this.runs[run]!.manifest, slot);
  }

  /** A run as it is called in legends. */
  label(run: number): string {
    const row = this.page.report?.table.rows.find((each) => each.run === run);
    return row?.label ?? this.runs[run]!.statics?.label ?? this.runs[run]!.manifest.model;
  }

  seek(time: number): void {
    const { series } = this.clock;
    const next = Math.max(startTime(series), Math.min(endTime(series), time));
    this.store.set({ time: next, following: this.source.live !== null && next >= endTime(series) });
  }

  seekFrame(index: number, run = this.clock): void {
    const clamped = Math.max(0, Math.min(run.series.frames - 1, index));
    const time = run.series.times[clamped];
    if (time !== undefined) this.seek(time);
  }

  playPause(): void {
    const { live } = this.source;
    const { state } = this.store;
    if (live && (state.following || this.atEnd())) {
      live.send({ do: live.status.running ? "pause" : "play" });
      this.store.set({ following: true, playing: false });
      return;
    }
    if (!state.playing && this.atEnd()) this.seek(startTime(this.clock.series));
    this.store.set({ playing: !state.playing });
  }

  /** One frame on or back; at the end of a live run, one step of the solver. */
  step(direction: 1 | -1): void {
    const { live } = this.source;
    this.store.set({ playing: false });
    if (live && this.store.state.following && (direction > 0 || !live.status.running)) {
      if (live.status.running) live.send({ do: "pause" });
      live.send({ do: "step", steps: direction });
      return;
    }
    this.seekFrame(this.index(this.clock) + direction);
  }

  jump(direction: 1 | -1): boolean {
    const run = this.activeRun;
    const { eventKind } = this.store.state;
    const frame = eventFrame(run.series.events, this.index(run), direction, eventKind);
    if (frame === null) return false;
    this.store.set({ playing: false });
    this.seekFrame(frame, run);
    const event = run.series.events.find((e) => e.frame === frame && (eventKind < 0 || e.kind === eventKind));
    if (event && event.a < run.manifest.bodies.length && event.b < run.manifest.bodies.length)
      this.select({ kind: "pair", run: this.store.state.activeRun, a: event.a, b: event.b });
    return true;
  }

  select(selection: Selection | null, fly = false): void {
    this.store.set({ selection, note: "", ...(selection ? { activeRun: selection.run, tab: "inspect" } : {}) });
    if (fly) this.flyToSelection();
  }

  selectContact(run: number, index: number, fly = false): void {
    const frame = this.frame(this.runs[run]!);
    if (!frame || index >= frame.contacts) return;
    const { a, b, keyLow, keyHigh } = contactNumbers(frame, index);
    this.select({ kind: "contact", run, a, b, keyLow, keyHigh }, fly);
  }

  /** The worst contact of a pair, or the pair itself if no contact of it was recorded. */
  selectPair(run: number, a: number, b: number, fly = false): void {
    if (a < 0 && b < 0) return;
    if (a < 0 || b < 0) return this.select({ kind: "body", run, slot: Math.max(a, b) }, fly);
    this.select({ kind: "pair", run, a, b }, fly);
  }

  atEnd(): boolean {
    return this.store.state.time >= endTime(this.clock.series) - 1e-9;
  }

  flyToSelection(): void {
    const { selection } = this.store.state;
    if (!this.stage) return;
    if (!selection) return this.stage.frameAll();
    const run = this.runs[selection.run]!;
    const frame = this.frame(run);
    if (!frame?.poses) return;
    const radii = bodyRadii(run.manifest);
    const view = this.stage.views[selection.run]!;
    const near = (slots: number[]): number => {
      const sizes = slots.map((s) => radii[s] ?? 0).filter((r) => r > 0);
      return Math.min(view.ball.radius, 5 * (sizes.length > 0 ? Math.min(...sizes) : view.ball.radius / 10));
    };
    if (selection.kind === "body") {
      const com = run.manifest.bodies[selection.slot]?.com ?? [0, 0, 0];
      this.stage.flyTo(toWorld(frame.poses, selection.slot, com, [0, 0, 0]), near([selection.slot]));
      return;
    }
    const contact =
      selection.kind === "contact"
        ? findContact(frame, selection)
        : (contactsOf(frame, selection.a, selection.b)[0] ?? -1);
    const slots = [selection.a, selection.b];
    if (contact >= 0) this.stage.flyTo(contactNumbers(frame, contact).point, near(slots));
    else {
      const slot = slots.find((s) => run.manifest.bodies[s]?.kind === "dynamic") ?? selection.a;
      this.stage.flyTo(toWorld(frame.poses, slot, [0, 0, 0], [0, 0, 0]), near([slot]));
    }
  }
}
