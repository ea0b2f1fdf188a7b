// In a comparison: the same body in the other runs.
import type { Frame } from "../data/types.js";
import { quantity } from "../state/units.js";
import { runColour } from "../state/colours.js";
import type { Context } from "./context.js";
import { el } from "./dom.js";

export function otherRuns(context: Context, run: number, slot: number, frame: Frame): HTMLElement | null {
  if (context.runs.length < 2 || !frame.poses) return null;
  const rows: HTMLElement[] = [];
  const here = frame.poses.subarray(slot * 7, slot * 7 + 3);
  context.runs.forEach((other, i) => {
    const there = i === run ? null : context.frame(other);
    if (!there?.poses || there.poses.length < slot * 7 + 7) return;
    const p = there.poses.subarray(slot * 7, slot * 7 + 3);
    const away = Math.hypot(p[0]! - here[0]!, p[1]! - here[1]!, p[2]! - here[2]!);
    rows.push(
      el(
        "tr",
        {},
        el(
          "th",
          { scope: "row" },
          el("span", { class: "swatch", style: `background:${runColour(i)}` }),
          context.label(i),
        ),
        el("td", { class: "number" }, quantity(away, "m")),
      ),
    );
  });
  if (rows.length === 0) return null;
  return el(
    "table",
    { class: "small" },
    el("caption", {}, "How far away it is in the other runs"),
    el("tbody", {}, ...rows),
  );
}
