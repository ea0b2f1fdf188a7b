// The page with made-up data: many bodies, no WebGL, damaged data, small screens, keys.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, pageBlock, ready, serveMadeUp } from "./browser.mjs";
import { measure, withoutDrawing } from "./speed.mjs";
import { makeRun } from "./synthetic.mjs";

const kKinds = ["box", "sphere", "cylinder", "capsule", "mesh"];
const kCalls = 20;
const kGlCalls = 1000; // 71 to 107; 300 once, on a busy machine; a call for every body would be 10,000
const kBytes = 300; // a body and a picture, with its share of contacts and marks; a place and a turn alone are 64

async function withPage(browser, options, action) {
  const { page, problems } = await openPage(browser, options);
  try {
    await action(page, problems);
    assert.deepEqual(problems, []);
  } finally {
    await page.context().close();
  }
}

async function openText(page, data) {
  const html = readFileSync(fileURLToPath(new URL("../dist/viewer.html", import.meta.url)), "utf8").replace(
    "<!--touchstone:data-->",
    () => data,
  );
  const path = join(mkdtempSync(join(tmpdir(), "viewer-")), "page.html");
  writeFileSync(path, html);
  await page.goto(`file://${path}`);
  await page.waitForSelector("[role=alert]");
  return page.textContent("[role=alert]");
}

export const made = {
  "10,000 bodies: draw calls, calls of WebGL, uploads": (browser) =>
    withPage(browser, { viewport: { width: 640, height: 480 } }, async (page) => {
      await withoutDrawing(page);
      await serveMadeUp(page, makeRun({ bodies: 10000, frames: 8, kinds: kKinds }));
      const bodies = await measure(page, []);
      const marks = await measure(page, ["contacts", "normals", "forces", "cones", "graph"]);
      const rest = await measure(page, ["bounds", "centres", "joints"]);
      console.log("     ", JSON.stringify([bodies, marks, rest]));
      for (const { calls, glCalls, bytes } of [bodies, marks, rest]) {
        assert.ok(calls <= kCalls, `${calls} draw calls`);
        assert.ok(glCalls >= calls && glCalls <= kGlCalls, `${glCalls} calls of WebGL`);
        assert.ok(bytes <= kBytes * 10000, `${bytes} bytes uploaded`);
      }
      assert.ok(bodies.bytes >= 640000 && bodies.bytes < 700000, `${bodies.bytes} bytes uploaded for bodies alone`);
    }),

  "a served recording plays, and only what is looked at is fetched": (browser) =>
    withPage(browser, {}, async (page) => {
      await serveMadeUp(page, makeRun({ kinds: kKinds }));
      await ready(page);
      await page.keyboard.press("Space");
      await page.waitForFunction(() => window.touchstone.context.store.state.time > 0.05);
      await page.keyboard.press("Space");
      assert.equal(await page.evaluate(() => window.touchstone.context.store.state.playing), false);
      await page.keyboard.press("End");
      await page.waitForFunction(() => document.querySelector(".place").textContent.includes("frame 90 of 90"));
      await page.keyboard.press("ArrowLeft");
      await page.waitForFunction(() => document.querySelector(".place").textContent.includes("frame 89 of 90"));
    }),

  "events: jumps by kind": (browser) =>
    withPage(browser, {}, async (page) => {
      await serveMadeUp(page, makeRun({ frames: 60 }));
      await ready(page);
      const frame = () => page.evaluate(() => window.touchstone.context.index(window.touchstone.context.clock));
      await page.keyboard.press("]");
      assert.equal(await frame(), 5);
      await page.selectOption(".timeline select >> nth=0", { label: "contact made (1)" });
      await page.getByRole("button", { name: /Next event/ }).click();
      assert.equal(await frame(), 35);
      assert.match(await page.textContent("#panel-inspect"), /Two bodies/);
      await page.selectOption(".timeline select >> nth=0", "-1");
      await page.getByRole("button", { name: /Previous event/ }).click();
      assert.equal(await frame(), 25);
    }),

  "no WebGL: a sentence, and the numbers still work": (browser) =>
    withPage(browser, {}, async (page) => {
      await page.addInitScript(() => {
        const ask = HTMLCanvasElement.prototype.getContext;
        HTMLCanvasElement.prototype.getContext = function (kind, ...rest) {
          return kind.startsWith("webgl") ? null : ask.call(this, kind, ...rest);
        };
      });
      await serveMadeUp(page, makeRun());
      await page.waitForSelector(".picture [role=alert]");
      assert.match(await page.textContent(".picture [role=alert]"), /no WebGL 2/);
      await page.waitForSelector(".plot canvas");
      await page.click("#tab-contacts");
      await page.waitForSelector("#panel-contacts tbody tr");
      await page.click("#panel-contacts tbody tr >> nth=0");
      await page.click("#tab-inspect");
      await page.waitForFunction(() => /friction used/.test(document.querySelector("#panel-inspect").textContent));
      await page.keyboard.press("End");
      await page.waitForFunction(() => /frame 90 of 90/.test(document.querySelector(".place").textContent));
    }),

  "damaged data: a sentence, never a blank page": (browser) =>
    withPage(browser, {}, async (page) => {
      const block = pageBlock({ mode: "embedded", title: "x", runs: 1 });
      const run = (text) => `${block}<script type="text/plain" id="touchstone-run-0">${text}</script>`;
      assert.match(await openText(page, ""), /no data in it/);
      assert.match(await openText(page, block), /cut short/);
      assert.match(await openText(page, run("AAAA")), /damaged/);
      assert.match(await openText(page, run("%%%")), /damaged/);
      assert.match(await openText(page, run("eJwDAAAAAAE=")), /\w/);
      assert.match(await openText(page, '<script type="application/json" id="touchstone-page">{</script>'), /damaged/);
      assert.match(await openText(page, pageBlock({ mode: "dream", title: "", runs: 1 })), /dream/);
    }),

  "400 pixels wide: nothing sticks out": (browser) =>
    withPage(browser, { viewport: { width: 400, height: 800 } }, async (page) => {
      await serveMadeUp(page, makeRun());
      await ready(page);
      await page.waitForSelector(".plot canvas");
      for (const tab of ["inspect", "contacts", "layers"]) {
        await page.click(`#tab-${tab}`);
        await page.waitForFunction((name) => document.querySelector(`#panel-${name}`).textContent !== "", tab);
        assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, tab);
      }
    }),

  "keys: help, panels, theme, speed, and every button has a name": (browser) =>
    withPage(browser, { colorScheme: "light" }, async (page) => {
      await serveMadeUp(page, makeRun());
      await ready(page);
      await page.keyboard.press("?");
      assert.ok(await page.isVisible("dialog.help"));
      await page.keyboard.press("Escape");
      assert.ok(!(await page.isVisible("dialog.help")));
      await page.focus(".canvas");
      await page.keyboard.press("Tab");
      assert.ok(await page.isVisible("#panel-contacts"));
      await page.keyboard.press("t");
      assert.equal(await page.evaluate(() => document.documentElement.dataset.theme), "dark");
      await page.keyboard.press("-");
      assert.equal(await page.evaluate(() => window.touchstone.context.store.state.speed), 0.5);
      const nameless = await page.$$eval("button, input, select", (list) =>
        list
          .filter(
            (e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim()),
          )
          .map((e) => e.outerHTML),
      );
      assert.deepEqual(nameless, []);
    }),
};
