// The picture: one canvas, one camera, a view of each run beside the others or on top of each other.
import { PCFSoftShadowMap, Raycaster, Vector2, Vector3, WebGLRenderer } from "three";
import type { Run } from "../data/source.js";
import { At } from "../data/types.js";
import type { App } from "../state/app_state.js";
import type { Bounds } from "./bounds.js";
import { Eye } from "./camera.js";
import { isSoftware, Pace } from "./quality.js";
import { RunView } from "./run_view.js";

const kPickPixels = 9; // a contact is hit within this distance
const kMaxRatio = 2;
const kFollowMs = 400; // how often a camera that nobody moved looks whether bodies leave a live picture

export interface Area {
  run: number;
  x: number;
  y: number;
  width: number;
  height: number;
}

export interface Pick {
  run: number;
  slot: number;
  contact: number; // index in the frame, −1 for a body
  point: [number, number, number];
}

export class Stage {
  readonly renderer: WebGLRenderer;
  views: RunView[] = [];
  eye: Eye;
  areas: Area[] = [];
  scriptMs = 0;
  /** While a body is pulled the camera stays where it is. */
  pulling = false;
  private dirty = true;
  private repaint = true;
  private moved = true; // bodies, so that shadows are to be made anew
  private pictures = 0;
  private drewBefore = false;
  private followed = 0; // ms
  private before = 0; // ms, when the last picture was asked for
  private readonly pace = new Pace();
  private mostRatio = kMaxRatio;
  private width = 0;
  private height = 0;
  private readonly ray = new Raycaster();
  private readonly scratch = new Vector3();

  constructor(
    readonly canvas: HTMLCanvasElement,
    gl: WebGL2RenderingContext,
    private readonly store: App,
    private readonly runs: Run[],
    private readonly stepSize: (run: number) => number,
  ) {
    this.renderer = new WebGLRenderer({ canvas, context: gl });
    if (isSoftware(gl)) this.save();
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFSoftShadowMap;
    this.renderer.shadowMap.autoUpdate = false;
    this.renderer.info.autoReset = false;
    this.renderer.setScissorTest(true);
    this.eye = this.makeEye();
    this.rebuild();
    const touch = (): void => this.touch();
    store.on(["time", "playing", "smooth", "arrowScale", "view", "activeRun", "data", "byPair"], touch);
    store.on(["selection", "colourBy", "layers", "theme", "view", "activeRun"], () => this.touch(true));
    store.on(["scene"], () => this.rebuild());
    store.on(["view"], () => !this.eye.touched && this.frameAll());
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.setTheme());
    store.on(["theme"], () => this.setTheme());
  }

  touch(repaint = false): void {
    this.dirty = true;
    this.moved = true;
    this.repaint ||= repaint;
  }

  get dark(): boolean {
    const { theme } = this.store.state;
    return theme === "auto" ? matchMedia("(prefers-color-scheme: dark)").matches : theme === "dark";
  }

  /** Views anew, after the scene itself changed. */
  rebuild(): void {
    for (const view of this.views) view.dispose();
    this.views = this.runs.map((run, i) => new RunView(run, i, this.dark));
    const flat = this.runs[0]!.manifest.dimension === 2;
    if (flat !== (this.eye.camera.type === "OrthographicCamera")) {
      this.eye.dispose();
      this.eye = this.makeEye();
    }
    for (const view of this.views) view.setPixelRatio(this.renderer.getPixelRatio());
    this.frameAll();
    this.touch(true);
  }

  frameAll(): void {
    this.layOut();
    this.eye.frame(this.bounds(), this.aspect());
    this.touch();
  }

  flyTo(place: ArrayLike<number>, radius: number): void {
    this.eye.flyTo(place, radius, this.aspect(), performance.now());
    this.touch();
  }

  /** Draws if anything changed. */
  render(now: number): boolean {
    const moved = this.eye.move(now);
    this.resize();
    if (!this.dirty && !moved) return (this.drewBefore = false);
    const start = performance.now();
    const { state } = this.store;
    if (this.views.some((view) => view.blind && view.run.series.frames > 0 && view.run.frame(0))) this.rebuild();
    if (this.views.every((view) => view.blind)) return false; // bodies would lie on each other at the origin, filling the picture
    this.watch(now);
    const shadows = state.layers.shadows && this.pictures > 0; // they are not worth waiting for
    this.layOut();
    const repaint = this.repaint;
    this.dirty = this.repaint = false;
    this.renderer.info.reset();
    this.eye.setAspect(this.aspect());
    this.ghosts();
    for (const view of this.views)
      if (this.isShown(view.number)) view.update(state, this.stepSize(view.number), repaint, shadows);
    if (state.following && !this.eye.touched && !this.pulling) this.follow(now);
    if (state.view === "ghost") this.drawGhosts();
    else for (const area of this.areas) this.draw(area, this.views[area.run]!, true);
    this.moved = false;
    if (this.pictures++ === 0 && state.layers.shadows) this.touch();
    this.scriptMs = performance.now() - start;
    return true;
  }

  /** What is under a place of the canvas [CSS pixels]: a contact if they are shown, else a body. */
  pick(x: number, y: number): Pick | null {
    const area = this.areas.find((a) => x >= a.x && x < a.x + a.width && y >= a.y && y < a.y + a.height);
    if (!area) return null;
    const candidates = this.store.state.view === "ghost" ? this.views : [this.views[area.run]!];
    const order = [...candidates].sort((a, b) => Number(b.number === area.run) - Number(a.number === area.run));
    for (const view of order) {
      const hit = this.pickContact(view, area, x, y) ?? this.pickBody(view, area, x, y);
      if (hit) return hit;
    }
    return null;
  }

  /** The place beside the last picture that no run has; null if there is none. */
  freeArea(): Omit<Area, "run"> | null {
    const last = this.areas.at(-1);
    if (!last || this.areas.length < 2) return null;
    const x = last.x + last.width + 1;
    return x < this.width - 2 ? { x, y: last.y, width: this.width - x, height: last.height } : null;
  }

  /** Where a world point is on the canvas [CSS pixels], in the area of a run; null behind the eye. */
  project(point: ArrayLike<number>, run: number): [number, number] | null {
    const area = this.areas.find((a) => a.run === run) ?? this.areas[0];
    if (!area) return null;
    const p = this.scratch.set(point[0]!, point[1]!, point[2]!).project(this.eye.camera);
    if (p.z > 1) return null;
    return [area.x + ((p.x + 1) / 2) * area.width, area.y + ((1 - p.y) / 2) * area.height];
  }

  /** The world point under a place of the canvas, in the plane through `through` that faces the eye. */
  onPlane(x: number, y: number, area: Area, through: ArrayLike<number>): [number, number, number] {
    this.aim(x, y, area);
    const { origin, direction } = this.ray.ray;
    const normal = this.eye.camera.getWorldDirection(new Vector3());
    const place = new Vector3(through[0], through[1], through[2]);
    const distance = place.sub(origin).dot(normal) / direction.dot(normal);
    return origin.clone().addScaledVector(direction, distance).toArray();
  }

  isShown(run: number): boolean {
    const { view, activeRun } = this.store.state;
    return view !== "single" || run === activeRun;
  }

  /** Things that are dear are left out where pictures take too long, unless somebody asked for them. */
  private watch(now: number): void {
    if (this.drewBefore && this.pace.note(now - this.before)) this.save();
    this.drewBefore = true;
    this.before = now;
  }

  private follow(now: number): void {
    if (now - this.followed < kFollowMs) return;
    this.followed = now;
    if (this.views[0]!.growBounds()) this.eye.flyToFrame(this.bounds(), this.aspect(), now);
  }

  private save(): void {
    const { layers, shadowsChosen } = this.store.state;
    this.mostRatio = 1;
    if (layers.shadows && !shadowsChosen) this.store.set({ layers: { ...layers, shadows: false }, saving: true });
  }

  /** Of all runs that are shown. */
  private bounds(): Bounds {
    const ball = this.views[this.store.state.activeRun]!.ball;
    return { ball, boxes: this.views.flatMap((view) => (this.isShown(view.number) ? view.bounds.boxes : [])) };
  }

  private makeEye(): Eye {
    return new Eye(this.canvas, this.runs[0]!.manifest.dimension === 2, () => (this.dirty = true));
  }

  private setTheme(): void {
    for (const view of this.views) view.setTheme(this.dark);
    this.touch(true);
  }

  private ghosts(): void {
    const { view, activeRun } = this.store.state;
    for (const each of this.views) each.setGhost(view === "ghost", view === "ghost" && each.number !== activeRun);
  }

  private drawGhosts(): void {
    const area = this.areas[0]!;
    const active = this.views[this.store.state.activeRun]!;
    this.draw(area, active, true);
    for (const view of this.views) if (view !== active) this.draw(area, view, false);
  }

  private draw(area: Area, view: RunView, first: boolean): void {
    const { renderer } = this;
    const bottom = this.height - area.y - area.height;
    renderer.setViewport(area.x, bottom, area.width, area.height);
    renderer.setScissor(area.x, bottom, area.width, area.height);
    renderer.autoClear = first;
    renderer.shadowMap.needsUpdate = this.moved && this.store.state.layers.shadows && this.pictures > 0;
    const background = view.scene.background;
    if (!first) view.scene.background = null;
    // three.js uploads an object once per frame number, which it raises between choosing objects and making shadows: what the
    // last shadows marked as done would stay as it was, if this picture makes none.
    renderer.info.render.frame++;
    renderer.render(view.scene, this.eye.camera);
    view.scene.background = background;
  }

  private resize(): void {
    const { clientWidth, clientHeight } = this.canvas;
    const ratio = Math.min(this.mostRatio, devicePixelRatio || 1);
    if (clientWidth === this.width && clientHeight === this.height && ratio === this.renderer.getPixelRatio()) return;
    if (clientWidth === 0 || clientHeight === 0) return;
    this.width = clientWidth;
    this.height = clientHeight;
    this.renderer.setPixelRatio(ratio);
    this.renderer.setSize(clientWidth, clientHeight, false);
    for (const view of this.views) view.setPixelRatio(ratio);
    if (!this.eye.touched) this.frameAll();
    this.touch();
  }

  /** Side by side in as many columns as show things largest. */
  private layOut(): void {
    const { view, activeRun } = this.store.state;
    const [w, h] = [this.width, this.height];
    if (view !== "side" || this.runs.length === 1) {
      this.areas = [{ run: activeRun, x: 0, y: 0, width: w, height: h }];
      return;
    }
    const bounds = this.bounds();
    const columns = bestColumns(this.runs.length, w, h, (aspect, height) => this.eye.scale(bounds, aspect, height));
    const rows = Math.ceil(this.runs.length / columns);
    this.areas = this.runs.map((_, run) => {
      const [column, row] = [run % columns, Math.floor(run / columns)];
      const [x, y] = [Math.round((column * w) / columns), Math.round((row * h) / rows)];
      const gap = 1;
      const width = Math.round(((column + 1) * w) / columns) - x - (column + 1 < columns ? gap : 0);
      return { run, x, y, width, height: Math.round(((row + 1) * h) / rows) - y - (row + 1 < rows ? gap : 0) };
    });
  }

  private aspect(): number {
    const area = this.areas[0];
    return area && area.height > 0 ? area.width / area.height : 1;
  }

  private aim(x: number, y: number, area: Area): void {
    const at = new Vector2(((x - area.x) / area.width) * 2 - 1, 1 - ((y - area.y) / area.height) * 2);
    this.ray.setFromCamera(at, this.eye.camera);
  }

  private pickContact(view: RunView, area: Area, x: number, y: number): Pick | null {
    const { frame } = view;
    const { layers } = this.store.state;
    if (!frame || !(layers.contacts || layers.normals || layers.forces || layers.cones)) return null;
    let best = kPickPixels;
    let found: Pick | null = null;
    const f = frame.contactsF32;
    for (let c = 0; c < frame.contacts; ++c) {
      const at = c * At.Words + At.Point;
      const point: [number, number, number] = [f[at]!, f[at + 1]!, f[at + 2]!];
      const p = this.project(point, area.run);
      const distance = p ? Math.hypot(p[0] - x, p[1] - y) : Infinity;
      if (distance < best) {
        best = distance;
        found = { run: view.number, slot: -1, contact: c, point };
      }
    }
    return found;
  }

  private pickBody(view: RunView, area: Area, x: number, y: number): Pick | null {
    this.aim(x, y, area);
    const hit = view.pick(this.ray);
    return hit ? { run: view.number, slot: hit.slot, contact: -1, point: hit.point } : null;
  }
}

/** How many columns for `count` pictures; `scale` says how large things are in a picture of an aspect and a height. */
export function bestColumns(
  count: number,
  width: number,
  height: number,
  scale: (aspect: number, height: number) => number,
): number {
  let best = 1;
  let largest = 0;
  for (let columns = 1; columns <= count; ++columns) {
    const [w, h] = [width / columns, height / Math.ceil(count / columns)];
    const found = scale(w / h, h);
    if (found > largest * 1.02) [best, largest] = [columns, found];
  }
  return best;
}
