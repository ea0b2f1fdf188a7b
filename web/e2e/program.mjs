// The real program: its recordings, exports and tables, and its server.
import assert from "node:assert/strict";
import { execFileSync, spawn } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { openPage, ready } from "./browser.mjs";

export const folder = mkdtempSync(join(tmpdir(), "touchstone-e2e-"));
const path = process.env.TOUCHSTONE_PROGRAM;
export const program = (...words) => execFileSync(path, words, { cwd: folder, encoding: "utf8" });

/** The scenes of the project: named by the build, which runs a copy of this folder, or above this file. */
function scenesFolder() {
  if (process.env.TOUCHSTONE_SCENES) return process.env.TOUCHSTONE_SCENES;
  let here = dirname(fileURLToPath(import.meta.url));
  while (dirname(here) !== here && !existsSync(join(here, "scenes", "incline.toml"))) here = dirname(here);
  return join(here, "scenes");
}
export const scene = (name) => join(scenesFolder(), `${name}.toml`);

/** Runs a scene once, and exports it as a page and as tables. */
const runs = new Map();
export function recorded(name, model, seconds) {
  const title = `${name}-${model}`;
  if (!runs.has(title)) {
    program("run", scene(name), "-m", model, "-t", String(seconds), "-o", `${title}.h5`, "-q");
    program("export", `${title}.h5`, "--html", "-o", `${title}.html`, "-q");
    program("export", `${title}.h5`, "--format", "report", "-o", `${title}.report.csv`, "-q");
    program("export", `${title}.h5`, "--format", "csv", "-o", `${title}.csv`, "-q");
    runs.set(title, {
      file: join(folder, `${title}.h5`),
      html: join(folder, `${title}.html`),
      report: table(`${title}.report.csv`),
      bodies: table(`${title}.csv`),
    });
  }
  return runs.get(title);
}

/** Rows by the name of their column, without its unit. */
function table(file) {
  const [head, ...rows] = readFileSync(join(folder, file), "utf8").trim().split("\n");
  const names = head.split(",").map((name) => name.replace(/ \[.*$/, "").trim());
  return rows.map((row) => Object.fromEntries(row.split(",").map((value, i) => [names[i], value])));
}

/** Starts the server, gives its address to `action`, and ends it. */
export async function viewing(words, action) {
  const server = spawn(path, ["view", ...words, "--no-browser"], { stdio: ["ignore", "pipe", "inherit"] });
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

/** Opens the server's page as it is, under the policy that the server sends with it. */
export async function openServed(browser, address, options) {
  const opened = await openPage(browser, options);
  const answer = await opened.page.goto(address);
  assert.match(answer.headers()["content-security-policy"], /default-src 'none'.*script-src 'nonce-/);
  await ready(opened.page);
  return opened;
}

export async function openFile(browser, html, options) {
  const opened = await openPage(browser, options);
  await opened.page.goto(`file://${html}`);
  await ready(opened.page);
  return opened;
}

export const near = (shown, value, tolerance) =>
  assert.ok(Math.abs(shown - value) <= tolerance, `${shown} against ${value}`);

/** A number of the page with its prefix, in SI. */
export function parse(text) {
  const match = /(−?[\d.]+(?:e−?\d+)?) ?([TGMkmµnp]?)(m|s|N|J|N·s|m\/s|kg|g|rad|1)?(?:\b|$)/.exec(text);
  const factor = { T: 1e12, G: 1e9, M: 1e6, k: 1e3, "": 1, m: 1e-3, µ: 1e-6, n: 1e-9, p: 1e-12 }[
    match[3] ? match[2] : ""
  ];
  return Number(match[1].replaceAll("−", "-")) * factor;
}

/** Parts of a vector "1.0, 2.0, −3.0 mm" in SI. */
export function parseVector(text) {
  const [, list, unit] = /^([−\d., e]+) (.*)$/.exec(text);
  const factor = unit.startsWith("mm") ? 1e-3 : unit.startsWith("µm") ? 1e-6 : 1;
  return list.split(", ").map((part) => Number(part.replaceAll("−", "-")) * factor);
}

/** A number of the panel beside the picture, once it is there. */
export async function fact(page, name) {
  const found = await page.waitForFunction((wanted) => {
    const all = [...document.querySelectorAll("#panel-inspect dt")];
    return all.find((dt) => dt.textContent.startsWith(wanted))?.nextElementSibling.textContent;
  }, name);
  return found.jsonValue();
}

/** A place of the page at which a body is seen, whoever is in front of others: the pointer hits it there. */
export async function placeOf(page, slot) {
  const found = await page.evaluate((wanted) => {
    const { context } = window.touchstone;
    const { stage } = context;
    stage.render(performance.now());
    const box = document.querySelector(".canvas").getBoundingClientRect();
    const middle = stage.project(context.frame().poses.subarray(wanted * 7, wanted * 7 + 3), 0);
    for (let ring = 0; ring <= 24; ring += 3)
      for (let angle = 0; angle < 6.3; angle += ring === 0 ? 7 : 0.7) {
        const [x, y] = [middle[0] + ring * Math.cos(angle), middle[1] + ring * Math.sin(angle)];
        if (stage.pick(x, y)?.slot === wanted) return { x: box.left + x, y: box.top + y };
      }
    return null;
  }, slot);
  assert.ok(found, `body ${slot} can be seen`);
  return found;
}

export const firstDynamic = (page) =>
  page.evaluate(() => window.touchstone.context.activeRun.manifest.bodies.findIndex((b) => b.kind === "dynamic"));

/** Looks at the text of an element until `check` does not object; after ten seconds its objection counts. */
export async function eventually(page, selector, check) {
  for (let i = 0; ; ++i) {
    try {
      return check(await page.textContent(selector));
    } catch (error) {
      if (i >= 100) throw error;
      await page.waitForTimeout(100);
    }
  }
}
