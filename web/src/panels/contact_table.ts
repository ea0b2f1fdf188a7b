// All contacts of the frame, worst first. A click selects one and flies to it.
import { contactNumbers, sortContacts, type SortKey } from "../state/contacts.js";
import { quantity } from "../state/units.js";
import type { Context } from "./context.js";
import { el, throttle } from "./dom.js";

const kRows = 150; // rows that are made; sorting takes all contacts into account

const kColumns: { key: SortKey | null; label: string; help: string }[] = [
  { key: null, label: "between", help: "First body, second body" },
  { key: "impulse", label: "force", help: "Size of the force on the second body: impulse over the step" },
  { key: "gap", label: "gap", help: "Negative: the bodies are in each other" },
  { key: "residual", label: "residual", help: "Natural map: how far from the laws of contact [m/s]" },
  { key: "slip", label: "slip", help: "Tangential relative velocity" },
];

export function makeContactTable(context: Context): HTMLElement {
  let key: SortKey = "impulse";
  let ascending = false;
  const note = el("p", { class: "muted" });
  const body = el("tbody");
  const heads = kColumns.map(({ key: own, label, help }) =>
    el(
      "th",
      { scope: "col", title: help },
      own ? el("button", { type: "button", class: "link", onclick: () => sort(own) }, label) : label,
    ),
  );
  // Rows that a pointer is about to hit stay: in a run that goes on they would be made anew between press and release.
  let held = false;
  body.addEventListener("pointerenter", () => (held = true));
  body.addEventListener("pointerleave", () => {
    held = false;
    show();
  });
  const mark = (): void => {
    const { selection } = context.store.state;
    const chosen = selection?.kind === "contact" ? nameOf(selection) : "";
    for (const row of body.rows) row.setAttribute("aria-selected", String(row.dataset.contact === chosen));
  };
  const show = (): void => {
    const frame = context.frame();
    heads.forEach((head, i) => {
      const own = kColumns[i]!.key;
      if (own) head.setAttribute("aria-sort", own !== key ? "none" : ascending ? "ascending" : "descending");
    });
    if (!frame || context.store.state.tab !== "contacts") return;
    if (held && body.rows.length > 0) return mark();
    note.textContent = describe(context, frame.contacts, frame.contactsTotal);
    const run = context.store.state.activeRun;
    const h = context.stepSize();
    const rows = [...sortContacts(frame, key, ascending).subarray(0, kRows)].map((index) => {
      const c = contactNumbers(frame, index);
      const cell = (text: string): HTMLElement => el("td", { class: "number" }, text);
      const choose = (): void => {
        const { a, b, keyLow, keyHigh } = c;
        context.select({ kind: "contact", run, a, b, keyLow, keyHigh }, true);
        context.store.set({ tab: "contacts" });
      };
      return el(
        "tr",
        {
          tabindex: 0,
          "data-contact": nameOf(c),
          onclick: choose,
          onkeydown: (event: KeyboardEvent) => event.key === "Enter" && choose(),
          ondblclick: () => context.store.set({ tab: "inspect" }),
        },
        el("td", { class: "names" }, el("span", {}, context.name(run, c.a)), el("span", {}, context.name(run, c.b))),
        cell(quantity(Math.hypot(...c.impulse) / h, "N", 3)),
        cell(quantity(c.gap, "m", 3)),
        cell(quantity(c.naturalMap, "m/s", 3)),
        el("td", { class: "number" }, c.sticking ? "sticks" : quantity(c.velocityTangential, "m/s", 3)),
      );
    });
    body.replaceChildren(...rows);
    mark();
  };
  const sort = (own: SortKey): void => {
    ascending = own === key ? !ascending : false;
    key = own;
    held = false;
    show();
  };
  context.store.on(["time", "data", "selection", "scene", "tab", "activeRun"], throttle(show, 200), true);
  return el(
    "div",
    { class: "contacts" },
    note,
    el("table", { class: "grid" }, el("thead", {}, el("tr", {}, ...heads)), body),
  );
}

const nameOf = (c: { a: number; b: number; keyLow: number; keyHigh: number }): string =>
  [c.a, c.b, c.keyHigh, c.keyLow].join(":");

function describe(context: Context, here: number, total: number): string {
  const { manifest } = context.activeRun;
  if (!manifest.has.contacts) return "This recording holds no contacts. Record them with [record] contacts = true.";
  const which = context.runs.length > 1 ? ` of ${context.label(context.store.state.activeRun)}` : "";
  const rows = here > kRows ? `; the first ${kRows} in this order are listed` : "";
  const left = total > here ? ` ${total - here} more were left out of the file: ${manifest.decimation}` : "";
  return `${total} ${total === 1 ? "contact" : "contacts"}${which} in this frame${rows}. Click one to fly to it.${left}`;
}
