// A report as `touchstone compare` makes it, for two runs.
export const sampleReport = {
  title: "Cubes through a funnel: two contact models",
  scene:
    "300 cubes fall through a funnel onto the ground. The same scene ran under each model; what differs is only how they treat contact.",
  verdicts: [
    { model: "impulse", verdict: "kept" },
    { model: "penalty", verdict: "broke" },
  ],
  findings: [
    {
      kind: "kept",
      model: "impulse",
      bodies: [],
      time: null,
      value: null,
      unit: "",
      bound: null,
      fault: false,
      text: "No measure is above its threshold: penetration is at most 52 µm.",
    },
    {
      kind: "penetration",
      model: "penalty",
      bodies: ["slope", "rough_block"],
      time: 0.2,
      value: 0.0041,
      unit: "m",
      bound: 0.001,
      fault: true,
      text: "Bodies sink into each other by up to 4.1 mm.",
    },
  ],
  table: {
    columns: [
      { name: "natural_map", unit: "1", help: "How far from Signorini and Coulomb, at worst" },
      { name: "penetration", unit: "m", help: "Deepest" },
      { name: "time_per_step", unit: "s", help: "Mean" },
      { name: "iterations", unit: "1", help: "Mean" },
      { name: "creep", unit: "m/s", help: "Of what should rest" },
      { name: "energy_drift", unit: "1", help: "Over the energy at the start" },
    ],
    rows: [
      { run: 0, label: "impulse", values: [0.0927, 5.15e-5, 0.0021, 41, 1e-7, 0.00049], failed: null },
      { run: 1, label: "penalty", values: [0.61, 0.0041, 0.0009, 1, 3e-4, 0.0021], failed: null },
      { run: null, label: "newton", values: [], failed: "Stopped at 1.2 s: the step was too large." },
    ],
  },
  convergence: {
    dts: [0.01, 0.005, 0.0025],
    rows: [{ label: "impulse", errors: [0.04, 0.021, 0.01], orders: [0.93, 1.07] }],
  },
};
