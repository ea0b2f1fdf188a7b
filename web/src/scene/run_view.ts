// One run in the picture: its own scene of bodies, ground, lights and marks.
import { Color, DirectionalLight, HemisphereLight, Scene, SRGBColorSpace, type Raycaster } from "three";
import type { Run } from "../data/source.js";
import type { Frame } from "../data/types.js";
import type { AppState } from "../state/app_state.js";
import { runColour } from "../state/colours.js";
import { fraction, frameAt } from "../state/clock.js";
import { findContact } from "../state/contacts.js";
import { boundsOf, boxesWith, type Ball, type Bounds } from "./bounds.js";
import { Bodies } from "./bodies.js";
import { sizeOf, unionOf } from "./extents.js";
import { Ground } from "./ground.js";
import { Layers } from "./layers.js";
import { Painter } from "./painter.js";
import { blendPoses } from "./poses.js";
import { forceReference, gapReference } from "./references.js";
import { StaticsLayer } from "./statics_layer.js";
import { kTones } from "./tones.js";

const kMostGrowth = 6; // times what the start shows: what falls for ever is not followed
const kForceShare = 0.7; // of the greatest force of a verdict has the length of a usual force
const kLongestArrow = 0.5; // of the scene's radius: three times a usual force

export class RunView {
  readonly scene = new Scene();
  readonly bounds: Bounds;
  /** Nothing was known yet when it was made: it must be made anew with the first frame. */
  readonly blind: boolean;
  frame: Frame | null = null;
  index = -1;
  poses: Float32Array = new Float32Array(0);
  forceReference: number;
  gapReference: number;
  private nextScale: number; // the frame from which the two are found anew
  private readonly startSize: number; // m
  private readonly bodies: Bodies;
  private readonly ground: Ground;
  private readonly layers: Layers;
  private readonly statics: StaticsLayer | null;
  private readonly painter: Painter;
  private readonly sun = new DirectionalLight(0xffffff, 2.2);
  private readonly sky = new HemisphereLight(0xffffff, 0x8a8f98, 1.6);
  private blended = new Float32Array(0);
  private stale = true; // colours
  private ghost = false;
  private moving = new Uint8Array(0);

  constructor(
    readonly run: Run,
    readonly number: number,
    dark: boolean,
  ) {
    const manifest = run.manifest;
    const samples = run.samples();
    this.blind = samples.length === 0;
    this.bounds = boundsOf(manifest, samples);
    this.startSize = this.bounds.boxes.length > 0 ? sizeOf(unionOf(this.bounds.boxes)) : 1;
    this.forceReference = forceReference(samples, manifest.step_size);
    this.gapReference = gapReference(samples);
    this.nextScale = this.forceReference > 0 ? Infinity : 0;
    this.ground = new Ground(manifest, this.scene, this.ball);
    this.bodies = new Bodies(manifest, this.scene, 2 * this.ball.radius);
    this.layers = new Layers(manifest, this.scene);
    this.statics = run.statics ? new StaticsLayer(manifest, run.statics, this.scene) : null;
    if (run.statics) this.forceReference = kForceShare * run.statics.mostForce;
    this.painter = new Painter(manifest);
    this.light(manifest.dimension === 2);
    this.setTheme(dark);
  }

  /** What lights and lengths of marks go by. */
  get ball(): Ball {
    return this.bounds.ball;
  }

  /** Live, where only the start was known at first: takes in where bodies are now. True if there is more to show. */
  growBounds(): boolean {
    if (!this.frame?.poses) return false;
    const most = kMostGrowth * this.startSize;
    const boxes = boxesWith(this.run.manifest, this.frame, this.bounds.boxes, most);
    if (boxes) this.bounds.boxes = boxes;
    return boxes !== null;
  }

  setTheme(dark: boolean): void {
    const css = (hex: string): Color => new Color().setStyle(hex, SRGBColorSpace);
    this.scene.background = css(dark ? "#15181d" : "#f4f5f7");
    this.ground.setColours(css(dark ? "#2b3038" : "#dfe3e8"), css(dark ? "#8b95a3" : "#5d6773"));
    this.painter.setTheme(dark);
    this.sky.intensity = dark ? 1.3 : 1.7;
    this.sky.groundColor.setStyle(dark ? "#4a5058" : "#9aa0a8");
  }

  setPixelRatio(ratio: number): void {
    this.layers.setPixelRatio(ratio);
    this.statics?.setPixelRatio(ratio);
  }

  /** Brings everything to the clock. True if something of the shadows changed. */
  update(state: AppState, stepSize: number, repaint: boolean, shadows: boolean): boolean {
    const { run } = this;
    this.stale ||= repaint;
    if (run.series.frames === 0) return false;
    const index = frameAt(run.series, state.time);
    const frame = run.frame(index);
    if (!frame) return false;
    const fresh = frame !== this.frame;
    this.index = index;
    this.frame = frame;
    this.findScales(frame);
    if (!frame.poses) return false;
    this.poses = this.between(frame, state);
    const drawn = this.ghost ? this.onlyMoving(frame) : frame.alive;
    this.bodies.update(this.poses, drawn);
    this.ground.update(this.poses, drawn);
    this.ground.setGrid(state.layers.grid && !this.ghost);
    this.sun.castShadow = shadows && run.manifest.dimension === 3;
    this.bodies.material.wire.value = state.layers.wireframe ? 1 : 0;
    for (const { object } of this.bodies.groups)
      object.castShadow = !state.layers.wireframe && run.manifest.dimension === 3;
    if (this.stale || (fresh && state.colourBy !== "body" && state.colourBy !== "material")) this.paint(state, frame);
    this.mark(state, frame, stepSize);
    this.statics?.update({
      frame,
      poses: this.poses,
      state,
      forceLength: this.forceLength(state),
      size: this.ball.radius,
      run: this.number,
    });
    return true;
  }

  /** On top of each other, all that moves has the colour of its run; ghosts are see-through and leave out what stands still. */
  setGhost(together: boolean, ghost: boolean): void {
    const { material } = this.bodies;
    if (material.transparent !== ghost) material.needsUpdate = true;
    this.ghost = ghost;
    material.transparent = ghost;
    material.opacity = ghost ? 0.55 : 1;
    material.depthWrite = !ghost;
    this.painter.only = together ? runColour(this.number) : null;
  }

  pick(ray: Raycaster): ReturnType<Bodies["pick"]> {
    return this.bodies.pick(ray);
  }

  /** Live, where nothing touched at the start: scales follow what comes, at ever longer intervals. */
  private findScales(frame: Frame): void {
    if (this.index < this.nextScale || frame.contacts === 0) return;
    this.forceReference = forceReference([frame], this.run.manifest.step_size);
    this.gapReference = gapReference([frame]);
    this.nextScale = Math.max(2 * this.index, this.index + 30);
  }

  forceLength(state: AppState): number {
    return this.forceReference > 0 ? (0.16 * this.ball.radius * state.arrowScale) / this.forceReference : 0;
  }

  /** Impacts have forces hundreds of times the usual ones; their arrows would leave the picture [m]. */
  longestArrow(state: AppState): number {
    return kLongestArrow * this.ball.radius * Math.max(1, state.arrowScale);
  }

  get cappedArrows(): number {
    return this.layers.capped;
  }

  dispose(): void {
    this.bodies.dispose();
    this.scene.clear();
  }

  private onlyMoving(frame: Frame): Uint8Array {
    if (this.moving.length !== frame.slots) this.moving = new Uint8Array(frame.slots);
    const { bodies } = this.run.manifest;
    for (let slot = 0; slot < frame.slots; ++slot)
      this.moving[slot] = bodies[slot]?.kind === "static" ? 0 : frame.alive[slot]!;
    return this.moving;
  }

  private paint(state: AppState, frame: Frame): void {
    this.stale = false;
    this.painter.prepare(state, frame, this.gapReference);
    this.bodies.paint((slot, out) => this.painter.colour(slot, out));
  }

  private mark(state: AppState, frame: Frame, stepSize: number): void {
    this.layers.update({
      frame,
      poses: this.poses,
      layers: state.layers,
      byGap: state.colourBy === "gap",
      gapScale: this.gapReference,
      forceLength: this.forceLength(state),
      longest: this.longestArrow(state),
      stepSize,
      selectedContact:
        state.selection?.kind === "contact" && state.selection.run === this.number
          ? findContact(frame, state.selection)
          : -1,
      size: this.ball.radius,
      forceTone: this.statics ? kTones.range : kTones.force,
    });
  }

  /** Poses of the frame, or between it and the next one while playing slowly. */
  private between(frame: Frame, state: AppState): Float32Array {
    const own = frame.poses!;
    if (!state.smooth || !state.playing) return own;
    const part = fraction(this.run.series, this.index, state.time);
    const next = part > 0 ? this.run.frame(this.index + 1) : null;
    // Asking for the next frame may have moved a source that keeps only one; ours is held by `frame`.
    if (!next?.poses || next.poses.length !== own.length) return own;
    if (this.blended.length !== own.length) this.blended = new Float32Array(own.length);
    blendPoses(own, next.poses, part, this.blended);
    return this.blended;
  }

  private light(flat: boolean): void {
    const { sun, ball } = this;
    const r = ball.radius;
    this.sky.position.set(0, 0, 1);
    if (flat) sun.intensity = 1.1; // everything faces the light
    sun.position.set(
      ball.centre[0] + (flat ? 0 : 1.2 * r),
      ball.centre[1] - (flat ? 0 : 0.9 * r),
      ball.centre[2] + 2.6 * r,
    );
    sun.target.position.set(...ball.centre);
    sun.shadow.mapSize.set(2048, 2048);
    const camera = sun.shadow.camera;
    camera.left = camera.bottom = -1.3 * r;
    camera.right = camera.top = 1.3 * r;
    camera.near = 0.1 * r;
    camera.far = 7 * r;
    sun.shadow.normalBias = r * 0.002;
    sun.shadow.intensity = 0.6;
    this.scene.add(sun, sun.target, this.sky);
  }
}
