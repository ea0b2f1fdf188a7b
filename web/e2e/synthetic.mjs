// Runs made up for tests: a manifest and frames as bytes, as the program sends them. Motion is invented; the format is real.

const kFields = [
  ["step", "", "number of the step"],
  ["time", "s", "simulated time"],
  ["kinetic_energy", "J", "of all bodies"],
  ["gravity_energy", "J", "zero at the origin"],
  ["energy", "J", "all kinds"],
  ["momentum_x", "kg·m/s", ""],
  ["momentum_y", "kg·m/s", ""],
  ["momentum_z", "kg·m/s", ""],
  ["contacts", "", "contacts"],
  ["sticking", "", "contacts that stick"],
  ["iterations", "", "of the solver"],
  ["wall_time", "s", "time of the step"],
  ["natural_map", "1", "how far a contact is from the laws"],
  ["natural_map_mean", "1", ""],
  ["natural_map_a", "", ""],
  ["natural_map_b", "", ""],
  ["penetration", "m", "deepest"],
  ["penetration_mean", "m", ""],
  ["penetration_a", "", ""],
  ["penetration_b", "", ""],
];

/** `columns`³-like pile of mixed shapes that breathe; every frame has the contacts of neighbours. */
export function makeRun({
  bodies = 60,
  frames = 90,
  dimension = 3,
  model = "impulse",
  kinds = ["box", "sphere", "cylinder"],
  phase = 0,
} = {}) {
  const flat = dimension === 2;
  const geometries = [
    { kind: "half_space" },
    { kind: flat ? "rectangle" : "box" },
    { kind: flat ? "disc" : "sphere" },
    flat ? { kind: "polygon", vertices: [0, 0.6, -0.5, -0.4, 0.5, -0.4] } : { kind: "cylinder" },
    { kind: "capsule", radius: 0.3, length: 0.4 },
    flat
      ? { kind: "chain", vertices: [-6, 0.4, -5, 0.1, -4, 0.3, -3, 0], closed: false }
      : {
          kind: "mesh",
          vertices: [0.5, 0, -0.35, -0.5, 0, -0.35, 0, 0.5, 0.35, 0, -0.5, 0.35],
          triangles: [0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2],
          convex: true,
        },
  ];
  const index = { box: 1, sphere: 2, cylinder: 3, capsule: 4, mesh: 5 };
  const side = flat ? Math.ceil(Math.sqrt(bodies)) : Math.ceil(Math.cbrt(bodies));
  const list = [{ name: "ground", kind: "static", mass: null, material: "floor", com: [0, 0, 0], shapes: [shape(0)] }];
  for (let i = 0; i < bodies; ++i) {
    const kind = kinds[i % kinds.length];
    const scale =
      kind === "box"
        ? [0.8, 0.8, flat ? 1 : 0.8]
        : kind === "sphere"
          ? [0.4, 0.4, 0.4]
          : kind === "cylinder" && !flat
            ? [0.4, 0.4, 0.8]
            : [1, 1, 1];
    list.push({
      name: `${kind} ${i + 1}`,
      kind: "dynamic",
      mass: 1 + (i % 3),
      material: "stone",
      com: [0, 0, 0],
      shapes: [shape(index[kind], scale)],
    });
  }
  const manifest = {
    format: 1,
    program: "touchstone test",
    name: "made up",
    model,
    model_options: {},
    dimension,
    step_size: 0.001,
    duration: frames / 60,
    gravity: flat ? [0, -9.81, 0] : [0, 0, -9.81],
    complete: true,
    truncated: "",
    source: "made-up.h5",
    materials: [
      { name: "floor", static_friction: 0.5, dynamic_friction: 0.4, restitution: 0, density: 1000 },
      { name: "stone", static_friction: 0.6, dynamic_friction: 0.5, restitution: 0.2, density: 2500 },
    ],
    bodies: list,
    geometries,
    joints: [
      { name: "pin", kind: "hinge", a: 1, b: 2, point_a: [0.5, 0, 0], point_b: [-0.5, 0, 0], axis_a: [0, 0, 1] },
    ],
    springs: [{ a: 3, b: 4, point_a: [0, 0, 0], point_b: [0, 0, 0] }],
    fields: kFields.map(([name, unit, help]) => ({ name, unit, help })),
    measures: [
      { name: "natural_map", unit: "1", help: "" },
      { name: "penetration", unit: "m", help: "" },
    ],
    models: [
      { name: "impulse", help: "" },
      { name: "penalty", help: "" },
    ],
    frames,
    has: { poses: true, velocities: true, contacts: true },
    frame_every: 16,
    decimation: "",
  };
  const made = [];
  for (let f = 0; f < frames; ++f) made.push(frameBytes(manifest, f, side, phase));
  return { manifest, frames: made };
}

const shape = (geometry, scale = [1, 1, 1]) => ({
  geometry,
  scale,
  position: [0, 0, 0],
  rotation: [1, 0, 0, 0],
  material: "",
});

function place(i, side, flat, t, phase) {
  const c = [i % side, Math.floor(i / side) % side, Math.floor(i / (side * side))];
  const lift = 0.15 * Math.max(0, Math.sin(3 * t + i * 0.7 + phase));
  if (flat) return [(c[0] - side / 2) * 0.95, 0.45 + c[1] * 0.95 + lift, 0];
  return [(c[0] - side / 2) * 0.95, (c[1] - side / 2) * 0.95, 0.45 + c[2] * 0.95 + lift];
}

function frameBytes(manifest, f, side, phase) {
  const flat = manifest.dimension === 2;
  const slots = manifest.bodies.length;
  const t = f / 60;
  const contacts = Math.min(slots - 1, 4000);
  const events = f % 10 === 5 ? 1 : 0;
  const pad = (n) => (n + 7) & ~7;
  const sizes = [kFields.length * 8, slots * 28, slots * 24, slots, contacts * 96, events * 32].map(pad);
  const total = 64 + sizes.reduce((a, b) => a + b, 0);
  const buffer = new ArrayBuffer(total);
  const view = new DataView(buffer);
  view.setUint32(0, 0x31465354, true);
  view.setUint32(4, total, true);
  view.setBigUint64(8, BigInt(f * 16), true);
  view.setFloat64(16, f * 16 * 0.001, true);
  [slots, contacts, kFields.length, events, 7, contacts].forEach((v, k) => view.setUint32(24 + 4 * k, v, true));
  let at = 64;
  const next = (k) => ((at += sizes[k]), at - sizes[k]);
  const kinetic = 10 + 5 * Math.sin(2 * t + phase);
  new Float64Array(buffer, next(0), kFields.length).set([
    f * 16,
    f * 0.016,
    kinetic,
    40 - t,
    kinetic + 40 - t,
    Math.sin(t),
    Math.cos(t),
    0,
    contacts,
    contacts / 2,
    12 + (f % 7),
    1e-4 * (2 + Math.sin(f)),
    10 ** (-6 + 2 * Math.sin(t + phase)),
    1e-7,
    1,
    2,
    5e-5 * (1 + Math.sin(t)),
    1e-5,
    2,
    3,
  ]);
  const poses = new Float32Array(buffer, next(1), slots * 7);
  poses.set([0, 0, 0, 1, 0, 0, 0]);
  for (let i = 0; i < slots - 1; ++i) {
    const angle = 0.2 * Math.sin(t + i);
    poses.set([...place(i, side, flat, t, phase), Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)], (i + 1) * 7);
  }
  const velocities = new Float32Array(buffer, next(2), slots * 6);
  for (let i = 1; i < slots; ++i) velocities.set([0.1 * i, 0, 0, 0, 0, 0.5], i * 6);
  new Uint8Array(buffer, next(3), slots).fill(1);
  const start = next(4);
  const u = new Uint32Array(buffer, start, contacts * 24);
  const d = new Float32Array(buffer, start, contacts * 24);
  for (let c = 0; c < contacts; ++c) {
    const above = place(c, side, flat, t, phase);
    const below = c >= (flat ? side : side * side) ? c - (flat ? side : side * side) + 1 : 0;
    above[flat ? 1 : 2] -= 0.45;
    const up = flat ? [0, 1, 0] : [0, 0, 1];
    const force = 0.01 * (1 + (c % 5));
    const push = up.map((v) => v * force);
    push[0] += 0.003 * (1 + (c % 2));
    u.set([below, c + 1, 0, c, 7, c % 3 === 0 ? 1 : 0], c * 24);
    d.set([...above, ...up, ...push, 0.01, 0, 0, -1e-5 * (c % 6), 0.5, 0.4, 0.2, 1e-6 * (c % 9), 0], c * 24 + 6);
  }
  if (events) {
    const e = next(5);
    [((f / 10) % 6) | 0, 1, 2, 1, 7].forEach((v, k) => view.setUint32(e + 4 * k, v, true));
    view.setFloat64(e + 24, 0.5, true);
  }
  return buffer;
}

/** What /api/series answers. */
export function seriesBytes(run) {
  const frames = run.frames.length;
  const fields = kFields.length;
  const events = run.frames.flatMap((frame, f) => {
    const view = new DataView(frame);
    const count = view.getUint32(36, true);
    return count === 0 ? [] : [[f, new Uint8Array(frame, frame.byteLength - 32, 32)]];
  });
  const buffer = new ArrayBuffer(8 + fields * frames * 8 + 4 + events.length * 40);
  const view = new DataView(buffer);
  view.setUint32(0, frames, true);
  view.setUint32(4, fields, true);
  run.frames.forEach((frame, f) => {
    const values = new Float64Array(frame, 64, fields);
    values.forEach((v, c) => view.setFloat64(8 + (c * frames + f) * 8, v, true));
  });
  let at = 8 + fields * frames * 8;
  view.setUint32(at, events.length, true);
  at += 4;
  for (const [f, bytes] of events) {
    view.setUint32(at, f, true);
    new Uint8Array(buffer, at + 8, 32).set(bytes);
    at += 40;
  }
  return buffer;
}
