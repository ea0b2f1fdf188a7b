// What a frame costs: draw calls, all calls of WebGL, bytes that are uploaded, and time in script. The counts are the same on every
// machine and are what tests hold the page to; times are only printed. A software renderer takes seconds for so many bodies and works
// on the same processors, so the calls that draw are counted but do nothing; all else, uploads too, is done.
import { ready } from "./browser.mjs";

/** Before the page is loaded. */
export function withoutDrawing(page) {
  return page.addInitScript(() => {
    const gl = WebGL2RenderingContext.prototype;
    const counted = { calls: 0, bytes: 0 };
    window.countedGl = counted;
    const drawing = /^(draw(Arrays|Elements)(Instanced)?|multiDraw.*)$/;
    const count = (owner, name) => {
      const call = owner[name];
      if (typeof call !== "function") return;
      owner[name] = function (...rest) {
        ++counted.calls;
        if (/^(buffer|tex).*(Data|Image)/.test(name))
          for (const part of rest) if (ArrayBuffer.isView(part)) counted.bytes += part.byteLength;
        return drawing.test(name) ? undefined : call.apply(this, rest);
      };
    };
    const ask = gl.getExtension;
    for (const [name, { value }] of Object.entries(Object.getOwnPropertyDescriptors(gl)))
      if (typeof value === "function" && name !== "constructor") count(gl, name);
    gl.getExtension = function (name) {
      const extension = ask.call(this, name);
      if (name === "WEBGL_multi_draw" && extension)
        for (const draw of Object.keys(Object.getPrototypeOf(extension))) count(extension, draw);
      return extension;
    };
  });
}

export async function measure(page, layers, frames = 40) {
  await ready(page);
  return page.evaluate(
    async ([names, count]) => {
      const { context } = window.touchstone;
      const { store, stage } = context;
      const shown = Object.fromEntries(
        Object.keys(store.state.layers).map((name) => [name, ["shadows", "grid"].includes(name)]),
      );
      for (const name of names) shown[name] = true;
      store.set({ layers: shown, playing: false });
      const times = [];
      const counted = window.countedGl;
      let calls = 0;
      let glCalls = 0;
      let bytes = 0;
      for (let i = 0; i < count + 5; ++i) {
        context.seekFrame(i % 6);
        counted.calls = counted.bytes = 0;
        stage.render(performance.now());
        if (i >= 5) {
          glCalls = Math.max(glCalls, counted.calls);
          bytes = Math.max(bytes, counted.bytes);
          times.push(stage.scriptMs);
        }
        calls = Math.max(calls, stage.renderer.info.render.calls);
        await new Promise((done) => setTimeout(done, 5)); // uploads go to another process; they must not pile up
      }
      times.sort((a, b) => a - b);
      return { layers: names.join(" "), calls, glCalls, bytes, medianMs: times[count >> 1], leastMs: times[0] };
    },
    [layers, frames],
  );
}
