// Where data come from. The page asks these interfaces and never knows whether a run is inside the page, served or live.
import type { Statics, StaticsMarks } from "./statics.js";
import type { Frame, Manifest, RunEvent } from "./types.js";

/** What is known of every frame of a run at once. Column c belongs to manifest.fields[c]. */
export interface Series {
  frames: number;
  times: Float64Array;
  steps: Float64Array;
  columns: Float64Array[];
  events: RunEvent[]; // in the order of frames
}

/** What web/src/data/pack.ts gives: `export function decodePack(bytes: Uint8Array): Pack`, bytes already inflated.
 *  It throws an Error with a sentence if the bytes are damaged. A frame that was given stays as it is. */
export interface Pack {
  manifest: Manifest;
  series: Series;
  frame(index: number): Frame;
}

/** One run. frame() gives null while a frame is on its way; whoever subscribed is told when it is there. */
export interface Run {
  readonly manifest: Manifest;
  readonly series: Series;
  frame(index: number): Frame | null;
  /** A few frames over the run that are here already, to find places and scales from; a live run has its first one. */
  samples(): Frame[];
  /** Called after a frame came ("frame"), the series grew ("series") or everything is new ("scene"). */
  subscribe(listener: (what: RunChange) => void): void;
  /** Of an answer of `touchstone stable`. */
  readonly statics?: StaticsMarks;
}

export type RunChange = "frame" | "series" | "scene" | "failed";

export interface LiveStatus {
  connection: "connecting" | "open" | "closed";
  running: boolean;
  speed: number;
  time: number;
  step: number;
  edited: boolean;
  real_time_factor: number;
  message: string;
  failed: boolean;
  options: LiveOptions | null;
}

export interface LiveOptions {
  model: string;
  step_size: number;
  materials: { name: string; static_friction: number; dynamic_friction: number; restitution: number }[];
}

export type LiveCommand =
  | { do: "play" | "pause" | "restart" | "release" }
  | { do: "step"; steps: number }
  | { do: "speed" | "step_size"; value: number }
  | { do: "model"; name: string }
  | { do: "material"; name: string; static_friction: number; dynamic_friction: number; restitution: number }
  | { do: "drag"; body: number; local: number[]; target: number[] }
  | { do: "goto"; step: number };

export interface Live {
  readonly status: LiveStatus;
  send(command: LiveCommand): void;
  onStatus(listener: () => void): void;
}

export interface Source {
  readonly runs: Run[];
  readonly live: Live | null;
}

/** The block that tells the page what it is. */
export interface PageBlock {
  mode: "embedded" | "served" | "live" | "statics";
  title: string;
  runs: number;
  report?: Report;
  statics?: Statics;
}

export interface Where {
  step: number;
  time: number;
  body_a: string; // "": nobody's
  body_b: string;
}

/** A statement about a run: data, and a sentence made from it. */
export interface Finding {
  kind: string;
  model: string; // label of the run
  bodies: string[];
  time: number | null; // s; null: of the whole run
  value: number | null;
  unit: string;
  bound: number | null; // what the value is compared with
  fault: boolean; // a law is broken
  text: string;
}

/** What stands beside a model's name. */
export const verdictText = (verdict: string): string =>
  verdict === "kept" || verdict === "broke" ? `${verdict} the laws` : verdict;

export interface Report {
  title: string;
  scene: string;
  verdicts: { model: string; verdict: string }[]; // kept, broke, failed, cut off, interrupted
  findings: Finding[];
  table: {
    columns: { name: string; unit: string; help: string }[];
    rows: {
      run: number | null;
      label: string;
      values: (number | string | null)[];
      where?: (Where | null)[]; // of each value: when and whose the worst was
      failed: string | null;
    }[];
  };
  reference?: string; // the run that distances are measured from and its error, or why there is none
  left_out?: { model: string; reason: string }[];
  notes?: string[];
  convergence?: {
    dts: number[];
    rows: { label: string; errors: (number | null)[]; orders: (number | null)[] }[];
    text?: string;
  };
}

const kMostSamples = 16;
const kSampledBodies = 20000; // of all samples together: tens of milliseconds

/** Indices of frames to look at, the first and the last among them. */
export function sampleIndices(frames: number, bodies: number, most = kMostSamples): number[] {
  const count = Math.min(frames, most, Math.max(3, Math.floor(kSampledBodies / Math.max(1, bodies))));
  return Array.from({ length: count }, (_, i) => (count < 2 ? 0 : Math.round((i * (frames - 1)) / (count - 1))));
}
