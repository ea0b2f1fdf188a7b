// Verdicts of `touchstone stable`: the page against what --json prints.
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { eventually, folder, near, openFile, openServed } from "./program.mjs";

const path = process.env.TOUCHSTONE_PROGRAM;

/** `stable` with --html: its exit code says the verdict, so that anything up to 5 is fine. */
function judged(name, ...words) {
  const html = join(folder, `${name}.html`);
  const done = spawnSync(path, ["stable", ...words, "--html", html, "--json"], { cwd: folder, encoding: "utf8" });
  assert.ok([0, 1, 5].includes(done.status), done.stderr);
  return { html, code: done.status, result: JSON.parse(done.stdout) };
}

function made(...words) {
  const file = join(folder, `${words[0]}.toml`);
  const done = spawnSync(path, ["make", ...words, "-o", file], { cwd: folder, encoding: "utf8" });
  assert.equal(done.status, 0, done.stderr);
  return file;
}

const kHead = 'touchstone = 1\n[[material]]\nname = "default"\ndensity = 500.0\nfriction = 0.5\n';

/** Two walls with a block between them: MAY STAND. */
function squeezed() {
  const file = join(folder, "squeezed.toml");
  const body = (name, x, size, kind) =>
    `[[body]]\nname = "${name}"\nkind = "${kind}"\nposition = [${x}, 0, 0]\nshape = { kind = "box", size = ${size} }\n`;
  writeFileSync(
    file,
    kHead.replace("[[material]]", 'name = "squeezed"\ndimension = 3\n[[material]]') +
      body("left", -1, "[1, 2, 2]", "static") +
      body("right", 1, "[1, 2, 2]", "static") +
      body("block", 0, "[1, 1, 1]", "dynamic"),
  );
  return file;
}

const rows = (page, panel) => page.$$eval(`#panel-${panel} tbody tr`, (list) => list.map((row) => row.textContent));
const selection = (page) => page.evaluate(() => window.touchstone.context.store.state.selection);
const pause = (page) => page.evaluate(() => window.touchstone.context.store.set({ playing: false }));

export const verdict = {
  "verdict FALLS: heading, table of accelerations, motion by the timeline": async (browser) => {
    const { html, code, result } = judged("diamond", made("diamond", "5"), "--no-margins");
    assert.equal(code, 1);
    const { page, problems } = await openFile(browser, html);
    assert.equal(await page.textContent(".stamp"), "FALLS");
    assert.ok((await page.textContent(".why")).startsWith(result.sentence));
    const names = Object.keys(result.accelerations);
    const opening = result.contact_motion.filter((pair) => pair.change !== "stays");
    assert.equal((await rows(page, "motion")).length, names.length + opening.length);
    await pause(page);
    await page.focus(".track input");
    await page.keyboard.press("End");
    const drawn = await page.evaluate(() => {
      const { context } = window.touchstone;
      const frame = context.frame();
      const { bodies } = context.activeRun.manifest;
      return {
        time: frame.time,
        places: bodies.map(({ name }, slot) => [name, frame.poses[7 * slot], frame.poses[7 * slot + 1]]),
        starts: bodies.map((_, slot) => context.activeRun.frame(0).poses.slice(7 * slot, 7 * slot + 2)),
      };
    });
    assert.ok(drawn.time > 0);
    drawn.places.forEach(([name, x, y], slot) => {
      const a = result.accelerations[name]?.acceleration ?? [0, 0];
      near(x - drawn.starts[slot][0], (a[0] * drawn.time ** 2) / 2, 1e-5);
      near(y - drawn.starts[slot][1], (a[1] * drawn.time ** 2) / 2, 1e-5);
    });
    await page.hover(`#panel-motion tbody tr >> nth=1`);
    const chosen = await selection(page);
    assert.equal(chosen.kind, "body");
    assert.equal(drawn.places[chosen.slot][0], names[1]);
    await page.getByRole("button", { name: /Mechanism/ }).click();
    await eventually(page, ".answers p", (text) => assert.match(text, /the loads do work on it/));
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "verdict STANDS: ranges and margins are those of --json, rows point into the picture": async (browser) => {
    const { html, code, result } = judged("wall", made("wall", "--rows", "3", "--columns", "3"), "--friction", "0");
    assert.equal(code, 0);
    const { page, problems } = await openFile(browser, html);
    assert.equal(await page.textContent(".stamp"), result.marginal ? "STANDSmarginal" : "STANDS");
    const points = result.forces.reduce((sum, pair) => sum + pair.points.length, 0);
    assert.equal((await rows(page, "forces")).length, result.forces.length + points);
    const bars = await page.evaluate(() => window.touchstone.context.runs[0].statics.bars);
    assert.equal(bars.length, points);
    const flat = result.forces.flatMap((pair) => pair.points);
    bars.forEach((bar, i) => {
      near(bar.least, flat[i].least, 1e-9);
      near(bar.greatest, flat[i].greatest, 1e-9);
    });
    assert.ok(
      bars.some(({ least, greatest }) => greatest - least > 1),
      "the forces of a wall are not unique",
    );
    await page.hover("#panel-forces tbody tr >> nth=0");
    const chosen = await selection(page);
    assert.deepEqual(
      await page.evaluate(({ a, b }) => [a, b].map((slot) => window.touchstone.context.name(0, slot)), chosen),
      [result.forces[0].a, result.forces[0].b],
    );
    await page.mouse.move(5, 5);
    assert.equal(await selection(page), null);
    await page.click("#tab-margins");
    const margins = await rows(page, "margins");
    assert.equal(margins.length, result.margins.length);
    margins.forEach((text, i) => assert.ok(text.startsWith(result.margins[i].name), text));
    assert.match(margins[0], /STANDS.*FALLS|STANDS.*MAY STAND/);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "verdict MAY STAND: both answers, side by side or alone": async (browser) => {
    const { html, code, result } = judged("squeezed", squeezed(), "--exact");
    assert.equal(code, 5);
    assert.equal(typeof result.accelerations.block.acceleration[2], "string");
    const { page, problems } = await openFile(browser, html);
    assert.equal(await page.textContent(".stamp"), "MAY STAND");
    const areas = () => page.evaluate(() => window.touchstone.context.stage.areas.length);
    assert.equal(await areas(), 2);
    await pause(page);
    const heights = () =>
      page.evaluate(() => {
        const { context } = window.touchstone;
        return context.runs.map((run) => context.frame(run).poses[7 * 2 + 2]);
      });
    await page.focus(".track input");
    await page.keyboard.press("End");
    const [stands, falls] = await heights();
    assert.equal(stands, 0);
    assert.ok(falls < -0.05);
    await eventually(page, "#panel-forces", (text) => assert.match(text, /no limit/));
    await page.getByRole("button", { name: "It may stand" }).click();
    assert.ok(await page.isHidden(".timeline"), "nothing moves, so there is nothing to play");
    await page.getByRole("button", { name: "It may fall" }).click();
    assert.ok(await page.isVisible(".timeline"));
    await page.waitForFunction(() => window.touchstone.context.stage.areas.length === 1);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "verdict: 400 pixels wide, every button has a name, a contact point has its numbers": async (browser) => {
    const { html } = judged("narrow", squeezed());
    const { page, problems } = await openFile(browser, html, { viewport: { width: 400, height: 800 } });
    for (const tab of ["forces", "motion", "margins", "inspect", "layers"]) {
      await page.click(`#tab-${tab}`);
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), 400, tab);
    }
    const nameless = await page.$$eval("button, input, select", (list) =>
      list
        .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.closest("label")?.textContent.trim()))
        .map((e) => e.outerHTML),
    );
    assert.deepEqual(nameless, []);
    await page.evaluate(() => window.touchstone.context.selectContact(0, 0));
    await eventually(page, "#panel-inspect", (text) => assert.match(text, /normal force.*to no limit/));
    await page.evaluate(() => window.touchstone.context.selectContact(1, 0));
    await eventually(page, "#panel-inspect", (text) => assert.match(text, /contactslides/));
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "verdict, served by stable --view under the server's policy": async (browser) => {
    const server = spawn(path, ["stable", squeezed(), "--view", "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
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
      const { page, problems } = await openServed(browser, address);
      assert.equal(await page.textContent(".stamp"), "MAY STAND");
      assert.deepEqual(problems, []);
      await page.context().close();
    } finally {
      server.removeAllListeners("exit");
      server.kill("SIGINT");
    }
  },
};
