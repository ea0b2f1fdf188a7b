// A recording that the program serves: the series at once, frames in chunks as they are looked at.
import { decodeEvent, decodeFrames } from "./frame.js";
import { checkManifest, fieldIndex } from "./manifest.js";
import { sampleIndices, type Run, type RunChange, type Series, type Source } from "./source.js";
import type { Frame, Manifest, RunEvent } from "./types.js";

const kChunkBytes = 4 << 20; // a chunk arrives within a few frames of drawing
const kCacheBytes = 256 << 20;
const kSamples = 8; // frames that are fetched before the first picture, so that the camera knows the whole run
const kSampleBytes = 8 << 20; // of them together

export function decodeSeries(buffer: ArrayBuffer, manifest: Manifest): Series {
  const view = new DataView(buffer);
  const damaged = (): Error => new Error("The plots of the recording came damaged.");
  if (buffer.byteLength < 12) throw damaged();
  const frames = view.getUint32(0, true);
  const fields = view.getUint32(4, true);
  let at = 8 + fields * frames * 8;
  if (fields !== manifest.fields.length || at + 4 > buffer.byteLength) throw damaged();
  const columns: Float64Array[] = [];
  for (let c = 0; c < fields; ++c) columns.push(new Float64Array(buffer, 8 + c * frames * 8, frames));
  const count = view.getUint32(at, true);
  at += 4;
  if (at + count * 40 > buffer.byteLength) throw damaged();
  const events: RunEvent[] = [];
  for (let i = 0; i < count; ++i, at += 40)
    events.push({ frame: view.getUint32(at, true), ...decodeEvent(view, at + 8) });
  const column = (name: string, other: (i: number) => number): Float64Array =>
    columns[fieldIndex(manifest, name)] ?? Float64Array.from({ length: frames }, (_, i) => other(i));
  const steps = column("step", (i) => i * manifest.frame_every);
  const times = column("time", (i) => i * manifest.frame_every * manifest.step_size);
  return { frames, times, steps, columns, events };
}

class ServedRun implements Run {
  private readonly chunks = new Map<number, Frame[] | "coming">(); // in the order of last use
  private readonly listeners: ((what: RunChange) => void)[] = [];
  private readonly perChunk: number;

  constructor(
    readonly manifest: Manifest,
    readonly series: Series,
    private readonly sampled: Frame[],
  ) {
    const guess = frameBytes(manifest);
    this.perChunk = Math.max(1, Math.min(64, Math.floor(kChunkBytes / guess)));
  }

  frame(index: number): Frame | null {
    const chunk = Math.floor(index / this.perChunk);
    const here = this.chunks.get(chunk);
    if (here === undefined) void this.fetch(chunk);
    this.prefetch(chunk + 1);
    if (here === undefined || here === "coming") return null;
    this.chunks.delete(chunk);
    this.chunks.set(chunk, here);
    return here[index - chunk * this.perChunk] ?? null;
  }

  samples(): Frame[] {
    return this.sampled;
  }

  subscribe(listener: (what: RunChange) => void): void {
    this.listeners.push(listener);
  }

  private prefetch(chunk: number): void {
    if (chunk * this.perChunk < this.series.frames && !this.chunks.has(chunk)) void this.fetch(chunk);
  }

  private async fetch(chunk: number): Promise<void> {
    this.chunks.set(chunk, "coming");
    try {
      const first = chunk * this.perChunk;
      const count = Math.min(this.perChunk, this.series.frames - first);
      const answer = await fetch(apiAddress(`/api/frames?first=${first}&count=${count}`));
      if (!answer.ok) throw new Error(`The program answered ${answer.status}.`);
      const buffer = await answer.arrayBuffer();
      this.chunks.set(chunk, decodeFrames(buffer));
      this.forget(buffer.byteLength);
      this.tell("frame");
    } catch {
      this.chunks.delete(chunk);
      this.tell("failed");
    }
  }

  private forget(chunkBytes: number): void {
    const keep = Math.max(3, Math.floor(kCacheBytes / Math.max(1, chunkBytes)));
    for (const key of this.chunks.keys()) {
      if (this.chunks.size <= keep) break;
      this.chunks.delete(key);
    }
  }

  private tell(what: RunChange): void {
    for (const listener of this.listeners) listener(what);
  }
}

let taken: string | null | undefined;

/**
 * The token of the page's own address, which then leaves the address bar: it is not to be seen over a shoulder, in a
 * screenshot or in a bookmark. The server's cookie does its work when the page is loaded again.
 */
function takeToken(): string | null {
  if (taken !== undefined) return taken;
  const query = new URLSearchParams(location.search);
  taken = query.get("token");
  if (taken !== null) {
    query.delete("token");
    const rest = query.toString();
    history.replaceState(null, "", `${location.pathname}${rest ? `?${rest}` : ""}${location.hash}`);
  }
  return taken;
}

/** The address of a part of the server, with the token that the page came with. */
export function apiAddress(path: string): string {
  const token = takeToken();
  return token ? `${path}${path.includes("?") ? "&" : "?"}token=${encodeURIComponent(token)}` : path;
}

async function ask(path: string): Promise<Response> {
  const answer = await fetch(apiAddress(path)).catch(() => {
    throw new Error("The program does not answer. Is it still running?");
  });
  if (!answer.ok) throw new Error(`The program refused ${path} (${answer.status}). Open the address that it printed.`);
  return answer;
}

/** About; contacts are guessed. */
const frameBytes = ({ fields, bodies }: Manifest): number => 64 + fields.length * 8 + bodies.length * (53 + 4 * 96);

async function fetchSamples(manifest: Manifest): Promise<Frame[]> {
  const most = Math.max(2, Math.min(kSamples, Math.floor(kSampleBytes / frameBytes(manifest))));
  const fetched = sampleIndices(manifest.frames, manifest.bodies.length, most).map(async (index) =>
    decodeFrames(await (await ask(`/api/frames?first=${index}&count=1`)).arrayBuffer()),
  );
  return (await Promise.all(fetched)).flat();
}

export async function openServed(): Promise<Source> {
  const [manifest, seriesAnswer] = await Promise.all([
    ask("/api/manifest").then(async (answer) => checkManifest(await answer.json())),
    ask("/api/series"),
  ]);
  const [samples, seriesBytes] = await Promise.all([fetchSamples(manifest), seriesAnswer.arrayBuffer()]);
  return { runs: [new ServedRun(manifest, decodeSeries(seriesBytes, manifest), samples)], live: null };
}
