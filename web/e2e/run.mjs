// Browser tests. TOUCHSTONE_PROGRAM is the program whose exports are looked at; without it those parts are left out.
// node e2e/run.mjs [part of a test's name]
import { launch } from "./browser.mjs";
import { exported } from "./exported.mjs";
import { live } from "./live.mjs";
import { made } from "./made.mjs";
import { hasView, view } from "./view.mjs";

const wanted = process.argv[2] ?? "";
const tests = {
  ...made,
  ...live,
  ...(process.env.TOUCHSTONE_PROGRAM ? exported : {}),
  ...(process.env.TOUCHSTONE_PROGRAM && hasView() ? view : {}),
};
if (!process.env.TOUCHSTONE_PROGRAM) console.log("TOUCHSTONE_PROGRAM is not set: exported recordings are left out");

// A page that a test puts in place of the server's does not count as local to Chromium, which would then refuse the WebSocket.
const browser = await launch(process.env.TOUCHSTONE_OWN_PAGE ? ["--disable-features=LocalNetworkAccessChecks"] : []);
let failed = 0;
for (const [name, test] of Object.entries(tests)) {
  if (!name.includes(wanted)) continue;
  const start = performance.now();
  try {
    await test(browser);
    console.log(`ok    ${name} (${((performance.now() - start) / 1000).toFixed(1)} s)`);
  } catch (error) {
    ++failed;
    console.log(`FAIL  ${name}: ${error.stack ?? error}`);
  }
}
await browser.close();
process.exit(failed > 0 ? 1 : 0);
