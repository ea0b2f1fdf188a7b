// Exported recordings: what the page shows against what the program writes for others.
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { embed, openPage } from "./browser.mjs";
import { eventually, fact, firstDynamic, folder, near, openFile, parse, parseVector, placeOf, recorded } from "./program.mjs";
import { sampleReport } from "./sample_report.mjs";

const open = openFile;

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
    await eventually(page, '[data-plot="Energy"] .readout', (text) =>
      near(parse(/total (.*?J)/.exec(text)[1]), Number(row.energy), Math.abs(Number(row.energy)) * 1e-3),
    );
    await eventually(page, '[data-plot="Contacts"] .readout', (text) =>
      near(parse(/contacts (\d+)/.exec(text)[1]), Number(row.contacts), 0),
    );

    const place = await placeOf(page, await firstDynamic(page));
    await page.mouse.click(place.x, place.y);
    await fact(page, "position");
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

    // Shift and drag zooms all plots, a double click shows everything again.
    const shown = () =>
      page.evaluate(() => [...document.querySelectorAll(".plot")].length && window.touchstone.context.store.state.zoom);
    await page.keyboard.down("Shift");
    await page.mouse.move(over.x + over.width * 0.25, over.y + 20);
    await page.mouse.down();
    await page.mouse.move(over.x + over.width * 0.5, over.y + 30, { steps: 3 });
    await page.mouse.up();
    await page.keyboard.up("Shift");
    const zoom = await shown();
    near(zoom[0], 0.15, 0.02);
    near(zoom[1], 0.3, 0.02);
    await page.mouse.dblclick(over.x + over.width * 0.5, over.y + over.height / 2);
    assert.equal(await shown(), null);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "exported 3D: every layer, every colour": async (browser) => {
    const { html } = recorded("demo", "impulse", 1.5);
    const { page, problems } = await open(browser, html, { viewport: { width: 900, height: 640 } });
    await page.keyboard.press("End");
    await page.click("#tab-layers");
    // Here the processor draws: shadows are off by themselves and the list says so, until somebody asks for them.
    assert.ok(await page.isVisible("#panel-layers .check .muted"));
    for (const box of await page.$$("#panel-layers input[type=checkbox]")) {
      const before = await box.isChecked();
      await box.click();
      await page.evaluate(() => window.touchstone.context.stage.render(performance.now()));
      assert.equal(await box.isChecked(), !before);
      if (before) await box.click();
    }
    assert.equal((await page.$$("#panel-layers input[type=checkbox]:not(:checked)")).length, 0);
    assert.ok(!(await page.isVisible("#panel-layers .check .muted")));
    for (const colour of ["material", "island", "gap", "speed", "body"]) await page.selectOption("#colour-by", colour);
    await page.evaluate(() => window.touchstone.context.stage.render(performance.now()));
    assert.ok((await page.evaluate(() => window.touchstone.context.stage.renderer.info.render.calls)) <= 20);
    await page.waitForFunction(() => /N per m of arrow/.test(document.querySelector(".legend").textContent));
    const capped = await page.evaluate(() => window.touchstone.context.stage.views[0].cappedArrows);
    if (capped > 0) await page.waitForFunction(() => /cut short/.test(document.querySelector(".legend").textContent));
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "an exported page with damaged data: a sentence, never a blank page": async (browser) => {
    const text = readFileSync(recorded("incline", "impulse", 0.6).html, "utf8");
    const block = text.indexOf('id="touchstone-run-0">') + 22;
    const at = block + ((text.indexOf("</script>", block) - block) >> 1);
    const broken = {
      changed: text.slice(0, at) + (text[at] === "A" ? "BBBB" : "AAAA") + text.slice(at + 4),
      cut: text.slice(0, at),
      emptied: text.slice(0, block) + text.slice(text.indexOf("</script>", block)),
    };
    for (const [name, html] of Object.entries(broken)) {
      const path = join(folder, `${name}.html`);
      writeFileSync(path, html);
      const { page, problems } = await openPage(browser);
      await page.goto(`file://${path}`);
      if (name === "cut") {
        // The page's own script comes after the data, and is not there.
        assert.match(await page.textContent("#app"), /was cut short/);
      } else {
        await page.waitForSelector("[role=alert]");
        assert.match(await page.textContent("[role=alert]"), /damaged/, name);
      }
      assert.deepEqual(problems, []);
      await page.context().close();
    }
  },

  "comparison: one clock, table leads to the contact, overlay": async (browser) => {
    const pages = ["impulse", "penalty"].map((model) => recorded("incline", model, 0.6).html);
    const path = join(folder, "compare.html");
    writeFileSync(path, embed(pages, sampleReport));
    const { page, problems } = await open(browser, path);
    assert.equal(await page.evaluate(() => window.touchstone.context.stage.areas.length), 2);
    assert.match(await page.textContent(".lead"), /what differs is how contact is treated/);
    assert.equal((await page.$$(".findings .card")).length, 2);
    assert.match(await page.textContent(".report"), /Stopped at 1.2 s/);
    await page.locator('.report [data-number="penetration"] button.link').nth(1).click();
    await page.waitForFunction(() => window.touchstone.context.store.state.selection !== null);
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
    await page.waitForFunction(() => window.touchstone.context.stage.areas.length === 1);
    assert.equal(await page.locator('[data-plot="Energy"] .readout .entry').count(), 2);
    assert.deepEqual(problems, []);
    await page.context().close();
  },
};
