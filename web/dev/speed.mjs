// Script time and draw calls with many bodies, without a graphics card: node dev/speed.mjs [bodies]
import { launch, openPage, serveMadeUp } from "../e2e/browser.mjs";
import { measure, withoutDrawing } from "../e2e/speed.mjs";
import { makeRun } from "../e2e/synthetic.mjs";

const bodies = Number(process.argv[2] ?? 10000);
const browser = await launch();
const { page } = await openPage(browser, { viewport: { width: 480, height: 400 } });
await withoutDrawing(page);
await serveMadeUp(page, makeRun({ bodies, frames: 8, kinds: ["box", "sphere", "cylinder", "capsule", "mesh"] }));
console.log(await measure(page, []));
console.log(await measure(page, ["contacts", "normals", "forces", "cones", "graph"]));
console.log(await measure(page, ["bounds", "centres"]));
await browser.close();
