// Pictures of the page with real data, to be looked at: node dev/shots.mjs folder exported.html… (two or more: a comparison, too)
import { mkdirSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { embed, launch, openPage, ready } from "../e2e/browser.mjs";
import { sampleReport } from "../e2e/sample_report.mjs";

const [folder, ...pages] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await launch();

async function shoot(name, html, options, prepare) {
  const path = resolve(folder, `${name}.html`);
  writeFileSync(path, html);
  const { page, problems } = await openPage(browser, options);
  await page.goto(`file://${path}`);
  await ready(page).catch(async () => console.log(await page.textContent("#app")));
  await prepare?.(page);
  await page.waitForTimeout(1500);
  await page.screenshot({ path: resolve(folder, `${name}.png`), timeout: 120000 });
  console.log(name, problems);
  await page.close();
}

const at = (part) => (page) => page.evaluate((p) => window.touchstone.context.seekFrame(Math.round(p * (window.touchstone.context.clock.series.frames - 1))), part);
const layers = (...names) => (page) => page.evaluate((list) => {
  const { store } = window.touchstone.context;
  store.set({ layers: { ...store.state.layers, ...Object.fromEntries(list.map((n) => [n, true])) } });
}, names);

for (const [i, path] of pages.entries()) {
  await shoot(`run${i}`, embed([path]), { colorScheme: "light" }, async (page) => {
    await at(0.6)(page);
    await layers("contacts", "forces", "cones")(page);
    await page.evaluate(() => {
      const { context } = window.touchstone;
      context.selectContact(0, 0);
    });
  });
}
if (pages.length > 1) {
  const html = embed(pages.slice(0, 2), sampleReport);
  await shoot("compare", html, { colorScheme: "light" }, at(0.6));
  await shoot("compare-below", html, { colorScheme: "light" }, async (page) => {
    await at(0.6)(page);
    await page.evaluate(() => scrollTo(0, 520));
  });
  await shoot("compare-ghost", html, { colorScheme: "dark" }, async (page) => {
    await at(0.7)(page);
    await page.evaluate(() => window.touchstone.context.store.set({ view: "ghost" }));
  });
}
await browser.close();
