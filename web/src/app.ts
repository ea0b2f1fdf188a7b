// Puts the page together and runs its clock.
import type { PageBlock, Run, Source } from "./data/source.js";
import type { Statics } from "./data/statics.js";
import { Context } from "./panels/context.js";
import { el } from "./panels/dom.js";
import { listenToKeys, makeHelp } from "./panels/keyboard.js";
import { makeLegend } from "./panels/layers_panel.js";
import { Overlay } from "./panels/overlay.js";
import { makePlots } from "./panels/plots.js";
import { listenToPointer } from "./panels/pointer.js";
import { makeReport } from "./panels/report.js";
import { makeSide } from "./panels/side.js";
import { makeTimeline } from "./panels/timeline.js";
import { makeTopBar } from "./panels/top_bar.js";
import { makeVerdict } from "./panels/verdict.js";
import { extentsOf } from "./scene/extents.js";
import { Stage } from "./scene/stage.js";
import { makeStore } from "./state/app_state.js";
import { advance, endTime, speedFor, startTime } from "./state/clock.js";

const kNoPicture =
  "This browser cannot draw the picture: it has no WebGL 2, or it is switched off. Plots, tables and numbers work all the same.";

const kNoPoses = "This recording holds no poses, so there is nothing to draw. Plots and numbers are here.";
const kPlaySeconds = 3; // that the motion of a verdict is played for
const kMostPoints = 30; // of a verdict: of more contact points ranges are shown by pair at first
const kLatestMs = 1500; // plots do not wait longer for the first picture

/** What tests look at: not part of the page's behaviour. */
declare global {
  interface Window {
    touchstone?: { context: Context };
  }
}

export function startApp(root: HTMLElement, page: PageBlock, source: Source): void {
  const store = makeStore(source.runs.length, source.live !== null);
  const context = new Context(page, source, store);
  store.on(["theme"], () => setTheme(store.state.theme), true); // first: others read colours of the style
  const help = makeHelp(context);
  const canvas = el("canvas", {
    class: "canvas",
    tabindex: 0,
    "aria-label": "Picture of the simulation. Arrow keys step, space plays, ? lists all keys.",
  });
  const picture = el("section", { class: "picture" }, canvas);
  document.title = page.title || source.runs[0]!.manifest.name;
  root.className = page.statics ? "app statics" : source.runs.length > 1 ? "app compared" : "app";
  if (page.statics) beginStatics(context, page.statics);
  const side = makeSide(context);
  const plots = page.statics ? null : makePlots(context);
  const timeline = makeTimeline(context);
  if (page.statics) store.on(["view", "activeRun"], () => (timeline.hidden = !moves(context)), true);
  root.replaceChildren(
    makeTopBar(context, help),
    page.statics ? makeVerdict(context, page.statics) : lead(context),
    el("main", { class: "stage" }, picture, side),
    timeline,
    ...(page.report ? [makeReport(context, page.report)] : []),
    ...(plots ? [plots.root] : []),
    help,
  );
  const overlay = startPicture(context, picture, canvas);
  listenToData(context);
  listenToKeys(context, help);
  let begun = false;
  const begin = (): void => {
    if (begun) return;
    begun = true;
    plots?.start();
    if ((page.report || (page.statics && moves(context))) && overlay) playAtFirst(context);
  };
  if (!overlay) begin();
  else setTimeout(begin, kLatestMs);
  runClock(context, overlay, begin);
  window.touchstone = { context };
}

/** One sentence under the title: what is compared, or what is wrong with the recording. */
function lead(context: Context): HTMLElement {
  const { page, runs } = context;
  const manifest = runs[0]!.manifest;
  const sentences: string[] = [];
  if (runs.length > 1) {
    const scene = page.report?.scene ? `“${page.report.scene}”` : "The same scene";
    sentences.push(
      `${scene} ran ${runs.length} times: start, bodies and forces are the same, what differs is how contact is treated. One clock drives all pictures.`,
    );
  }
  for (const run of runs) if (run.manifest.truncated) sentences.push(run.manifest.truncated);
  if (runs.length === 1 && !manifest.complete && !manifest.truncated && !context.source.live)
    sentences.push("The recording is not complete.");
  return el("p", { class: "lead", hidden: sentences.length === 0 }, sentences.join(" "));
}

function startPicture(context: Context, picture: HTMLElement, canvas: HTMLCanvasElement): Overlay | null {
  const poses = context.runs.some((run) => run.manifest.has.poses);
  const gl = poses ? webGlOf(canvas) : null;
  if (!gl) {
    canvas.remove();
    picture.append(el("p", { class: "message", role: "alert" }, poses ? kNoPicture : kNoPoses));
    return null;
  }
  const stage = new Stage(canvas, gl, context.store, context.runs, (run) => context.stepSize(run));
  context.stage = stage;
  const overlay = new Overlay(context);
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const line = document.createElementNS("http://www.w3.org/2000/svg", "line");
  svg.classList.add("pull");
  line.style.display = "none";
  svg.append(line);
  picture.append(overlay.root, svg, makeLegend(context));
  listenToPointer(context, stage, line);
  canvas.addEventListener("webglcontextlost", (event) => {
    event.preventDefault();
    picture.append(
      el(
        "p",
        { class: "message", role: "alert" },
        "The picture was lost by the graphics driver. Load the page again to see it.",
      ),
    );
  });
  return overlay;
}

/** Asked here: three.js would write its complaint to the console. */
function webGlOf(canvas: HTMLCanvasElement): WebGL2RenderingContext | null {
  try {
    return canvas.getContext("webgl2", { alpha: true, antialias: true, powerPreference: "high-performance" });
  } catch {
    return null;
  }
}

function listenToData(context: Context): void {
  const { store, source } = context;
  for (const run of source.runs) {
    run.subscribe((what) => {
      if (what === "scene") store.set({ scene: store.state.scene + 1, selection: null, following: true });
      store.set({ data: store.state.data + 1 });
      if (store.state.following) store.set({ time: endTime(context.clock.series) });
    });
  }
  source.live?.onStatus(() => store.set({ status: store.state.status + 1 }));
  store.set({ time: source.live ? endTime(context.clock.series) : startTime(context.clock.series) });
}

/** A grid at z = 0 that goes through bodies is no ground. */
function standsOnGrid(run: Run): boolean {
  const frame = run.frame(0);
  if (!frame || run.manifest.dimension === 2) return true;
  const { dynamic } = extentsOf(run.manifest, [frame]);
  return dynamic.every(({ low, r }) => low[2]! > -0.01 * r);
}

/** Whether something of what is shown moves. */
const moves = ({ store, runs }: Context): boolean =>
  runs.some(({ series }, run) => series.frames > 1 && (store.state.view === "side" || run === store.state.activeRun));

/** Both answers of MAY STAND at once, a single one otherwise; the motion in slow motion, a few seconds for all of it. */
function beginStatics({ store, runs, clock }: Context, { result }: Statics): void {
  const end = endTime(clock.series);
  const { bars, pairBars } = runs[0]!.statics!;
  store.set({
    view: result.verdict === "may_stand" && runs.length > 1 ? "side" : "single",
    tab: result.verdict === "falls" ? "motion" : result.forces.length > 0 ? "forces" : "margins",
    layers: { ...store.state.layers, contacts: true, grid: standsOnGrid(runs[0]!), forces: pairBars.length === 0 },
    byPair: bars.length === 0 || (bars.length > kMostPoints && pairBars.length > 1),
    ...(end > 0 ? { speed: speedFor(end / kPlaySeconds) } : {}),
  });
}

/** A report shows at once that something happens; who prefers things to stand still presses play. */
function playAtFirst({ store }: Context): void {
  if (!matchMedia("(prefers-reduced-motion: reduce)").matches) store.set({ playing: true, loop: true });
}

/** `drawn` is called in the tick after a picture: by then it is on its way to the screen. */
function runClock(context: Context, overlay: Overlay | null, drawn: () => void): void {
  const { store } = context;
  let pictures = 0;
  let last = performance.now();
  const tick = (now: number): void => {
    const seconds = Math.min(0.1, (now - last) / 1000);
    last = now;
    const { state } = store;
    if (state.playing) {
      const next = advance(state.time, seconds, state.speed, context.clock.series, state.loop);
      store.set({ time: next.time, playing: !next.ended });
    }
    if (pictures === 1) drawn();
    if (context.stage?.render(now)) {
      ++pictures;
      overlay?.update();
    }
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);
}

function setTheme(theme: "auto" | "light" | "dark"): void {
  if (theme === "auto") delete document.documentElement.dataset["theme"];
  else document.documentElement.dataset["theme"] = theme;
}
