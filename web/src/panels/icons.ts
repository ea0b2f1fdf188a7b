// Pictures of buttons, drawn on a 16 × 16 grid in the colour of the text.

const kPaths = {
  play: "M4 2.5v11l9-5.5z",
  pause: "M4 2.5h3v11H4zM9 2.5h3v11H9z",
  back: "M11 2.5v11L4 8zM2.5 2.5h1.6v11H2.5z",
  forward: "M5 2.5v11L12 8zM11.9 2.5h1.6v11h-1.6z",
  previous: "M8 2.5v11L2 8zM14 2.5v11L8 8z",
  next: "M8 2.5v11L14 8zM2 2.5v11L8 8z",
  loop: "M8 2.2a5.8 5.8 0 0 1 5.6 4.3h-1.7A4.2 4.2 0 0 0 8 3.8 4.2 4.2 0 0 0 4.9 5.2L6.4 6.7H2V2.3l1.8 1.8A5.8 5.8 0 0 1 8 2.2zM8 13.8a5.8 5.8 0 0 1-5.6-4.3h1.7A4.2 4.2 0 0 0 8 12.2a4.2 4.2 0 0 0 3.1-1.4L9.6 9.3H14v4.4l-1.8-1.8A5.8 5.8 0 0 1 8 13.8z",
  frame:
    "M2 2h4v1.6H3.6V6H2zM10 2h4v4h-1.6V3.6H10zM2 10h1.6v2.4H6V14H2zM12.4 10H14v4h-4v-1.6h2.4zM8 6a2 2 0 1 1 0 4 2 2 0 0 1 0-4z",
  theme: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.6v9.8a4.9 4.9 0 0 0 0-9.8z",
  help: "M8 1.5a6.5 6.5 0 1 1 0 13 6.5 6.5 0 0 1 0-13zm0 1.5a5 5 0 1 0 0 10A5 5 0 0 0 8 3zm-.8 7.2h1.6v1.6H7.2zm.8-6c1.4 0 2.4.9 2.4 2.1 0 .9-.5 1.4-1.1 1.8-.4.3-.5.5-.5.9v.3H7.3v-.4c0-.9.3-1.4 1-1.9.5-.3.6-.5.6-.8 0-.4-.4-.6-.9-.6s-.9.3-1 .9l-1.5-.3C5.700 5 6.700 4.200 8 4.200z",
} as const;

export type IconName = keyof typeof kPaths;

export function icon(name: IconName): SVGSVGElement {
  const space = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(space, "svg");
  svg.setAttribute("viewBox", "0 0 16 16");
  svg.setAttribute("aria-hidden", "true");
  svg.classList.add("icon");
  const path = document.createElementNS(space, "path");
  path.setAttribute("d", kPaths[name]);
  svg.append(path);
  return svg;
}
