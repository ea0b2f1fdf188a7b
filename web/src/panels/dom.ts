// Small helpers to make elements.

type Attributes = Record<string, string | number | boolean | ((event: never) => void) | null | undefined>;
type Child = Node | string | null | undefined | false;

/** Makes an element. Attributes that begin with "on" are listeners; true is an empty attribute, false and null none. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value as EventListener);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, String(value));
  }
  element.append(
    ...children.filter((child): child is Node | string => child !== null && child !== undefined && child !== false),
  );
  return element;
}

/** Rows of a name and its value. */
export function facts(rows: readonly (readonly [string, Child, string?])[]): HTMLElement {
  const list = el("dl", { class: "facts" });
  for (const [name, value, help] of rows) {
    list.append(el("dt", help ? { title: help } : {}, name), el("dd", {}, value));
  }
  return list;
}

/** Calls `action` at most once per `ms`, the last time always. */
export function throttle(action: () => void, ms: number): () => void {
  let last = -Infinity;
  let timer: ReturnType<typeof setTimeout> | null = null;
  return () => {
    const wait = last + ms - performance.now();
    if (wait <= 0) {
      last = performance.now();
      action();
    } else if (timer === null) {
      timer = setTimeout(() => {
        timer = null;
        last = performance.now();
        action();
      }, wait);
    }
  };
}
