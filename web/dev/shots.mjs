// Pictures of the page with made-up data, to be looked at: node dev/shots.mjs [folder]
import { mkdirSync } from "node:fs";
import { launch, openPage, ready, serveMadeUp } from "../e2e/browser.mjs";
import { makeRun } from "../e2e/synthetic.mjs";

const folder = process.argv[2] ?? "out";
mkdirSync(folder, { recursive: true });
const browser = await launch();
const kinds = ["box", "sphere", "cylinder", "capsule", "mesh"];
for (const [name, options, run] of [
  ["light-3d", { colorScheme: "light" }, { kinds }],
  ["dark-2d", { colorScheme: "dark" }, { dimension: 2, kinds }],
  ["narrow", { colorScheme: "light", viewport: { width: 400, height: 800 } }, { kinds }],
]) {
  const { page, problems } = await openPage(browser, options);
  await serveMadeUp(page, makeRun(run));
  await ready(page).catch(() => {});
  await page.waitForTimeout(800);
  await page.screenshot({ path: `${folder}/${name}.png`, fullPage: name === "narrow" });
  if (name !== "narrow") {
    for (const key of ["c", "n", "v", "o"]) await page.keyboard.press(key);
    await page.waitForTimeout(600);
    await page.screenshot({ path: `${folder}/${name}-layers.png` });
  }
  console.log(name, problems);
  await page.close();
}
await browser.close();
