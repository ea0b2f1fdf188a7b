// Browser tests. TOUCHSTONE_PROGRAM is the program whose server, exports and reports are looked at, with the page that is built into
// it; without it those parts are left out. CHROMIUM is the browser, TOUCHSTONE_SCENES the folder of scenes.
// node e2e/run.mjs [part of a test's name]
import { loadavg } from "node:os";
import { launch } from "./browser.mjs";
import { live } from "./live.mjs";
import { made } from "./made.mjs";

const wanted = process.argv[2] ?? "";
const tests = { ...made, ...live };
if (process.env.TOUCHSTONE_PROGRAM) {
  const { compared } = await import("./compared.mjs");
  const { exported } = await import("./exported.mjs");
  const { verdict } = await import("./verdict.mjs");
  const { view } = await import("./view.mjs");
  Object.assign(tests, exported, compared, verdict, view);
} else {
  console.log("TOUCHSTONE_PROGRAM is not set: what needs the program is left out");
}

const browser = await launch();
const seconds = (since) => ((performance.now() - since) / 1000).toFixed(1);
const begin = performance.now();
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(wanted)) continue;
  const start = performance.now();
  try {
    await test(browser);
    console.log(`ok    ${name} (${seconds(start)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAIL  ${name}: ${error.stack ?? error}`);
  }
}
await browser.close();
console.log(`${seconds(begin)} s in all; load ${loadavg()[0].toFixed(1)}`);
process.exit(failed > 0 ? 1 : 0);
