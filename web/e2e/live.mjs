// Live mode against a server that is played by the test.
import assert from "node:assert/strict";
import { openPage, ready, serveLive } from "./browser.mjs";
import { makeRun } from "./synthetic.mjs";

const status = (change) => JSON.stringify({ is: "status", ...change });

export const live = {
  "live: commands, edits, history, dragging, a lost connection": async (browser) => {
    const { page, problems } = await openPage(browser);
    const received = [];
    const run = makeRun({ bodies: 20, frames: 60 });
    const sockets = await serveLive(page, run, received);
    await ready(page);
    const got = async (check) => {
      for (let i = 0; i < 200 && !received.some(check); ++i) await page.waitForTimeout(50);
      assert.ok(received.some(check), JSON.stringify(received));
    };
    const badge = (text) =>
      page.waitForFunction((t) => document.querySelector(".badges").textContent.includes(t), text);

    await badge("live");
    await page.waitForFunction(() => /frame 30 of 30/.test(document.querySelector(".place").textContent));
    await page.keyboard.press("Space");
    await got((m) => m.do === "pause");
    sockets[0].send(status({ running: false }));
    await badge("paused");
    await page.keyboard.press("ArrowRight");
    await got((m) => m.do === "step" && m.steps === 1);
    sockets[0].send(Buffer.from(run.frames[30]));
    await page.waitForFunction(() => /frame 31 of 31/.test(document.querySelector(".place").textContent));
    await page.keyboard.press("+");
    await got((m) => m.do === "speed" && m.value === 2);

    await page.click("#tab-live");
    await page.selectOption("#live-model", "penalty");
    await got((m) => m.do === "model" && m.name === "penalty");
    await page.fill("#live-step", "0.002");
    await page.press("#live-step", "Tab");
    await got((m) => m.do === "step_size" && m.value === 0.002);
    await page.getByLabel("static friction of stone").fill("0.9");
    await page.getByLabel("static friction of stone").press("Tab");
    await got((m) => m.do === "material" && m.name === "stone" && m.static_friction === 0.9 && m.restitution === 0.2);
    sockets[0].send(status({ edited: true }));
    await badge("edited");

    const place = await page.evaluate(() => {
      const { context } = window.touchstone;
      const box = document.querySelector(".canvas").getBoundingClientRect();
      for (let slot = 1; slot <= 20; ++slot) {
        const p = context.stage.project(context.frame().poses.subarray(slot * 7, slot * 7 + 3), 0);
        const hit = context.stage.pick(p[0], p[1]);
        if (hit?.slot > 0) return { x: box.left + p[0], y: box.top + p[1], slot: hit.slot };
      }
      return null;
    });
    await page.keyboard.down("Control");
    await page.mouse.move(place.x, place.y);
    await page.mouse.down();
    await page.mouse.move(place.x + 60, place.y - 40, { steps: 4 });
    assert.ok(await page.isVisible(".pull line"));
    await page.mouse.up();
    await page.keyboard.up("Control");
    await got(
      (m) => m.do === "drag" && m.body === place.slot && m.local.length === 3 && m.target.every(Number.isFinite),
    );
    await got((m) => m.do === "release");

    await page.focus(".canvas");
    await page.keyboard.press("Home");
    await page.waitForFunction(() => /frame 1 of 31/.test(document.querySelector(".place").textContent));
    sockets[0].send(Buffer.from(run.frames[31]));
    await page.waitForFunction(() => /frame 1 of 32/.test(document.querySelector(".place").textContent));
    await page.getByRole("button", { name: "Go on from this frame" }).click();
    await got((m) => m.do === "goto" && m.step === 0);
    await page.getByRole("button", { name: "Restart" }).click();
    await got((m) => m.do === "restart");

    sockets[0].send(JSON.stringify({ is: "scene", manifest: { ...run.manifest, model: "penalty", frames: 0 } }));
    sockets[0].send(Buffer.from(run.frames[0]));
    await page.waitForFunction(() => /frame 1 of 1/.test(document.querySelector(".place").textContent));
    await sockets[0].close();
    await badge("connection lost").catch(() => {});
    await page.waitForFunction(() => document.querySelector(".badges").textContent.includes("live"), null, {
      timeout: 60000,
    });
    assert.equal(sockets.length, 2);
    assert.deepEqual(problems, []);
    await page.context().close();
  },
};
