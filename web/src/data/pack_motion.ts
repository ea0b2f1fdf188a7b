// Motion in a pack: numbers over all frames that are predicted from the ones before. docs/viewer.md has the format.
import { unzigzag, type Reader } from "./pack_reader.js";

/** `columns` series over all frames, each with a byte that says how it is predicted; in place of the residuals. */
export function readSeries(reader: Reader, columns: number, frames: number): Int32Array {
  const orders = reader.bytesOf(columns);
  const out = new Int32Array(reader.wordPlanes(columns * frames).buffer);
  for (let c = 0, at = 0; c < columns; ++c) {
    let before = 0;
    let earlier = 0;
    for (let f = 0; f < frames; ++f, ++at) {
      const guess = orders[c] ? (2 * before - earlier) | 0 : before;
      const value = (guess + unzigzag(out[at]!)) | 0;
      out[at] = value;
      earlier = before;
      before = value;
    }
  }
  return out;
}

/** Quaternions w x y z of every slot and frame: three components each, the fourth follows from them. */
export function readTurns(reader: Reader, slots: number, frames: number): Int16Array {
  const scale = Math.round(1 / reader.number());
  const orders = reader.bytesOf(slots);
  const choices = reader.bytesOf(slots * frames);
  const residuals = reader.wordPlanes(slots * frames * 3);
  const out = new Int16Array(slots * frames * 4);
  for (let slot = 0; slot < slots; ++slot) {
    let p1 = [scale, 0, 0, 0];
    let p2 = [scale, 0, 0, 0];
    for (let f = 0; f < frames; ++f) {
      let expected = 0;
      for (let i = 1; i < 4; ++i) if (Math.abs(p1[i]!) > Math.abs(p1[expected]!)) expected = i;
      if (p1[expected]! < 0) p1 = p1.map((c) => -c);
      if (p1[0]! * p2[0]! + p1[1]! * p2[1]! + p1[2]! * p2[2]! + p1[3]! * p2[3]! < 0) p2 = p2.map((c) => -c);
      const dropped = (expected + choices[slot * frames + f]!) & 3;
      const q = [0, 0, 0, 0];
      let rest = scale * scale;
      for (let i = 0, k = 0; i < 4; ++i) {
        if (i === dropped) continue;
        const guess = orders[slot] ? 2 * p1[i]! - p2[i]! : p1[i]!;
        const value = guess + unzigzag(residuals[(slot * 3 + k++) * frames + f]!);
        q[i] = value;
        rest -= value * value;
      }
      q[dropped] = Math.round(Math.sqrt(Math.max(rest, 0)));
      out.set(q, (slot * frames + f) * 4);
      p2 = p1;
      p1 = q;
    }
  }
  return out;
}
