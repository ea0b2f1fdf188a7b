import "./style.css";
import { startApp } from "./app.js";
import { openSource, readPageBlock } from "./data/open.js";

const root = document.getElementById("app")!;

function say(text: string, kind: "wait" | "problem"): void {
  const paragraph = document.createElement("p");
  paragraph.className = `message ${kind}`;
  paragraph.setAttribute("role", kind === "problem" ? "alert" : "status");
  paragraph.textContent = text;
  root.replaceChildren(paragraph);
}

async function start(): Promise<void> {
  try {
    const page = readPageBlock();
    say(page.mode === "live" ? "Waiting for the simulation…" : "Unpacking the recording…", "wait");
    startApp(root, page, await openSource(page, (text) => say(text, "wait")));
  } catch (error) {
    say(error instanceof Error ? error.message : String(error), "problem");
  }
}

void start();
