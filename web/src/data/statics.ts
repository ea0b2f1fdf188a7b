// The verdict of `touchstone stable`: what its --json prints, with the scene and the places of its bodies. Each answer that it
// gives (balancing forces, an initial motion, a mechanism) is a run that the page can show, play and select in.
import type { Exact } from "../state/fractions.js";
import { AnswerRun } from "./answer_run.js";
import { checkManifest } from "./manifest.js";
import type { Source } from "./source.js";
import type { Manifest } from "./types.js";

export type Verdict = "stands" | "falls" | "may_stand" | "undecided";
export type Change = "stays" | "slides" | "opens";

export interface StaticsPoint {
  point: number[];
  normal: number[];
  tangents: number[][];
  friction: number;
  force?: Exact[]; // along normal and tangents [N], on B
  least?: Exact; // normal force [N]; null: no limit; left out: not computed
  greatest?: Exact;
  change?: Change; // under the accelerations
  opening?: number; // m/s²
  slip?: number;
}

export interface StaticsPair {
  a: string;
  b: string;
  least?: Exact;
  greatest?: Exact;
  change?: Change;
  points: StaticsPoint[];
}

export interface Margin {
  kind: "push" | "tilt" | "load" | "least_friction";
  name: string;
  body?: string;
  direction?: number[];
  limit: Exact;
  degrees?: number;
  within?: Verdict;
  beyond?: Verdict;
}

export type BodyMotion = Record<string, Exact[]>;

export interface StableResult {
  name: string;
  verdict: Verdict;
  exact: boolean;
  marginal: boolean;
  marginal_exact: boolean;
  reason: string;
  sentence: string;
  proof: string;
  bodies: number;
  contacts: number;
  joint_rows: number;
  forces: StaticsPair[];
  mechanism: Record<string, BodyMotion> | null; // STANDS: the motion on which the loads do no work
  margins: Margin[];
  accelerations: Record<string, BodyMotion> | null;
  accelerations_converged?: boolean;
  contact_motion: StaticsPair[] | null;
  floating: string[];
  gaps: { a: string; b: string; gap: number; tolerance: number }[];
  corners: { a: string; b: string }[];
  notes: string[];
}

export interface Statics {
  manifest: Manifest;
  poses: number[][]; // x y z qw qx qy qz of each slot
  result: StableResult;
}

/** "rest": nothing moves. "acceleration": x₀ + ½·a·t². "velocity": x₀ + s·v, at any scale s. */
export type AnswerKind = "rest" | "acceleration" | "velocity";

/** A motion of one body about its centre of mass. */
export interface SlotMotion {
  slot: number;
  linear: number[];
  angular: number[];
}

/** Where a force acts, and between which bounds its normal part can be. */
export interface ForceBar {
  a: number;
  b: number;
  point: number[];
  axis: number[]; // along the normal, towards the body that is free, or the upper one of two
  least: number;
  greatest: number; // infinite: no limit
}

/** What the picture shows of an answer beside bodies and contacts. */
export interface StaticsMarks {
  kind: AnswerKind;
  label: string;
  help: string;
  bars: ForceBar[]; // by contact point
  pairBars: ForceBar[]; // by pair of bodies: the sum over its points, at their middle
  motions: SlotMotion[];
  mostForce: number; // N, of all answers: one scale for all arrows
  mostLinear: number; // m/s² or m/s
  mostAngular: number;
}

export interface Answer {
  kind: AnswerKind;
  label: string;
  help: string;
  pairs: StaticsPair[];
  motion: Record<string, BodyMotion> | null;
  names: [string, string];
}

/** The answers of a verdict, the first of which is shown at first. */
export function answersOf(result: StableResult): Answer[] {
  const both = result.verdict === "may_stand";
  const out: Answer[] = [];
  const none: [string, string] = ["", ""];
  if (result.accelerations)
    out.push({
      kind: "acceleration",
      label: both ? "It may fall" : "How it begins to fall",
      help: both
        ? "A motion that obeys the same laws: x₀ + ½·a·t², a constant."
        : "Initial accelerations, played as x₀ + ½·a·t² with constant a.",
      pairs: result.contact_motion ?? [],
      motion: result.accelerations,
      names: ["acceleration", "angular_acceleration"],
    });
  const balance: Answer = {
    kind: "rest",
    label: both ? "It may stand" : result.forces.length > 0 ? "Balancing forces" : "At rest",
    help: both ? "Forces that balance the loads, so that nothing moves." : "Nothing moves.",
    pairs: result.forces,
    motion: null,
    names: none,
  };
  if (both) out.unshift(balance);
  else if (result.forces.length > 0 || out.length === 0) out.push(balance);
  if (result.mechanism) {
    const falls = result.verdict === "falls";
    out.push({
      kind: "velocity",
      label: falls ? "Mechanism (the proof)" : "Motion that nothing resists",
      help: falls
        ? "No contact force resists this motion, and the loads do work on it. Its scale is arbitrary."
        : "The loads do no work on this motion, to first order: the margin is 0. Its scale is arbitrary.",
      pairs: result.contact_motion ?? result.forces,
      motion: result.mechanism,
      names: ["velocity", "angular_velocity"],
    });
  }
  return out;
}

export function openStatics(data: Statics | undefined): Source {
  if (!data?.result || !Array.isArray(data.poses)) throw new Error("The verdict inside this page is damaged. Make the page again.");
  const manifest = checkManifest(data.manifest);
  if (data.poses.length !== manifest.bodies.length)
    throw new Error("The verdict inside this page is damaged: places of bodies are missing. Make the page again.");
  const runs: AnswerRun[] = [];
  for (const answer of answersOf(data.result)) {
    const lasting = runs.map(({ manifest: { duration } }) => duration).find((seconds) => seconds > 0);
    runs.push(new AnswerRun({ ...data, manifest }, answer, lasting)); // one clock for all answers
  }
  const most = runs.reduce((force, run) => Math.max(force, run.greatestForce()), 0);
  for (const run of runs) run.statics.mostForce = most;
  return { runs, live: null };
}
