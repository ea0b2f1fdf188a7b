// The report of `touchstone compare`, as the program writes it: what a newcomer sees at the end of the demo.
import assert from "node:assert/strict";
import { folder, near, openFile, parse, program, scene } from "./program.mjs";
import { join } from "node:path";

const state = (page) => page.evaluate(() => ({ ...window.touchstone.context.store.state }));

let made = null;
function report() {
  if (!made) {
    const words = ["compare", scene("side_by_side"), "--models", "impulse,ncp,penalty", "-t", "0.6", "--halvings", "0"];
    made = { html: join(folder, "report.html"), json: JSON.parse(program(...words, "-o", "report.html", "--json")) };
  }
  return made;
}

export const compared = {
  "a report plays by itself, in a loop; cards and plots are there": async (browser) => {
    const { page, problems } = await openFile(browser, report().html, { viewport: { width: 1400, height: 900 } });
    await page.waitForFunction(() => window.touchstone.context.store.state.time > 0);
    const { playing, loop, view } = await state(page);
    assert.deepEqual({ playing, loop, view }, { playing: true, loop: true, view: "side" });
    assert.equal(await page.evaluate(() => window.touchstone.context.stage.areas.length), 3);
    for (const card of await page.locator(".findings .card").all()) {
      const box = await card.boundingBox();
      assert.ok(box.y < 760, "cards peek in below the picture");
    }
    assert.equal(await page.locator(".findings .card").count(), 3);
    await page.waitForSelector(".plot canvas");
    // Every dynamic body is in the picture, all the time.
    const out = await page.evaluate(() => {
      const { context } = window.touchstone;
      const { stage } = context;
      const found = [];
      for (const [run, source] of context.runs.entries())
        for (const frame of source.samples())
          source.manifest.bodies.forEach((body, slot) => {
            const p = stage.project(frame.poses.subarray(slot * 7, slot * 7 + 3), run);
            const area = stage.areas[run];
            const inside = p && p[0] >= area.x && p[0] <= area.x + area.width && p[1] >= area.y && p[1] <= area.y + area.height;
            if (body.kind === "dynamic" && !inside) found.push(`${run} ${body.name} ${frame.time}`);
          });
      return found;
    });
    assert.deepEqual(out, []);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "a report stands still for those who asked for less motion": async (browser) => {
    const { page, problems } = await openFile(browser, report().html, { reducedMotion: "reduce" });
    await page.waitForSelector(".plot canvas"); // by then it would play
    assert.equal((await state(page)).playing, false);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "a report: numbers are those of --json and lead to their moment and bodies; findings do, too": async (browser) => {
    const { html, json } = report();
    const { page, problems } = await openFile(browser, html);
    const run = json.runs.findIndex((each) => each.label === "penalty");
    const { value, where } = json.runs[run].numbers.penetration;
    const cell = page.locator('.report [data-number="penetration"] td').nth(run);
    near(parse(await cell.textContent()), value, value * 6e-3);
    await cell.locator(".link").click();
    await page.waitForFunction(() => window.touchstone.context.store.state.selection !== null);
    const found = await page.evaluate(() => {
      const { context } = window.touchstone;
      const { selection, playing, activeRun } = context.store.state;
      const source = context.runs[activeRun];
      const { times, columns } = source.series;
      const index = context.index(source);
      const column = columns[source.manifest.fields.findIndex(({ name }) => name === "penetration")];
      return {
        playing,
        model: source.manifest.model,
        bodies: [selection.a, selection.b].map((slot) => context.name(activeRun, slot)),
        before: times[index - 1] ?? -1,
        time: times[index],
        deepest: column[index],
      };
    });
    assert.equal(found.playing, false);
    assert.equal(found.model, "penalty");
    assert.deepEqual(found.bodies, [where.body_a, where.body_b]);
    assert.ok(found.before < where.time && where.time <= found.time + 1e-9, JSON.stringify({ found, where }));
    near(found.deepest, value, value * 1e-9);
    await page.waitForFunction((name) => document.querySelector("#panel-inspect h2").textContent.includes(name), where.body_a);

    assert.ok(!(await page.isVisible('[data-number="cone"]')));
    await page.getByRole("button", { name: /^All \d+ numbers/ }).click();
    assert.ok(await page.isVisible('[data-number="cone"]'));

    // A finding leads to the time and the bodies of its fields.
    const finding = json.findings.find(({ model, bodies }) => model === "penalty" && bodies.length === 2);
    const { bodies: [a, b], time } = finding;
    const link = page.locator(".card", { hasText: "penalty" }).locator(`li[data-kind="${finding.kind}"] a.link`);
    await link.click();
    await page.waitForFunction(([x, y]) => {
      const { context } = window.touchstone;
      const { selection, activeRun } = context.store.state;
      return selection?.kind === "pair" && context.name(activeRun, selection.a) === x && context.name(activeRun, selection.b) === y;
    }, [a, b]);
    assert.ok((await state(page)).time >= time - 1e-3);
    assert.deepEqual(problems, []);
    await page.context().close();
  },

  "a report: side by side, overlay, one alone": async (browser) => {
    const { page, problems } = await openFile(browser, report().html, { reducedMotion: "reduce" });
    await page.getByRole("button", { name: "Overlay" }).click();
    await page.waitForFunction(() => window.touchstone.context.stage.areas.length === 1);
    await page.getByRole("button", { name: "One", exact: true }).click();
    await page.locator(".card", { hasText: "penalty" }).getByRole("button", { name: "Look at it alone" }).click();
    await page.waitForFunction(() => window.touchstone.context.stage.areas[0].run === 2);
    await page.getByRole("button", { name: "Side by side" }).click();
    await page.waitForFunction(() => window.touchstone.context.stage.areas.length === 3);
    await page.waitForFunction(() => document.querySelectorAll('[data-plot="Energy"] .readout .entry').length === 3);
    assert.deepEqual(problems, []);
    await page.context().close();
  },
};
