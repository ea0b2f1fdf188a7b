// The real server: `touchstone view` of recordings and of scenes, with the page that is built into the program.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";
import { join } from "node:path";
import { launch, openPage, ready } from "./browser.mjs";
import {
  eventually,
  fact,
  firstDynamic,
  folder,
  near,
  openServed,
  parse,
  parseVector,
  placeOf,
  recorded,
  scene,
  viewing,
} from "./program.mjs";

const until = (page, check, argument = null) => page.waitForFunction(check, argument, { timeout: 60000 });
const step = (page) => page.evaluate(() => window.touchstone.context.frame().step);
const isAt = (page, wanted) => until(page, (n) => window.touchstone.context.frame()?.step === n, wanted);
const badge = (page, text) => until(page, (t) => document.querySelector(".badges").textContent.includes(t), text);
const status = (page, check) => until(page, check);

/** From the command to the first picture [ms], in a browser that is open already. A pixel is read, so that the picture is done. */
async function firstPicture(browser, words) {
  const { page, problems } = await openPage(browser);
  await page.addInitScript(() => {
    const gl = WebGL2RenderingContext.prototype;
    for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"]) {
      const draw = gl[name];
      gl[name] = function (...rest) {
        draw.apply(this, rest);
        if (window.firstPicture !== undefined) return;
        window.firstPicture = 0;
        window.placesKnown = Boolean(window.touchstone?.context.frame());
        queueMicrotask(() => {
          this.readPixels(0, 0, 1, 1, this.RGBA, this.UNSIGNED_BYTE, new Uint8Array(4));
          window.firstPicture = Date.now();
        });
      };
    }
  });
  const start = Date.now();
  let end = 0;
  await viewing(words, async (address) => {
    await page.goto(address);
    end = await (await until(page, () => window.firstPicture)).jsonValue();
    // Bodies drawn before their places are known all stand in each other: it took a software renderer twenty seconds.
    assert.ok(await page.evaluate(() => window.placesKnown));
    await ready(page);
    await page.waitForSelector(".plot canvas"); // they come after it
  });
  assert.deepEqual(
    problems.filter((text) => !/ERR_CONNECTION_REFUSED|WebSocket/.test(text)), // the server has ended by now
    [],
  );
  await page.context().close();
  return end - start;
}

export const view = {
  "the first picture of 1,000 bodies": async (browser) => {
    const file = join(folder, "thousand.toml");
    const text = readFileSync(scene("demo"), "utf8").replace(/count = \[[\d, ]+\]/, "count = [10, 10, 10]");
    writeFileSync(file, text);
    const times = [];
    for (let i = 0; i < 3; ++i) times.push(await firstPicture(browser, [file]));
    console.log(`      ${times.join(", ")} ms from the command; load ${loadavg()[0].toFixed(1)}`);
  },

  "view a recording: plays to the end, scrubs, selects; numbers are those of the recording": async (browser) => {
    const { file, report, bodies } = recorded("incline", "impulse", 0.6);
    await viewing([file], async (address) => {
      const { page, problems } = await openServed(browser, address);
      await page.keyboard.press("+"); // twice as fast
      await page.keyboard.press("Space");
      await until(page, () => window.touchstone.context.atEnd() && !window.touchstone.context.store.state.playing);

      await page.focus(".track input");
      await page.keyboard.press("Home");
      for (let i = 0; i < 9; ++i) await page.keyboard.press("ArrowRight");
      await until(page, () => /frame 10 of/.test(document.querySelector(".place").textContent));
      await until(page, () => window.touchstone.context.frame() !== null);
      const now = await step(page);
      const row = report.find((each) => Number(each.step) === now);
      // Readouts follow within a moment: each is looked at until it is right.
      await eventually(page, '[data-plot="Contacts"] .readout', (text) =>
        near(parse(/contacts (\d+)/.exec(text)[1]), Number(row.contacts), 0),
      );
      await eventually(page, '[data-plot="Energy"] .readout', (text) =>
        near(parse(/kinetic (.*?J)/.exec(text)[1]), Number(row.kinetic_energy), Number(row.kinetic_energy) * 1e-3),
      );

      const place = await placeOf(page, await firstDynamic(page));
      await page.mouse.click(place.x, place.y);
      const position = parseVector(await fact(page, "position"));
      const name = await page.textContent("#panel-inspect h2");
      const own = bodies.find((each) => Number(each.step) === now && Object.values(each).includes(name));
      near(position[0], Number(own.x), 2e-4);
      near(position[1], Number(own.y), 2e-4);
      await page.click("#tab-contacts");
      await page.waitForSelector("#panel-contacts tbody tr");
      assert.equal((await page.$$("#panel-contacts tbody tr")).length, Number(row.contacts));
      assert.deepEqual(problems, []);
      await page.context().close();
    });
  },

  "the token leaves the address bar, and the page can be loaded again, also when a file led to it": async (browser) => {
    const { file } = recorded("tumbling_box", "free", 0.4);
    await viewing([file], async (address) => {
      const door = join(folder, "door.html");
      writeFileSync(door, `<!doctype html><meta http-equiv="refresh" content="0;url=${address}">`);
      for (const start of [address, `file://${door}`]) {
        const { page, problems } = await openPage(browser);
        await page.goto(start);
        await page.waitForURL(/^http:/);
        for (let i = 0; i < 2; ++i) {
          await ready(page);
          assert.equal(await page.evaluate(() => location.search + location.hash), "");
          assert.ok(!(await page.content()).includes(new URL(address).searchParams.get("token")));
          await page.reload();
        }
        await ready(page);
        assert.deepEqual(problems, []);
        await page.context().close();
      }
    });
  },

  "view a recording: kinetic energies of bodies add up to that of the report": async (browser) => {
    const { file, report } = recorded("tumbling_box", "free", 0.4);
    await viewing([file], async (address) => {
      const { page, problems } = await openServed(browser, address);
      await page.keyboard.press("End");
      await until(page, () => window.touchstone.context.atEnd() && window.touchstone.context.frame() !== null);
      const slots = await page.evaluate(() =>
        window.touchstone.context.activeRun.manifest.bodies.flatMap((b, i) => (b.kind === "dynamic" ? [i] : [])),
      );
      let sum = 0;
      for (const slot of slots) {
        await page.evaluate((s) => window.touchstone.context.select({ kind: "body", run: 0, slot: s }), slot);
        const name = await page.evaluate((s) => window.touchstone.context.name(0, s), slot);
        await until(page, (n) => document.querySelector("#panel-inspect h2")?.textContent === n, name);
        sum += parse(await fact(page, "kinetic energy"));
        assert.ok(parse(await fact(page, "… of turning")) > 0, "it tumbles");
      }
      const row = report.find((each) => Number(each.step) === Number(report.at(-1).step));
      near(sum, Number(row.kinetic_energy), Number(row.kinetic_energy) * 1e-3);
      assert.deepEqual(problems, []);
      await page.context().close();
    });
  },

  "view a scene live: runs, pauses, steps both ways, changes friction and model, restarts": (browser) =>
    viewing([scene("incline"), "-t", "100"], async (address) => {
      const { page, problems } = await openServed(browser, address);
      await status(page, () => window.touchstone.context.source.live.status.running);
      await status(page, () => window.touchstone.context.activeRun.series.frames > 5);
      // While it runs: arrows have a scale although nothing touched at the start, and a row of the table can be clicked.
      await page.keyboard.press("v");
      await until(page, () => /N per m of arrow/.test(document.querySelector(".legend").textContent));
      await page.click("#tab-contacts");
      await until(page, () => document.querySelectorAll("tbody tr").length > 0);
      const row = await page.evaluate(() => {
        const box = document.querySelector("tbody tr").getBoundingClientRect();
        return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
      });
      await page.mouse.move(row.x, row.y);
      await page.waitForTimeout(300); // longer than it takes to make the rows anew
      await page.mouse.down();
      await page.waitForTimeout(300);
      await page.mouse.up();
      await until(page, () => document.querySelectorAll("tbody tr[aria-selected=true]").length === 1);
      await page.keyboard.press("v");
      await page.focus(".canvas");
      await page.keyboard.press("Space");
      await status(page, () => !window.touchstone.context.source.live.status.running);
      await badge(page, "paused");
      // Paused, the newest frame is that of the state; then single steps go from it.
      await until(page, () => {
        const { context } = window.touchstone;
        return context.frame()?.step === context.source.live.status.step;
      });
      const before = await step(page);
      await page.keyboard.press("ArrowRight");
      await isAt(page, before + 1);
      await page.keyboard.press("ArrowLeft");
      await isAt(page, before);
      await until(page, (n) => document.querySelector(".place").textContent.includes(`step ${n} `), before);

      await page.click("#tab-live");
      const friction = page.locator("fieldset input").first();
      await friction.fill("-1"); // refused, in a sentence
      await friction.press("Tab");
      await page.waitForSelector("#panel-live [role=status]");
      await friction.fill("0.9");
      await friction.press("Tab");
      await status(page, () =>
        window.touchstone.context.source.live.status.options.materials.some((m) => m.static_friction === 0.9),
      );
      await page.focus(".canvas");
      await page.keyboard.press("ArrowRight"); // the first state that the change had a hand in
      await badge(page, "edited");
      await page.selectOption("#live-model", "penalty");
      await until(page, () => window.touchstone.context.activeRun.manifest.model === "penalty");
      await until(page, () => document.querySelector(".top .badge").textContent === "penalty");
      await page.focus(".canvas");
      await page.keyboard.press("Space");
      await status(page, () => window.touchstone.context.source.live.status.step > 20);
      await page.keyboard.press("Space");
      await status(page, () => !window.touchstone.context.source.live.status.running);
      await page.getByRole("button", { name: "Restart" }).click();
      await status(page, () => window.touchstone.context.source.live.status.step <= 20);
      assert.deepEqual(problems, []);
      await page.context().close();
    }),

  "view a scene live: a body is pulled to where the pointer goes, and the run is marked as edited": (browser) =>
    viewing([scene("shaker"), "-t", "100", "--speed", "0.2"], async (address) => {
      const { page, problems } = await openServed(browser, address);
      await status(page, () => window.touchstone.context.source.live.status.running);
      await page.evaluate(() => (window.touchstone.context.stage.eye.touched = true)); // the camera stays
      const slot = await page.evaluate(() => {
        const { context } = window.touchstone;
        return context.activeRun.manifest.bodies.findIndex((b) => /disc|ball|sphere/.test(b.name));
      });
      const place = await placeOf(page, slot);
      const height = () => page.evaluate((s) => window.touchstone.context.frame().poses[7 * s + 1], slot);
      const before = await height();
      await page.keyboard.down("Control");
      await page.mouse.move(place.x, place.y);
      await page.mouse.down();
      await page.mouse.move(place.x, place.y - 120, { steps: 5 });
      await until(
        page,
        ([s, low]) => window.touchstone.context.frame()?.poses[7 * s + 1] > low + 0.05,
        [slot, before],
      );
      assert.ok(await page.isVisible(".pull line"));
      await badge(page, "edited");
      await page.mouse.up();
      await page.keyboard.up("Control");
      await status(page, () => window.touchstone.context.source.live.status.dragging === false);
      assert.ok(!(await page.isVisible(".pull line")));
      await page.click("#tab-live");
      await page.getByRole("button", { name: "Restart" }).click();
      await until(page, () => !document.querySelector(".badges").textContent.includes("edited") ||
        [...document.querySelectorAll(".badges .warn")].every((e) => e.hidden));
      assert.deepEqual(problems, []);
      await page.context().close();
    }),

  "no WebGL: a sentence in place of the picture, plots and numbers work": async () => {
    const { file } = recorded("incline", "impulse", 0.6);
    const blind = await launch([], ["--disable-gpu", "--disable-3d-apis"]);
    try {
      await viewing([file], async (address) => {
        const { page, problems } = await openServed(blind, address);
        await page.waitForSelector(".picture [role=alert]");
        assert.match(await page.textContent(".picture [role=alert]"), /no WebGL 2/);
        await page.waitForSelector(".plot canvas");
        const over = await page.locator('[data-plot="Energy"] .u-over').boundingBox();
        await page.mouse.click(over.x + over.width * 0.5, over.y + over.height / 2);
        near(await page.evaluate(() => window.touchstone.context.store.state.time), 0.3, 0.02);
        await page.click("#tab-contacts");
        await page.waitForSelector("#panel-contacts tbody tr");
        await page.click("#panel-contacts tbody tr >> nth=0");
        await page.click("#tab-inspect");
        assert.ok(await fact(page, "friction used"));
        assert.deepEqual(problems, []);
      });
    } finally {
      await blind.close();
    }
  },

  "a damaged recording is refused by the program before anything is served": async () => {
    const { file } = recorded("incline", "impulse", 0.6);
    const bytes = readFileSync(file);
    const cut = join(folder, "cut.h5");
    writeFileSync(cut, bytes.subarray(0, bytes.length >> 1));
    let said = "";
    try {
      execFileSync(process.env.TOUCHSTONE_PROGRAM, ["view", cut, "--no-browser"], { encoding: "utf8", timeout: 60000, stdio: "pipe" });
    } catch (error) {
      said = error.stderr;
    }
    assert.match(said, /cut\.h5/);
  },
};
