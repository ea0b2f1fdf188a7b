// A running simulation over a WebSocket. Received frames are kept, within bounds, so that one can look back.
import { decodeFrame } from "./frame.js";
import { History } from "./history.js";
import { checkManifest } from "./manifest.js";
import { apiAddress } from "./served.js";
import type { Live, LiveCommand, LiveStatus, Run, RunChange, Series, Source } from "./source.js";
import type { Frame, Manifest } from "./types.js";

const kRetryMs = [250, 500, 1000, 2000, 4000];

class LiveRun implements Run {
  private history: History;
  private readonly listeners: ((what: RunChange) => void)[] = [];

  constructor(public manifest: Manifest) {
    this.history = new History(manifest.fields.length);
  }

  get series(): Series {
    return this.history.series;
  }

  frame(index: number): Frame | null {
    return this.history.frame(index);
  }

  samples(): Frame[] {
    const first = this.series.frames > 0 ? this.history.frame(0) : null;
    return first ? [first] : [];
  }

  subscribe(listener: (what: RunChange) => void): void {
    this.listeners.push(listener);
  }

  add(frame: Frame, bytes: number): void {
    this.history.add(frame, bytes);
    this.tell("series");
  }

  replace(manifest: Manifest): void {
    this.manifest = manifest;
    this.history = new History(manifest.fields.length);
    this.tell("scene");
  }

  private tell(what: RunChange): void {
    for (const listener of this.listeners) listener(what);
  }
}

class LiveLink implements Live {
  readonly status: LiveStatus = {
    connection: "connecting",
    running: false,
    speed: 1,
    time: 0,
    step: 0,
    edited: false,
    real_time_factor: 0,
    message: "",
    failed: false,
    options: null,
  };
  run: LiveRun | null = null;
  private socket: WebSocket | null = null;
  private attempt = 0;
  private readonly listeners: (() => void)[] = [];

  constructor(private readonly opened: (run: LiveRun) => void) {
    this.connect();
  }

  onStatus(listener: () => void): void {
    this.listeners.push(listener);
  }

  send(command: LiveCommand): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(command));
  }

  private connect(): void {
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${apiAddress("/ws")}`);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    this.set({ connection: "connecting" });
    socket.onopen = () => {
      this.attempt = 0;
      this.set({ connection: "open", message: "" });
    };
    socket.onclose = () => {
      this.set({ connection: "closed", running: false });
      const wait = kRetryMs[Math.min(this.attempt++, kRetryMs.length - 1)]!;
      setTimeout(() => this.connect(), wait);
    };
    socket.onmessage = (event: MessageEvent<string | ArrayBuffer>) => {
      try {
        if (typeof event.data === "string") this.text(event.data);
        else this.binary(event.data);
      } catch (error) {
        this.set({ message: error instanceof Error ? error.message : String(error) });
      }
    };
  }

  private text(data: string): void {
    const message = JSON.parse(data) as { is: string; manifest?: unknown; message?: string } & Partial<LiveStatus>;
    if (message.is === "scene") {
      const manifest = checkManifest(message.manifest);
      if (this.run) this.run.replace(manifest);
      else this.opened((this.run = new LiveRun(manifest)));
    } else if (message.is === "status") {
      const { is: _is, manifest: _manifest, connection: _connection, ...status } = message;
      this.set(status);
    } else if (message.is === "error") {
      this.set({ message: message.message ?? "" });
    }
  }

  private binary(data: ArrayBuffer): void {
    this.run?.add(decodeFrame(data), data.byteLength);
  }

  private set(change: Partial<LiveStatus>): void {
    Object.assign(this.status, change);
    for (const listener of this.listeners) listener();
  }
}

/** Opens when the scene is there; until then `waiting` hears whether the program answers. */
export function openLive(waiting: (text: string) => void): Promise<Source> {
  return new Promise((resolve) => {
    const link: LiveLink = new LiveLink((run) => resolve({ runs: [run], live: link }));
    link.onStatus(() => {
      if (!link.run && link.status.connection === "closed")
        waiting("The program does not answer. Is it still running? Trying again…");
    });
  });
}
