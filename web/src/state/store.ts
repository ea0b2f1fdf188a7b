// The state of the page: one object, changed in one place, listened to by key.

export type Listener = () => void;

export class Store<State extends object> {
  private readonly listeners = new Map<keyof State, Set<Listener>>();
  private pending = new Set<Listener>();
  private depth = 0;

  constructor(readonly state: Readonly<State>) {}

  /** Changes some keys; listeners of keys that really changed are called once, after all of them are set. */
  set(change: Partial<State>): void {
    const state = this.state as State;
    for (const key of Object.keys(change) as (keyof State)[]) {
      if (Object.is(state[key], change[key])) continue;
      state[key] = change[key] as State[typeof key];
      for (const listener of this.listeners.get(key) ?? []) this.pending.add(listener);
    }
    if (this.depth > 0) return;
    this.depth++;
    try {
      for (let round = 0; this.pending.size > 0 && round < 10; ++round) {
        const now = this.pending;
        this.pending = new Set();
        for (const listener of now) listener();
      }
    } finally {
      this.depth--;
    }
  }

  /** Calls `listener` after any of `keys` changed; and once now if `atOnce`. */
  on(keys: (keyof State)[], listener: Listener, atOnce = false): void {
    for (const key of keys) {
      if (!this.listeners.has(key)) this.listeners.set(key, new Set());
      this.listeners.get(key)!.add(listener);
    }
    if (atOnce) listener();
  }
}
