// What a frame costs: draw calls, and time in script. A software renderer takes seconds for so many bodies and works on the same
// processors, so the calls that draw are counted but do nothing; all else, uploads too, is done.
import { ready } from "./browser.mjs";

/** Before the page is loaded. */
export function withoutDrawing(page) {
  return page.addInitScript(() => {
    const gl = WebGL2RenderingContext.prototype;
    for (const name of ["drawArrays", "drawElements", "drawArraysInstanced", "drawElementsInstanced"])
      gl[name] = () => {};
    const ask = gl.getExtension;
    gl.getExtension = function (name) {
      const extension = ask.call(this, name);
      if (name === "WEBGL_multi_draw" && extension)
        for (const draw of [
          "multiDrawArraysWEBGL",
          "multiDrawElementsWEBGL",
          "multiDrawArraysInstancedWEBGL",
          "multiDrawElementsInstancedWEBGL",
        ])
          extension[draw] = () => {};
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
      let calls = 0;
      for (let i = 0; i < count + 5; ++i) {
        context.seekFrame(i % 6);
        stage.render(performance.now());
        if (i >= 5) times.push(stage.scriptMs);
        calls = Math.max(calls, stage.renderer.info.render.calls);
        await new Promise((done) => setTimeout(done, 5)); // uploads go to another process; they must not pile up
      }
      times.sort((a, b) => a - b);
      return { layers: names.join(" "), calls, medianMs: times[count >> 1], leastMs: times[0] };
    },
    [layers, frames],
  );
}
