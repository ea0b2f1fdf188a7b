// Debian's Chromium, driven by playwright-core, with everything that a page must not do written down.
import { chromium } from "playwright-core";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { seriesBytes } from "./synthetic.mjs";

const kAddress = "http://127.0.0.1:9";
export const viewer = () => readFileSync(fileURLToPath(new URL("../dist/viewer.html", import.meta.url)), "utf8");

/** `graphics`: flags in place of those that draw with the processor. */
export function launch(
  extra = [],
  graphics = ["--use-gl=angle", "--use-angle=swiftshader", "--enable-unsafe-swiftshader"],
) {
  return chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    headless: true,
    args: ["--headless=new", "--no-sandbox", ...graphics, ...extra],
  });
}

/** A page that notes console errors and requests to anywhere but this machine. */
export async function openPage(browser, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(60000); // when it hangs, not when it is slow
  const page = await context.newPage();
  const problems = [];
  page.on("console", (message) => {
    if (
      ["error", "warning"].includes(message.type()) &&
      !/GPU stall|GL Driver Message|swiftshader/i.test(message.text())
    )
      problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(file:|data:|blob:|http:\/\/127\.0\.0\.1[:/]|ws:\/\/127\.0\.0\.1[:/])/.test(url))
      problems.push(`request: ${url}`);
  });
  return { page, problems };
}

export const pageBlock = (block) =>
  `<script type="application/json" id="touchstone-page">${JSON.stringify(block).replaceAll("<", "\\u003c")}</script>`;

/** Serves the page with a made-up recording behind it. */
export async function serveMadeUp(page, run) {
  const html = viewer().replace("<!--touchstone:data-->", () =>
    pageBlock({ mode: "served", title: "Made up", runs: 1 }),
  );
  await page.route(`${kAddress}/**`, (route) => {
    const url = new URL(route.request().url());
    if (url.pathname === "/") return route.fulfill({ contentType: "text/html", body: html });
    if (url.pathname === "/api/manifest") return route.fulfill({ json: run.manifest });
    if (url.pathname === "/api/series")
      return route.fulfill({ contentType: "application/octet-stream", body: Buffer.from(seriesBytes(run)) });
    if (url.pathname === "/api/frames") {
      const first = Number(url.searchParams.get("first"));
      const count = Number(url.searchParams.get("count"));
      return route.fulfill({
        contentType: "application/octet-stream",
        body: Buffer.concat(run.frames.slice(first, first + count).map((b) => Buffer.from(b))),
      });
    }
    return route.fulfill({ status: 404, body: "" });
  });
  await page.goto(`${kAddress}/?token=test`);
}

/** A live page whose server is this function: it sees what the page sends and can answer. */
export async function serveLive(page, run, received) {
  const html = viewer().replace("<!--touchstone:data-->", () =>
    pageBlock({ mode: "live", title: "Made up, live", runs: 1 }),
  );
  await page.route(`${kAddress}/**`, (route) => route.fulfill({ contentType: "text/html", body: html }));
  const sockets = [];
  await page.routeWebSocket(/\/ws/, (socket) => {
    sockets.push(socket);
    socket.onMessage((message) => received.push(JSON.parse(message)));
    socket.send(JSON.stringify({ is: "scene", manifest: { ...run.manifest, frames: 0 } }));
    socket.send(
      JSON.stringify({
        is: "status",
        running: true,
        speed: 1,
        time: 0,
        step: 0,
        edited: false,
        real_time_factor: 1,
        message: "",
        failed: false,
        options: { model: run.manifest.model, step_size: 0.001, materials: run.manifest.materials },
      }),
    );
    run.frames.slice(0, 30).forEach((frame) => socket.send(Buffer.from(frame)));
  });
  await page.goto(`${kAddress}/?token=test`);
  return sockets;
}

export const ready = (page) =>
  page.waitForFunction(() => window.touchstone?.context.frame() != null, null, { timeout: 60000 });

/** The data of exported pages inside the page as it is built now; several become a comparison with `report`. */
export function embed(pages, report) {
  const blocks = pages.map((path, run) => {
    const html = readFileSync(path, "utf8");
    const match = /<script type="text\/plain" id="touchstone-run-0">([^<]*)<\/script>/.exec(html);
    if (!match) throw new Error(`${path} has no run in it`);
    return `<script type="text/plain" id="touchstone-run-${run}">${match[1]}</script>`;
  });
  const title = report?.title ?? "Exported";
  const block = pageBlock({ mode: "embedded", title, runs: pages.length, ...(report ? { report } : {}) });
  return viewer().replace("<!--touchstone:data-->", () => [block, ...blocks].join("\n"));
}
