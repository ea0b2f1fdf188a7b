// The pointer on the picture: clicks select, in live runs a drag pulls a body by a spring.
import { toLocal, toWorld } from "../scene/poses.js";
import type { Area, Pick, Stage } from "../scene/stage.js";
import type { Context } from "./context.js";
import { throttle } from "./dom.js";

const kStill = 4; // px: a pointer that moved less has clicked

export function listenToPointer(context: Context, stage: Stage, line: SVGLineElement): void {
  const { canvas } = stage;
  let down: { x: number; y: number } | null = null;
  const place = (event: PointerEvent | MouseEvent): { x: number; y: number } => {
    const box = canvas.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const drag = new Drag(context, stage, line);
  // Before the camera's own listener, which must not turn while a body is pulled.
  canvas.addEventListener(
    "pointerdown",
    (event) => {
      canvas.focus({ preventScroll: true });
      down = place(event);
      if (event.button !== 0 || !context.source.live || !(event.ctrlKey || context.store.state.dragTool)) return;
      const hit = stage.pick(down.x, down.y);
      const area = stage.areas[0];
      if (hit && area && hit.slot >= 0 && drag.start(hit, area)) {
        canvas.setPointerCapture(event.pointerId);
        event.stopImmediatePropagation();
      }
    },
    { capture: true },
  );
  canvas.addEventListener("pointermove", (event) => {
    const { x, y } = place(event);
    drag.move(x, y);
  });
  const up = (event: PointerEvent): void => {
    const dragged = drag.end();
    const { x, y } = place(event);
    if (!dragged && down && event.button === 0 && Math.hypot(x - down.x, y - down.y) < kStill)
      click(context, stage.pick(x, y));
    down = null;
  };
  canvas.addEventListener("pointerup", up);
  canvas.addEventListener("pointercancel", () => drag.end());
  canvas.addEventListener("dblclick", () => context.flyToSelection());
}

function click(context: Context, hit: Pick | null): void {
  if (!hit) context.select(null);
  else if (hit.contact >= 0) context.selectContact(hit.run, hit.contact);
  else context.select({ kind: "body", run: hit.run, slot: hit.slot });
}

/** A spring between a point of a body and the pointer. */
class Drag {
  private hold: { slot: number; local: number[]; area: Area; target: number[]; x: number; y: number } | null = null;
  private readonly send = throttle(() => {
    if (!this.hold) return;
    const { slot, local, target } = this.hold;
    this.context.source.live?.send({ do: "drag", body: slot, local, target });
  }, 16);

  constructor(
    private readonly context: Context,
    private readonly stage: Stage,
    private readonly line: SVGLineElement,
  ) {
    context.store.on(["data", "time"], () => this.draw());
  }

  start(hit: Pick, area: Area): boolean {
    const view = this.stage.views[hit.run]!;
    if (this.context.runs[hit.run]!.manifest.bodies[hit.slot]?.kind !== "dynamic") return false;
    this.hold = {
      slot: hit.slot,
      local: toLocal(view.poses, hit.slot, hit.point, [0, 0, 0]),
      area,
      target: hit.point,
      x: 0,
      y: 0,
    };
    this.stage.pulling = true;
    this.context.store.set({ following: true });
    return true;
  }

  move(x: number, y: number): void {
    if (!this.hold) return;
    const from = this.anchor();
    this.hold.target = this.stage.onPlane(x, y, this.hold.area, from);
    this.hold.x = x;
    this.hold.y = y;
    this.send();
    this.draw();
  }

  end(): boolean {
    if (!this.hold) return false;
    this.hold = null;
    this.stage.pulling = false;
    this.context.source.live?.send({ do: "release" });
    this.draw();
    return true;
  }

  private anchor(): number[] {
    const { slot, local } = this.hold!;
    return toWorld(this.stage.views[0]!.poses, slot, local, [0, 0, 0]);
  }

  private draw(): void {
    const at = this.hold && this.hold.x ? this.stage.project(this.anchor(), 0) : null;
    this.line.style.display = at ? "" : "none";
    if (!at) return;
    for (const [name, value] of [
      ["x1", at[0]],
      ["y1", at[1]],
      ["x2", this.hold!.x],
      ["y2", this.hold!.y],
    ] as const)
      this.line.setAttribute(name, String(value));
  }
}
