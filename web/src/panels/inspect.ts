// Numbers of what is selected: a body, a pair of bodies or a contact, in the frame that is shown.
import type { Manifest } from "../data/types.js";
import type { Frame } from "../data/types.js";
import { contactNumbers, contactsOf, findContact } from "../state/contacts.js";
import { kineticEnergy } from "../state/energy.js";
import { number, quantity, vector } from "../state/units.js";
import type { Context } from "./context.js";
import { el, facts, throttle } from "./dom.js";
import { otherRuns } from "./other_runs.js";

const kListed = 40; // contacts of one body; the table has them all

export function makeInspect(context: Context): HTMLElement {
  const root = el("div", { class: "inspect" });
  const show = (): void => {
    const { selection } = context.store.state;
    if (!selection) {
      root.replaceChildren(overview(context));
      return;
    }
    const run = context.runs[selection.run]!;
    const frame = context.frame(run);
    if (!frame) {
      root.replaceChildren(el("p", { class: "muted" }, "This frame is on its way."));
      return;
    }
    const title = el(
      "div",
      { class: "row" },
      el("button", { type: "button", onclick: () => context.select(null) }, "Clear"),
      el("button", { type: "button", title: "Fly to it (f)", onclick: () => context.flyToSelection() }, "Fly to it"),
    );
    const { note } = context.store.state;
    if (note) title.prepend(el("p", { class: "muted" }, note));
    if (selection.kind === "body") root.replaceChildren(...body(context, selection.run, selection.slot, frame), title);
    else if (selection.kind === "pair")
      root.replaceChildren(...pair(context, selection.run, selection.a, selection.b, frame), title);
    else {
      const index = findContact(frame, selection);
      const parts =
        index >= 0
          ? contact(context, selection.run, index, frame)
          : [
              ...pair(context, selection.run, selection.a, selection.b, frame),
              el("p", { class: "muted" }, "The selected contact is not there at this moment."),
            ];
      root.replaceChildren(...parts, title);
    }
  };
  context.store.on(["time", "data", "selection", "scene", "note"], throttle(show, 90), true);
  return root;
}

/** Before anything is selected: what the run is. */
function overview(context: Context): HTMLElement {
  const { manifest, series, statics } = context.activeRun;
  if (statics) return restOverview(context);
  const dynamic = manifest.bodies.filter(({ kind }) => kind === "dynamic").length;
  return el(
    "div",
    {},
    el("h2", {}, manifest.name || manifest.source),
    facts([
      ["model", manifest.model],
      ["bodies", `${manifest.bodies.length} (${dynamic} dynamic)`],
      ["dimension", `${manifest.dimension}D`],
      ["step", quantity(context.stepSize(), "s")],
      ["gravity", vector(manifest.gravity, "m/s²")],
      [
        "frames",
        `${series.frames}, one every ${manifest.frame_every === 1 ? "step" : `${manifest.frame_every} steps`}`,
      ],
      ["recorded by", manifest.program],
    ]),
    manifest.decimation ? el("p", { class: "muted" }, manifest.decimation) : null,
    manifest.truncated ? el("p", { class: "warning" }, manifest.truncated) : null,
    el("p", { class: "muted" }, "Click a body or a contact in the picture for its numbers. Press ? for all keys."),
  );
}

/** The same of a scene at rest. */
function restOverview({ activeRun: { manifest } }: Context): HTMLElement {
  const free = manifest.bodies.filter(({ kind }) => kind === "dynamic").length;
  return el(
    "div",
    {},
    el("h2", {}, manifest.name),
    facts([
      ["bodies", `${manifest.bodies.length} (${free} free)`],
      ["dimension", `${manifest.dimension}D`],
      ["gravity", vector(manifest.gravity, "m/s²")],
      ["judged by", manifest.program],
    ]),
    el("p", { class: "muted" }, "Click a body or a contact point for its numbers. Press ? for all keys."),
  );
}

/** A contact point of a verdict: what it carries, and what it does under the motion that is shown. */
function restContact(context: Context, run: number, index: number, frame: Frame): HTMLElement[] {
  const c = contactNumbers(frame, index);
  const marks = context.runs[run]!.statics!;
  const h = context.stepSize(run);
  const bar = marks.bars[index];
  const allowed = c.muS * c.impulseNormal;
  const time = marks.kind === "acceleration" ? frame.time : 1;
  const unit = marks.kind === "acceleration" ? "m/s²" : "m/s";
  const rows: [string, string, string?][] = [];
  if (bar) {
    const most = Number.isFinite(bar.greatest) ? quantity(bar.greatest, "N") : "no limit";
    rows.push(["normal force", `${quantity(bar.least, "N")} to ${most}`, "Least and greatest that balance the loads"]);
  }
  if (marks.kind !== "velocity")
    rows.push(
      ["one force, normal", quantity(c.impulseNormal / h, "N"), "Of one set of forces, on the second body"],
      ["… tangential", quantity(c.impulseTangential / h, "N")],
      ["friction used", allowed > 0 ? `${((100 * c.impulseTangential) / allowed).toFixed(1)} % of μ` : "–"],
    );
  if (marks.kind !== "rest") {
    rows.push(["contact", c.opens ? "opens" : c.sticking ? "stays closed" : "slides"]);
    if (time > 0)
      rows.push(
        ["opening", quantity(c.velocityNormal / time, unit), "Second body minus first, along the normal"],
        ["slip", quantity(c.velocityTangential / time, unit)],
      );
  }
  rows.push(
    ["μ", number(c.muS)],
    ["point", vector(c.point, "m")],
    ["normal", Array.from(c.normal, (v) => v.toFixed(4).replace("-", "−")).join(", ")],
  );
  return [
    el("p", { class: "eyebrow" }, "Contact point"),
    el("h2", {}, link(context, run, c.a), " → ", link(context, run, c.b)),
    facts(rows),
  ];
}

function link(context: Context, run: number, slot: number): HTMLElement {
  return el(
    "button",
    { type: "button", class: "link", onclick: () => context.select({ kind: "body", run, slot }) },
    context.name(run, slot),
  );
}

function shapeText(manifest: Manifest, slot: number, shape: number): string {
  const shapes = manifest.bodies[slot]?.shapes;
  const kind = shapes?.[shape] ? manifest.geometries[shapes[shape].geometry]!.kind.replace("_", "-") : "shape";
  return shapes && shapes.length > 1 ? `${kind} (shape ${shape})` : kind;
}

function body(context: Context, run: number, slot: number, frame: Frame): HTMLElement[] {
  const { manifest } = context.runs[run]!;
  const b = manifest.bodies[slot];
  if (!b) return [el("p", { class: "muted" }, "This body is not in the run.")];
  const rows: [string, string, string?][] = [
    ["kind", b.kind],
    ["mass", b.mass === null ? "–" : quantity(b.mass, "kg")],
    ["material", b.material || "–"],
    ["shapes", b.shapes.length === 1 ? shapeText(manifest, slot, 0) : String(b.shapes.length)],
  ];
  if (frame.poses) rows.push(...poseRows(manifest, slot, frame.poses));
  if (frame.velocities) rows.push(...motionRows(manifest, slot, frame));
  if (frame.alive[slot] === 0) rows.push(["now", "removed"]);
  const list = contactsOf(frame, slot);
  const parts = [el("p", { class: "eyebrow" }, "Body"), el("h2", {}, context.name(run, slot)), facts(rows)];
  const others = otherRuns(context, run, slot, frame);
  if (others) parts.push(others);
  parts.push(contactList(context, run, frame, list, slot));
  return parts;
}

function poseRows(manifest: Manifest, slot: number, poses: Float32Array): [string, string, string?][] {
  const p = poses.subarray(slot * 7, slot * 7 + 7);
  if (manifest.dimension === 2) {
    const angle = 2 * Math.atan2(p[6]!, p[3]!);
    const wrapped = Math.atan2(Math.sin(angle), Math.cos(angle));
    return [
      ["position x, y", vector(p.subarray(0, 2), "m")],
      [
        "angle",
        `${number(wrapped)} rad (${((wrapped * 180) / Math.PI).toFixed(2)}°)`,
        "Counter-clockwise, within half a turn",
      ],
    ];
  }
  return [
    ["position x, y, z", vector(p.subarray(0, 3), "m")],
    [
      "orientation w, x, y, z",
      Array.from(p.subarray(3, 7), (v) => v.toFixed(4).replace("-", "−")).join(", "),
      "Unit quaternion",
    ],
  ];
}

function motionRows(manifest: Manifest, slot: number, frame: Frame): [string, string, string?][] {
  const v = frame.velocities!.subarray(slot * 6, slot * 6 + 6);
  const speed = Math.hypot(v[0]!, v[1]!, v[2]!);
  const flat = manifest.dimension === 2;
  const rows: [string, string, string?][] = [
    [flat ? "velocity x, y" : "velocity x, y, z", vector(v.subarray(0, flat ? 2 : 3), "m/s"), "Of the centre of mass"],
    ["speed", quantity(speed, "m/s")],
    ["angular velocity", flat ? `${number(v[5])} rad/s` : vector(v.subarray(3, 6), "rad/s")],
  ];
  const energy = kineticEnergy(manifest.bodies[slot]!, frame.poses?.subarray(slot * 7, slot * 7 + 7) ?? null, v);
  if (energy && energy.rotation === null)
    rows.push(["kinetic energy", quantity(energy.translation, "J"), "Of translation only: its inertia is not known"]);
  else if (energy)
    rows.push(
      ["kinetic energy", quantity(energy.translation + energy.rotation!, "J"), "½ m v² + ½ ω·J ω"],
      ["… of turning", quantity(energy.rotation, "J"), "½ ω·J ω, J about the centre of mass"],
    );
  return rows;
}

function contactList(context: Context, run: number, frame: Frame, list: number[], slot: number): HTMLElement {
  const heading = el("h3", {}, `${list.length} ${list.length === 1 ? "contact" : "contacts"} in this frame`);
  const h = context.stepSize(run);
  const rows = list.slice(0, kListed).map((index) => {
    const c = contactNumbers(frame, index);
    const other = c.a === slot ? c.b : c.a;
    return el(
      "li",
      {},
      el(
        "button",
        { type: "button", class: "item", onclick: () => context.selectContact(run, index) },
        el("span", {}, slot < 0 ? `contact ${index}` : context.name(run, other)),
        el("span", { class: "number" }, quantity(c.impulseNormal / h, "N")),
        el("span", { class: "number" }, quantity(c.gap, "m", 3)),
        el(
          "span",
          { class: c.sticking ? "state stick" : "state slip" },
          c.impact ? "impact" : c.opens ? "opens" : c.sticking ? "stick" : "slip",
        ),
      ),
    );
  });
  return el(
    "div",
    {},
    heading,
    el("ul", { class: "items" }, ...rows),
    list.length > kListed ? el("p", { class: "muted" }, `and ${list.length - kListed} more`) : null,
  );
}

function pair(context: Context, run: number, a: number, b: number, frame: Frame): HTMLElement[] {
  const list = contactsOf(frame, a, b);
  return [
    el("p", { class: "eyebrow" }, "Two bodies"),
    el("h2", {}, link(context, run, a), " and ", link(context, run, b)),
    contactList(context, run, frame, list, -1),
  ];
}

function contact(context: Context, run: number, index: number, frame: Frame): HTMLElement[] {
  const { manifest, statics } = context.runs[run]!;
  if (statics) return restContact(context, run, index, frame);
  const c = contactNumbers(frame, index);
  const h = context.stepSize(run);
  const allowed = c.muS * c.impulseNormal;
  return [
    el("p", { class: "eyebrow" }, "Contact"),
    el("h2", {}, link(context, run, c.a), " → ", link(context, run, c.b)),
    facts([
      ["state", c.impact ? "impact" : c.sticking ? "sticks" : "slips"],
      ["shapes", `${shapeText(manifest, c.a, c.shapeA)}, ${shapeText(manifest, c.b, c.shapeB)}`],
      ["gap", quantity(c.gap, "m"), "Negative: they are in each other"],
      ["force, normal", quantity(c.impulseNormal / h, "N"), "On the second body: impulse over the step"],
      ["force, tangential", quantity(c.impulseTangential / h, "N")],
      ["impulse, normal", quantity(c.impulseNormal, "N·s")],
      ["impulse, tangential", quantity(c.impulseTangential, "N·s")],
      [
        "friction used",
        allowed > 0 ? `${((100 * c.impulseTangential) / allowed).toFixed(1)} % of μ_s` : "–",
        "Tangential over μ_s times normal",
      ],
      ["velocity, normal", quantity(c.velocityNormal, "m/s"), "Second body minus first; positive: they part"],
      ["velocity, tangential", quantity(c.velocityTangential, "m/s")],
      ["residual", quantity(c.naturalMap, "m/s"), "Natural map: how far from Signorini's and Coulomb's laws"],
      ["μ_s, μ_d", `${number(c.muS)}, ${number(c.muD)}`, "Static and dynamic friction"],
      ["e", number(c.restitution), "Restitution"],
      ["point", vector(c.point, "m")],
      ["normal", Array.from(c.normal, (v) => v.toFixed(4).replace("-", "−")).join(", ")],
    ]),
  ];
}
