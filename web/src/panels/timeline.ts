// The timeline: play, step, scrub, speed, loop, and marks of events with jumps between them.
import { clock } from "../state/units.js";
import { kSpeeds, nextSpeed } from "../state/clock.js";
import { frameAt } from "../state/clock.js";
import type { Context } from "./context.js";
import { el, throttle } from "./dom.js";
import { kEventKinds } from "./events.js";
import { icon, type IconName } from "./icons.js";

export function makeTimeline(context: Context): HTMLElement {
  const { store } = context;
  const button = (name: IconName, label: string, action: () => void): HTMLButtonElement =>
    el("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: action }, icon(name));

  const play = button("play", "Play (space)", () => context.playPause());
  play.classList.add("primary");
  const back = button("back", "One frame back (←)", () => context.step(-1));
  const forward = button("forward", "One frame on (→)", () => context.step(1));
  const previous = button("previous", "Previous event ([)", () => context.jump(-1));
  const next = button("next", "Next event (])", () => context.jump(1));
  const loop = button("loop", "Loop (l)", () => store.set({ loop: !store.state.loop }));
  const kinds = el("select", {
    "aria-label": "Kind of event to jump to",
    title: "Kind of event to jump to",
    onchange: () => store.set({ eventKind: Number(kinds.value) }),
  });
  const speed = el("select", {
    "aria-label": "Speed, times real time",
    title: "Speed, times real time (+ and −)",
    onchange: () => setSpeed(context, Number(speed.value)),
  });
  for (const value of kSpeeds) speed.append(el("option", { value }, `${value}×`));
  const smooth = el("input", { type: "checkbox", onchange: () => store.set({ smooth: smooth.checked }) });
  const time = el("output", { class: "clock", "aria-live": "off" });
  const place = el("output", { class: "place", "aria-live": "off" });
  const slider = el("input", {
    type: "range",
    min: 0,
    step: 1,
    "aria-label": "Frame",
    oninput: () => {
      store.set({ playing: false });
      context.seekFrame(Number(slider.value));
    },
  });
  const marks = el("canvas", { class: "marks", "aria-hidden": "true" });

  const showTime = (): void => {
    const run = context.clock;
    const index = context.index(run);
    const step = run.series.steps[index] ?? 0;
    slider.max = String(Math.max(0, run.series.frames - 1));
    slider.value = String(index);
    const shown = run.series.times[index] ?? 0;
    time.textContent = clock(shown, run.manifest.step_size);
    place.textContent = run.statics
      ? motionText(context)
      : `step ${step} · frame ${index + 1} of ${run.series.frames}`;
    slider.setAttribute("aria-valuetext", `${time.textContent}, step ${step}`);
  };
  const showKinds = throttle(() => {
    const events = context.activeRun.series.events;
    const counts = new Map<number, number>();
    for (const event of events) counts.set(event.kind, (counts.get(event.kind) ?? 0) + 1);
    kinds.replaceChildren(el("option", { value: -1 }, `any event (${events.length})`));
    for (const { kind, label } of kEventKinds) {
      const count = counts.get(kind) ?? 0;
      if (count > 0 || kind < 6)
        kinds.append(el("option", { value: kind, disabled: count === 0 }, `${label} (${count})`));
    }
    kinds.value = String(store.state.eventKind);
    drawMarks(context, marks);
  }, 500);
  const showPlay = (): void => {
    const running = store.state.playing || (context.source.live?.status.running === true && store.state.following);
    play.replaceChildren(icon(running ? "pause" : "play"));
    const label = running ? "Pause (space)" : "Play (space)";
    play.setAttribute("aria-label", label);
    play.title = label;
    loop.setAttribute("aria-pressed", String(store.state.loop));
    const live = context.source.live;
    const shown = live && store.state.following ? live.status.speed : store.state.speed;
    if (![...speed.options].some((option) => Number(option.value) === shown))
      speed.append(el("option", { value: shown }, shown === 0 ? "fastest" : `${shown}×`));
    speed.value = String(shown);
    smooth.checked = store.state.smooth;
  };
  store.on(["time", "data", "scene", "activeRun", "view"], showTime, true);
  store.on(["data", "scene", "activeRun", "eventKind"], showKinds, true);
  store.on(["playing", "loop", "speed", "smooth", "status", "following"], showPlay, true);
  new ResizeObserver(() => drawMarks(context, marks)).observe(marks);

  return el(
    "section",
    { class: "timeline", "aria-label": "Timeline" },
    el("div", { class: "track" }, marks, slider),
    el(
      "div",
      { class: "tools" },
      el("div", { class: "group" }, back, play, forward),
      el("div", { class: "group now" }, time, place),
      context.page.statics ? null : el("div", { class: "group" }, previous, kinds, next),
      el(
        "div",
        { class: "group" },
        speed,
        loop,
        el(
          "label",
          { class: "check", title: "Draw between frames when playing slowly; numbers are always those of a frame" },
          smooth,
          "smooth",
        ),
      ),
    ),
  );
}

/** What the clock of a verdict drives. */
function motionText({ store, runs, activeRun, clock: longest }: Context): string {
  const shown = store.state.view === "side" ? longest : activeRun;
  if (shown.statics!.kind === "acceleration") return "x₀ + ½·a·t², initial accelerations kept";
  return runs.some(({ statics }) => statics!.kind === "acceleration")
    ? "the mechanism: no time, its scale is arbitrary"
    : "no time: the scale is arbitrary";
}

export function setSpeed(context: Context, speed: number): void {
  const { live } = context.source;
  if (live) live.send({ do: "speed", value: speed });
  context.store.set({ speed });
}

export function changeSpeed(context: Context, direction: 1 | -1): void {
  const { live } = context.source;
  setSpeed(context, nextSpeed(live ? live.status.speed : context.store.state.speed, direction));
}

/** A tick for each event, on one line per kind; many events become a denser line. */
function drawMarks(context: Context, canvas: HTMLCanvasElement): void {
  const ratio = devicePixelRatio || 1;
  const [width, height] = [canvas.clientWidth, canvas.clientHeight];
  if (width === 0) return;
  canvas.width = width * ratio;
  canvas.height = height * ratio;
  const pen = canvas.getContext("2d");
  if (!pen) return;
  pen.scale(ratio, ratio);
  const run = context.activeRun;
  const last = Math.max(1, context.clock.series.frames - 1);
  const kind = context.store.state.eventKind;
  const tall = kind >= 0 ? height : 6;
  const row = (height - tall) / (kEventKinds.length - 1);
  const inset = 8; // half the slider's knob
  const seen = new Set<number>();
  for (const event of run.series.events) {
    if (kind >= 0 && event.kind !== kind) continue;
    const time = run.series.times[event.frame] ?? 0;
    const x = Math.round(inset + (frameAt(context.clock.series, time) / last) * (width - 2 * inset));
    const key = x * 8 + event.kind;
    if (seen.has(key)) continue;
    seen.add(key);
    pen.fillStyle = kEventKinds[event.kind]?.colour ?? "#888";
    pen.fillRect(x - 0.75, event.kind * row, 1.5, tall);
  }
}
