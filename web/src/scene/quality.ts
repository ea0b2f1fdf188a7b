// How much the picture may cost here: found from what draws it and from how long pictures take.

const kSlowMs = 90; // about eleven pictures a second; below that, motion is hard to follow
const kPictures = 8; // in a row, before anything is concluded
const kPauseMs = 3000; // longer is a page that was hidden, not a picture

/** Draws the processor, not a graphics card? */
export function isSoftware(gl: WebGL2RenderingContext): boolean {
  let name = String(gl.getParameter(gl.RENDERER));
  if (/^WebKit WebGL$/.test(name)) {
    const known = gl.getExtension("WEBGL_debug_renderer_info");
    if (known) name = String(gl.getParameter(known.UNMASKED_RENDERER_WEBGL));
  }
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

/** Watches pictures that follow each other at once. */
export class Pace {
  private intervals: number[] = [];

  /** Time from one picture to the next [ms]. True if the last ones took too long; it then begins anew. */
  note(ms: number): boolean {
    if (ms > kPauseMs) return false;
    this.intervals.push(ms);
    if (this.intervals.length < kPictures) return false;
    const middle = [...this.intervals].sort((a, b) => a - b)[kPictures >> 1]!;
    this.intervals = [];
    return middle > kSlowMs;
  }
}
