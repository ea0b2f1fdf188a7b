// Reads sections of a pack: numbers, and byte planes of them. docs/viewer.md has the format.

export const damaged = (what: string): Error => new Error(`The data of this run are damaged: ${what}. Export the recording again.`);

/** Reads one section from its start to its end. */
export class Reader {
  private readonly view: DataView;
  private at = 0;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  private take(size: number): number {
    const start = this.at;
    this.at += size;
    if (this.at > this.bytes.length) throw damaged("a section is too short");
    return start;
  }

  get done(): boolean {
    return this.at >= this.bytes.length;
  }

  word(): number {
    return this.view.getUint32(this.take(4), true);
  }

  number(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  float(): number {
    return this.view.getFloat32(this.take(4), true);
  }

  bytesOf(count: number): Uint8Array {
    const start = this.take(count);
    return this.bytes.subarray(start, start + count);
  }

  numbers(count: number): Float64Array {
    const out = new Float64Array(count);
    const start = this.take(8 * count);
    for (let i = 0; i < count; ++i) out[i] = this.view.getFloat64(start + 8 * i, true);
    return out;
  }

  words(count: number): Uint32Array {
    const out = new Uint32Array(count);
    const start = this.take(4 * count);
    for (let i = 0; i < count; ++i) out[i] = this.view.getUint32(start + 4 * i, true);
    return out;
  }

  /** 32-bit numbers: all lowest bytes, then all second ones, ... */
  wordPlanes(count: number): Uint32Array {
    const start = this.take(4 * count);
    const b = this.bytes;
    const out = new Uint32Array(count);
    for (let i = 0, p = start; i < count; ++i, ++p)
      out[i] = b[p]! | (b[p + count]! << 8) | (b[p + 2 * count]! << 16) | (b[p + 3 * count]! << 24);
    return out;
  }

  /** 64-bit floats the same way. */
  numberPlanes(count: number): Float64Array {
    const start = this.take(8 * count);
    const raw = new Uint8Array(8 * count);
    for (let k = 0; k < 8; ++k)
      for (let i = 0; i < count; ++i) raw[8 * i + k] = this.bytes[start + k * count + i]!;
    const view = new DataView(raw.buffer);
    const out = new Float64Array(count);
    for (let i = 0; i < count; ++i) out[i] = view.getFloat64(8 * i, true);
    return out;
  }
}

export const unzigzag = (n: number): number => (n >>> 1) ^ -(n & 1);
