// A report as `touchstone compare` makes it, for two runs.
export const sampleReport = {
  title: "Cubes through a funnel: two contact models",
  scene:
    "300 cubes fall through a funnel onto the ground. The same scene ran under each model; what differs is only how they treat contact.",
  words: [
    {
      model: "impulse",
      verdict: "Nearest to the laws of contact",
      text: "Bodies stay out of each other within 52 µm and friction keeps to its cone. It pays with more time per step.",
    },
    {
      model: "penalty",
      verdict: "Soft: bodies sink into each other",
      text: "Springs push bodies apart, so they overlap by 4 mm where the pile is heavy. Steps are cheap and energy is kept well.",
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
