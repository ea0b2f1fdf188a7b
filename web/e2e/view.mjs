// The real server: `touchstone view` of a recording and of a scene. Left out if the program has no such word yet.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, ready, viewer } from "./browser.mjs";

const program = process.env.TOUCHSTONE_PROGRAM;
const scenes = process.env.TOUCHSTONE_SCENES ?? join(dirname(fileURLToPath(import.meta.url)), "..", "..", "scenes");

export function hasView() {
  return /^ {2}view\b/m.test(execFileSync(program, ["--help"], { encoding: "utf8" }));
}

/** Starts the server, gives its address to `action`, and ends it. */
async function viewing(words, action) {
  const server = spawn(program, ["view", ...words, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
  try {
    const address = await new Promise((resolve, reject) => {
      let text = "";
      server.stdout.on("data", (part) => {
        text += part;
        const found = /http:\/\/\S+token=\w+/.exec(text);
        if (found) resolve(found[0]);
      });
      server.on("exit", () => reject(new Error(`the server ended: ${text}`)));
    });
    await action(address);
  } finally {
    server.removeAllListeners("exit");
    server.kill("SIGINT");
  }
}

/** Opens the server's page; with TOUCHSTONE_OWN_PAGE set, the page of web/dist in its place (for work on the page alone). */
async function openServed(browser, address) {
  const opened = await openPage(browser);
  if (process.env.TOUCHSTONE_OWN_PAGE) {
    await opened.page.route(address, async (route) => {
      const answer = await route.fetch();
      const block = /<script[^>]*id="touchstone-page">[^<]*<\/script>/.exec(await answer.text())[0];
      const { "content-security-policy": _policy, "content-length": _length, ...headers } = answer.headers();
      await route.fulfill({ headers, body: viewer().replace("<!--touchstone:data-->", () => block) });
    });
  }
  await opened.page.goto(address);
  await ready(opened.page);
  return opened;
}

const frameText = (page) => page.textContent(".place");

export const view = {
  "view a recording: loads, plays to the end, selects": async (browser) => {
    const folder = mkdtempSync(join(tmpdir(), "touchstone-view-"));
    const file = join(folder, "run.h5");
    execFileSync(program, ["run", join(scenes, "incline.toml"), "-t", "0.5", "-o", file, "-q"]);
    await viewing([file], async (address) => {
      const { page, problems } = await openServed(browser, address);
      await page.keyboard.press("Space");
      await page.waitForFunction(
        () => window.touchstone.context.atEnd() && !window.touchstone.context.store.state.playing,
        null,
        { timeout: 20000 },
      );
      await page.click("#tab-contacts");
      await page.waitForSelector("#panel-contacts tbody tr");
      assert.deepEqual(problems, []);
      await page.context().close();
    });
  },

  "view a scene live: runs, pauses, steps both ways, changes the model and friction, restarts": (browser) =>
    viewing([join(scenes, "incline.toml"), "-t", "100"], async (address) => {
      const { page, problems } = await openServed(browser, address);
      const status = (check) => page.waitForFunction(check, null, { timeout: 15000 });
      await status(() => window.touchstone.context.source.live.status.running);
      await status(() => window.touchstone.context.activeRun.series.frames > 10);
      await page.keyboard.press("Space");
      await status(() => !window.touchstone.context.source.live.status.running);
      await page.waitForTimeout(300);
      const step = () => page.evaluate(() => window.touchstone.context.frame().step);
      const before = await step();
      await page.keyboard.press("ArrowRight");
      await page.waitForFunction((n) => window.touchstone.context.frame()?.step === n + 1, before, { timeout: 10000 });
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction((n) => window.touchstone.context.frame()?.step === n, before, { timeout: 10000 });
      assert.match(await frameText(page), new RegExp(`step ${before} `));

      await page.click("#tab-live");
      const friction = page.locator("fieldset input").first();
      await friction.fill("-1"); // refused, in a sentence
      await friction.press("Tab");
      await page.waitForSelector("#panel-live [role=status]");
      const restitution = page.locator("fieldset input").nth(2);
      await restitution.fill("0.5");
      await restitution.press("Tab");
      await page.focus(".canvas");
      await page.keyboard.press("ArrowRight"); // the first state that the change had a hand in
      await status(() => window.touchstone.context.source.live.status.edited);
      await page.waitForFunction(() => document.querySelector(".badges").textContent.includes("edited"));
      await page.selectOption("#live-model", "penalty");
      await status(() => window.touchstone.context.activeRun.manifest.model === "penalty");
      await page.getByRole("button", { name: "Restart" }).click();
      await status(
        () =>
          (window.touchstone.context.frame()?.step ?? 1e9) < 50 ||
          window.touchstone.context.source.live.status.step < 50,
      );
      assert.deepEqual(problems, []);
      await page.context().close();
    }),
};
