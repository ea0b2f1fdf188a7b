// The frames of a live run that were received, oldest forgotten first. A frame of an earlier step rewrites what came after it.
import type { Series } from "./source.js";
import type { Frame, RunEvent } from "./types.js";

const kHistoryBytes = 192 << 20; // of frames; their numbers and events are forgotten with them

/** Numbers at the end of which one adds and at the start of which one forgets, without moving them each time. */
class Column {
  private data = new Float64Array(1024);
  private start = 0;
  private end = 0;

  push(value: number): void {
    if (this.end === this.data.length) {
      const length = this.end - this.start;
      const data = length * 2 > this.data.length ? new Float64Array(this.data.length * 2) : this.data;
      data.set(this.data.subarray(this.start, this.end));
      this.data = data;
      this.start = 0;
      this.end = length;
    }
    this.data[this.end++] = value;
  }

  cut(length: number): void {
    this.end = this.start + length;
  }

  forget(count: number): void {
    this.start += count;
  }

  get view(): Float64Array {
    return this.data.subarray(this.start, this.end);
  }
}

export class History {
  private frames: { frame: Frame; bytes: number }[] = [];
  private readonly times = new Column();
  private readonly steps = new Column();
  private readonly fields: Column[];
  private events: RunEvent[] = [];
  private bytes = 0;
  private cache: Series | null = null;

  constructor(
    fields: number,
    private readonly limit = kHistoryBytes,
  ) {
    this.fields = Array.from({ length: fields }, () => new Column());
  }

  frame(index: number): Frame | null {
    return this.frames[index]?.frame ?? null;
  }

  add(frame: Frame, bytes: number): void {
    this.cache = null;
    let keep = this.frames.length;
    while (keep > 0 && this.frames[keep - 1]!.frame.step >= frame.step) --keep;
    if (keep < this.frames.length) this.cut(keep);
    for (const event of frame.events) this.events.push({ frame: this.frames.length, ...event });
    this.frames.push({ frame, bytes });
    this.bytes += bytes;
    this.times.push(frame.time);
    this.steps.push(frame.step);
    this.fields.forEach((column, c) => column.push(frame.fields[c] ?? NaN));
    if (this.bytes > this.limit) this.forget();
  }

  get series(): Series {
    this.cache ??= {
      frames: this.frames.length,
      times: this.times.view,
      steps: this.steps.view,
      columns: this.fields.map((column) => column.view),
      events: this.events,
    };
    return this.cache;
  }

  private cut(length: number): void {
    for (const { bytes } of this.frames.splice(length)) this.bytes -= bytes;
    for (const column of [this.times, this.steps, ...this.fields]) column.cut(length);
    this.events = this.events.filter((event) => event.frame < length);
  }

  /** Forgets an eighth at once, so that it is seldom. */
  private forget(): void {
    const count = Math.min(this.frames.length - 1, Math.ceil(this.frames.length / 8));
    for (const { bytes } of this.frames.splice(0, count)) this.bytes -= bytes;
    for (const column of [this.times, this.steps, ...this.fields]) column.forget(count);
    this.events = this.events
      .filter((event) => event.frame >= count)
      .map((event) => ({ ...event, frame: event.frame - count }));
  }
}
