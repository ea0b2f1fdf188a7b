// Islands: groups of dynamic bodies that are connected by contacts. Union-find with path halving.
import { At, type Body, type Frame } from "../data/types.js";

export class Islands {
  private parent = new Int32Array(0);

  /** Finds the islands of a frame. After it, `of(slot)` is the lowest slot of its island, −1 for bodies that are not dynamic. */
  find(frame: Frame, bodies: readonly Body[]): void {
    const slots = frame.slots;
    if (this.parent.length !== slots) this.parent = new Int32Array(slots);
    const parent = this.parent;
    for (let i = 0; i < slots; ++i) parent[i] = bodies[i]?.kind === "dynamic" && frame.alive[i] ? i : -1;
    const words = frame.contactsU32;
    for (let c = 0; c < frame.contacts; ++c) {
      const a = words[c * At.Words + At.AU]!;
      const b = words[c * At.Words + At.BU]!;
      if (a >= slots || b >= slots || parent[a]! < 0 || parent[b]! < 0) continue;
      const rootA = this.root(a);
      const rootB = this.root(b);
      if (rootA < rootB) parent[rootB] = rootA;
      else parent[rootA] = rootB;
    }
  }

  of(slot: number): number {
    return this.parent[slot]! < 0 ? -1 : this.root(slot);
  }

  count(): number {
    let count = 0;
    for (let i = 0; i < this.parent.length; ++i) if (this.parent[i] === i) ++count;
    return count;
  }

  private root(slot: number): number {
    const parent = this.parent;
    while (parent[slot] !== slot) {
      parent[slot] = parent[parent[slot]!]!;
      slot = parent[slot]!;
    }
    return slot;
  }
}
