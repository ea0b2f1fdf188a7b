// Runs that stand inside the page, as base64 of a zlib stream.
import { decodePack } from "./pack.js";
import { checkManifest } from "./manifest.js";
import { sampleIndices, type Pack, type Run, type Source } from "./source.js";
import type { Frame } from "./types.js";

const kRecent = 8; // decoded frames that are kept: this one, the next one and a few to look back

export async function inflate(bytes: Uint8Array): Promise<Uint8Array> {
  const stream = new Blob([bytes as BlobPart]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export function fromBase64(text: string): Uint8Array {
  const binary = atob(text.replace(/\s+/g, ""));
  const bytes = new Uint8Array(binary.length);
  for (let i = 0; i < binary.length; ++i) bytes[i] = binary.charCodeAt(i);
  return bytes;
}

class EmbeddedRun implements Run {
  readonly manifest;
  readonly series;
  private readonly recent = new Map<number, Frame>(); // in the order of last use

  constructor(private readonly pack: Pack) {
    this.manifest = checkManifest(pack.manifest);
    this.series = pack.series;
  }

  frame(index: number): Frame | null {
    const frame = this.recent.get(index) ?? this.pack.frame(index);
    this.recent.delete(index);
    this.recent.set(index, frame);
    if (this.recent.size > kRecent) this.recent.delete(this.recent.keys().next().value!);
    return frame;
  }

  samples(): Frame[] {
    return sampleIndices(this.series.frames, this.manifest.bodies.length).map((index) => this.pack.frame(index));
  }

  subscribe(): void {
    // Nothing ever changes.
  }
}

async function openRun(index: number): Promise<Run> {
  const block = document.getElementById(`touchstone-run-${index}`);
  if (!block) throw new Error(`Run ${index} is missing from this page: the file is cut short.`);
  const text = block.textContent ?? "";
  block.remove(); // megabytes of text that nobody reads again
  let bytes: Uint8Array;
  try {
    bytes = await inflate(fromBase64(text));
  } catch {
    throw new Error(`The data of run ${index} are damaged: they cannot be unpacked. Export the recording again.`);
  }
  return new EmbeddedRun(decodePack(bytes));
}

export async function openEmbedded(runs: number): Promise<Source> {
  const opened: Run[] = [];
  for (let i = 0; i < runs; ++i) opened.push(await openRun(i));
  return { runs: opened, live: null };
}
