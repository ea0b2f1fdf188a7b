// Exported recordings: what the page shows against what the program writes for others.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { embed, openPage, ready } from "./browser.mjs";
import { sampleReport } from "./sample_report.mjs";

const folder = mkdtempSync(join(tmpdir(), "touchstone-e2e-"));
const scenes = process.env.TOUCHSTONE_SCENES ?? join(dirname(fileURLToPath(import.meta.url)), "..", "..", "scenes");
const program = (...words) => execFileSync(process.env.TOUCHSTONE_PROGRAM, words, { cwd: folder, encoding: "utf8" });

/** Runs a scene once, and exports it as a page and as tables. */
const runs = new Map();
function recorded(scene, model, seconds) {
  const name = `${scene}-${model}`;
  if (!runs.has(name)) {
    program("run", join(scenes, `${scene}.toml`), "-m", model, "-t", String(seconds), "-o", `${name}.h5`, "-q");
    program("export", `${name}.h5`, "--html", "-o", `${name}.html`, "-q");
    program("export", `${name}.h5`, "--format", "report", "-o", `${name}.report.csv`, "-q");
    program("export", `${name}.h5`, "--format", "csv", "-o", `${name}.csv`, "-q");
    runs.set(name, {
      html: join(folder, `${name}.html`),
      report: table(`${name}.report.csv`),
      bodies: table(`${name}.csv`),
    });
  }
  return runs.get(name);
}

/** Rows by the name of their column, without its unit. */
function table(file) {
  const [head, ...rows] = readFileSync(join(folder, file), "utf8").trim().split("\n");
  const names = head.split(",").map((name) => name.replace(/ \[.*$/, "").trim());
  return rows.map((row) => Object.fromEntries(row.split(",").map((value, i) => [names[i], value])));
}

const near = (shown, value, tolerance) => assert.ok(Math.abs(shown - value) <= tolerance, `${shown} against ${value}`);

/** A number of the page with its prefix, in SI. */
function parse(text) {
  const match = /(−?[\d.]+(?:e−?\d+)?) ?([TGMkmµnp]?)(m|s|N|J|N·s|m\/s|kg|g|rad|1)?(?:\b|$)/.exec(text);
  const factor = { T: 1e12, G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, µ: 1e-6, n: 1e-9, p: 1e-12 }[
    match[3] ? match[2] : ""
  ];
  return Number(match[1].replaceAll("−", "-")) * factor;
}

/** Parts of a vector "1.0, 2.0, −3.0 mm" in SI. */
function parseVector(text) {
  const [, list, unit] = /^([−\d., e]+) (.*)$/.exec(text);
  const factor = unit.startsWith("mm") ? 1e-3 : unit.startsWith("µm") ? 1e-6 : 1;
  return list.split(", ").map((part) => Number(part.replaceAll("−", "-")) * factor);
}

const fact = (page, name) =>
  page.$$eval(
    "#panel-inspect dt",
    (list, wanted) => list.find((dt) => dt.textContent.startsWith(wanted))?.nextElementSibling.textContent,
    name,
  );

async function open(browser, html, options) {
  const { page, problems } = await openPage(browser, options);
  await page.goto(`file://${html}`);
  await ready(page);
  return { page, problems };
}

/** A place of the canvas at which a body is hit, in pixels of the page. */
const placeOf = (page, slot) =>
  page.evaluate((wanted) => {
    const { context } = window.touchstone;
    context.stage.render(performance.now());
    const canvas = document.querySelector(".canvas").getBoundingClientRect();
    const p = context.stage.project(context.frame().poses.subarray(wanted * 7, wanted * 7 + 3), 0);
    return { x: canvas.left + p[0], y: canvas.top + p[1] };
  }, slot);

export const exported = {
  "exported 2D: plays, scrubs, selects; numbers are those of the recording": async (browser) => {
    const { html, report, bodies } = recorded("incline", "impulse", 0.6);
    const { page, problems } = await open(browser, html);
    await page.keyboard.press("Space");
    await page.waitForFunction(() => window.touchstone.context.store.state.time > 0.02);
    await page.keyboard.press("Space");

    await page.focus(".track input");
    await page.keyboard.press("Home");
    for (let i = 0; i < 6; ++i) await page.keyboard.press("ArrowRight");
    const { time, step } = await page.evaluate(() => {
      const { context } = window.touchstone;
      return { time: context.frame().time, step: context.frame().step };
    });
    assert.match(await page.textContent(".place"), new RegExp(`step ${step} · frame 7 of`));
    near(parse(await page.textContent(".clock")), time, 1e-3);
    const row = report.find((each) => Number(each.step) === step);
    await page.waitForTimeout(300);
    const energy = await page.textContent('[data-plot="Energy"] .readout');
    near(parse(/total (.*?J)/.exec(energy)[1]), Number(row.energy), Math.abs(Number(row.energy)) * 1e-3);
    near(
      parse(/contacts (\d+)/.exec(await page.textContent('[data-plot="Contacts"] .readout'))[1]),
      Number(row.contacts),
      0,
    );

    const slot = await page.evaluate(() =>
      window.touchstone.context.activeRun.manifest.bodies.findIndex((b) => b.kind === "dynamic"),
    );
    const place = await placeOf(page, slot);
    await page.mouse.click(place.x, place.y);
    await page.waitForTimeout(200);
    const name = await page.textContent("#panel-inspect h2");
    const own = bodies.find((each) => Number(each.step) === step && Object.values(each).includes(name));
    assert.ok(own, `${name} at step ${step} is in the table`);
    const position = parseVector(await fact(page, "position"));
    near(position[0], Number(own.x), 2e-4);
    near(position[1], Number(own.y), 2e-4);
    assert.match(await fact(page, "mass"), /k?g$/);

    await page.click("#tab-contacts");
    await page.waitForSelector("#panel-contacts tbody tr");
    assert.equal((await page.$$("#panel-contacts tbody tr")).length, Number(row.contacts));
    await page.click("#panel-contacts tbody tr >> nth=0");
    await page.click("#tab-inspect");
    await page.waitForTimeout(300);
    for (const label of ["state", "gap", "force, normal", "impulse, tangential", "residual", "μ_s", "velocity, normal"])
      assert.ok(await fact(page, label), label);
    const force = parse(await fact(page, "force, normal"));
    near(parse(await fact(page, "impulse, normal")) / 0.001, force, force * 2e-3);

    await page.locator('[data-plot="Residual"] .readout button').first().click();
    assert.match(await page.textContent("#panel-inspect"), /Two bodies|Body/);
    const over = await page.locator('[data-plot="Energy"] .u-over').boundingBox();
    await page.mouse.click(over.x + over.width * 0.5, over.y + over.height / 2);
    near(await page.evaluate(() => window.touchstone.context.store.state.time), 0.3, 0.02);
    await page.selectOption(".chooser", "max_speed");
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "exported 3D: every layer, every colour": async (browser) => {
    const { html } = recorded("demo", "impulse", 1.5);
    const { page, problems } = await open(browser, html, { viewport: { width: 900, height: 640 } });
    await page.keyboard.press("End");
    await page.click("#tab-layers");
    for (const box of await page.$$("#panel-layers input[type=checkbox]")) {
      const before = await box.isChecked();
      await box.click();
      await page.evaluate(() => window.touchstone.context.stage.render(performance.now()));
      assert.equal(await box.isChecked(), !before);
      if (before) await box.click();
    }
    assert.equal((await page.$$("#panel-layers input[type=checkbox]:not(:checked)")).length, 0);
    for (const colour of ["material", "island", "gap", "speed", "body"]) await page.selectOption("#colour-by", colour);
    await page.waitForTimeout(500);
    assert.ok((await page.evaluate(() => window.touchstone.context.stage.renderer.info.render.calls)) <= 20);
    assert.match(await page.textContent(".legend"), /N per m of arrow/);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "comparison: one clock, table leads to the contact, overlay": async (browser) => {
    const pages = ["impulse", "penalty"].map((model) => recorded("incline", model, 0.6).html);
    const path = join(folder, "compare.html");
    writeFileSync(path, embed(pages, sampleReport));
    const { page, problems } = await open(browser, path);
    assert.equal(await page.evaluate(() => window.touchstone.context.stage.areas.length), 2);
    assert.match(await page.textContent(".lead"), /what differs is how contact is treated/);
    assert.equal((await page.$$(".words .card")).length, 2);
    assert.match(await page.textContent(".report"), /Stopped at 1.2 s/);
    await page.locator(".report tbody tr >> nth=1").locator("button.link").nth(1).click();
    await page.waitForTimeout(500);
    const state = await page.evaluate(() => {
      const { context } = window.touchstone;
      const column =
        context.runs[1].series.columns[context.runs[1].manifest.fields.findIndex((f) => f.name === "penetration")];
      const worst = column.reduce((best, v, i) => (Number.isFinite(v) && !(column[best] >= v) ? i : best), 0);
      return {
        run: context.store.state.activeRun,
        frame: context.index(context.runs[1]),
        worst,
        selection: context.store.state.selection,
      };
    });
    assert.equal(state.run, 1);
    assert.equal(state.frame, state.worst);
    assert.equal(state.selection.run, 1);
    await page.getByRole("button", { name: "Overlay" }).click();
    await page.waitForTimeout(500);
    assert.equal(await page.evaluate(() => window.touchstone.context.stage.areas.length), 1);
    assert.equal(await page.locator('[data-plot="Energy"] .readout .entry').count(), 2);
    assert.deepEqual(problems, []);
    await page.context().close();
  },
};
