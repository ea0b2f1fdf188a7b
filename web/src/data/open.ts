// Finds out what this page is and opens its data.
import { openEmbedded } from "./embedded.js";
import { openLive } from "./live.js";
import { openServed } from "./served.js";
import { openStatics } from "./statics.js";
import type { PageBlock, Source } from "./source.js";

export function readPageBlock(): PageBlock {
  const block = document.getElementById("touchstone-page");
  if (!block) {
    throw new Error(
      "This page has no data in it. It is made by “touchstone view”, “touchstone export --html”, “touchstone compare” or “touchstone stable --html”.",
    );
  }
  try {
    return JSON.parse(block.textContent ?? "") as PageBlock;
  } catch {
    throw new Error("The description inside this page is damaged. Make the page again.");
  }
}

export async function openSource(page: PageBlock, waiting: (text: string) => void): Promise<Source> {
  if (page.mode === "embedded") return openEmbedded(page.runs);
  if (page.mode === "served") return openServed();
  if (page.mode === "live") return openLive(waiting);
  if (page.mode === "statics") return openStatics(page.statics);
  throw new Error(`This page is of a kind that it does not know itself: “${String(page.mode)}”.`);
}
