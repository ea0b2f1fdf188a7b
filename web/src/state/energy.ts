// Kinetic energy of a body from what a frame holds of it.
import type { Body } from "../data/types.js";

/** Of translation and of turning [J]; null where it is not known. `pose`: x y z qw qx qy qz, `motion`: v ω, both of the body. */
export function kineticEnergy(
  body: Pick<Body, "mass" | "inertia">,
  pose: ArrayLike<number> | null,
  motion: ArrayLike<number>,
): { translation: number; rotation: number | null } | null {
  const { mass, inertia } = body;
  if (mass === null || !(mass > 0)) return null;
  const [vx, vy, vz, x, y, z] = Array.from({ length: 6 }, (_, k) => motion[k]!) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  const translation = 0.5 * mass * (vx * vx + vy * vy + vz * vz);
  if (typeof inertia === "number") return { translation, rotation: 0.5 * inertia * z * z };
  if (!inertia || !pose) return { translation, rotation: null };
  // ω in the body's axes: turned back by the conjugate of its rotation.
  const [w, a, b, c] = [pose[3]!, -pose[4]!, -pose[5]!, -pose[6]!];
  const [tx, ty, tz] = [2 * (b * z - c * y), 2 * (c * x - a * z), 2 * (a * y - b * x)];
  const [p, q, r] = [x + w * tx + b * tz - c * ty, y + w * ty + c * tx - a * tz, z + w * tz + a * ty - b * tx];
  const [xx, yy, zz, xy, xz, yz] = inertia as [number, number, number, number, number, number];
  const twice = xx * p * p + yy * q * q + zz * r * r + 2 * (xy * p * q + xz * p * r + yz * q * r);
  return { translation, rotation: 0.5 * twice };
}
