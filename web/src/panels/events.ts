// Kinds of events: their names and colours.
import { kPalette } from "../state/colours.js";

export const kEventKinds = [
  { kind: 0, label: "impact", colour: kPalette[5]! },
  { kind: 1, label: "stick → slip", colour: kPalette[1]! },
  { kind: 2, label: "slip → stick", colour: kPalette[0]! },
  { kind: 3, label: "contact made", colour: kPalette[2]! },
  { kind: 4, label: "contact lost", colour: kPalette[4]! },
  { kind: 5, label: "solver warning", colour: kPalette[3]! },
  { kind: 6, label: "edit", colour: kPalette[6]! },
] as const;

export const eventLabel = (kind: number): string =>
  kEventKinds.find((each) => each.kind === kind)?.label ?? `event ${kind}`;
