// Pictures of every part of the page, to be looked at: node dev/tour.mjs folder three-d.html two-d.html [other-three-d.html]
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { embed, launch, openPage, ready, serveLive } from "../e2e/browser.mjs";
import { sampleReport } from "../e2e/sample_report.mjs";
import { makeRun } from "../e2e/synthetic.mjs";

const [folder, solid, flat, other] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();

async function shoot(name, pages, options, prepare, report) {
  const { page, problems } = await openPage(browser, options);
  if (pages) {
    const path = resolve(folder, `${name}.html`);
    writeFileSync(path, embed(pages, report));
    await page.goto(`file://${path}`);
  } else {
    await serveLive(page, makeRun({ bodies: 30, frames: 40 }), []);
  }
  await ready(page);
  await page.evaluate(prepare);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: resolve(folder, `${name}.png`), timeout: 120000 });
  console.log(name, problems);
  await page.context().close();
}

const light = { colorScheme: "light" };
const dark = { colorScheme: "dark" };
await shoot("contacts", [solid], light, () => {
  const { context } = window.touchstone;
  const { store } = context;
  context.seekFrame(75);
  store.set({ layers: { ...store.state.layers, contacts: true, normals: true }, tab: "contacts", colourBy: "gap" });
  context.selectContact(0, 3, true);
  store.set({ tab: "contacts" });
});
await shoot("layers", [solid], dark, () => {
  const { context } = window.touchstone;
  const { store } = context;
  context.seekFrame(80);
  store.set({
    layers: { ...store.state.layers, bounds: true, centres: true, graph: true },
    tab: "layers",
    colourBy: "island",
  });
});
await shoot("wireframe", [solid], light, () => {
  const { context } = window.touchstone;
  context.seekFrame(80);
  context.store.set({ layers: { ...context.store.state.layers, wireframe: true }, tab: "layers" });
});
await shoot("two-d", [flat], dark, () => {
  const { context } = window.touchstone;
  const { store } = context;
  context.seekFrame(20);
  store.set({ layers: { ...store.state.layers, contacts: true, forces: true, cones: true } });
  context.select({ kind: "body", run: 0, slot: 1 }, true);
});
await shoot("help", [flat], light, () => document.querySelector("dialog").showModal());
await shoot("live", null, light, () => window.touchstone.context.store.set({ tab: "live" }));
if (other) {
  await shoot("compare", [solid, other], light, () => window.touchstone.context.seekFrame(70), sampleReport);
  await shoot(
    "overlay",
    [solid, other],
    dark,
    () => {
      window.touchstone.context.seekFrame(75);
      window.touchstone.context.store.set({ view: "ghost" });
    },
    sampleReport,
  );
  await shoot(
    "compare-narrow",
    [solid, other],
    { ...light, viewport: { width: 400, height: 860 } },
    () => window.touchstone.context.seekFrame(70),
    sampleReport,
  );
}
await browser.close();
