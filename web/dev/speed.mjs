// Script time and draw calls with many bodies: node dev/speed.mjs [bodies]
import { launch, openPage, ready, serveMadeUp } from "../e2e/browser.mjs";
import { makeRun } from "../e2e/synthetic.mjs";

const bodies = Number(process.argv[2] ?? 10000);
const browser = await launch();
const { page, problems } = await openPage(browser);
await serveMadeUp(page, makeRun({ bodies, frames: 24, kinds: ["box", "sphere", "cylinder", "capsule", "mesh"] }));
await ready(page);
for (const layers of [[], ["contacts", "normals", "forces", "cones", "graph"], ["bounds", "centres"]]) {
  const result = await page.evaluate(async (names) => {
    const { context } = window.touchstone;
    const { store } = context;
    const off = Object.fromEntries(Object.keys(store.state.layers).map((name) => [name, ["shadows", "grid", "joints"].includes(name)]));
    for (const name of names) off[name] = true;
    store.set({ layers: off, speed: 0.2, loop: true, playing: true });
    const times = [];
    let calls = 0;
    for (let i = 0; i < 30; ++i) {
      await new Promise(requestAnimationFrame);
      times.push(context.stage.scriptMs);
      calls = context.stage.renderer.info.render.calls;
    }
    store.set({ playing: false });
    times.sort((a, b) => a - b);
    return { calls, median: times[15], worst: times[29] };
  }, layers);
  console.log(layers.join(" ") || "bodies only", result);
}
console.log(problems);
await browser.close();
