// The friction cone of a contact as it is drawn: apex at the contact point, axis along the normal.

/** Height and radius of the cone whose top is as high as the force's normal part, and where in it the force ends.
 *  `use` is the friction's share of what is allowed: 0 in the middle, 1 on the cone, more outside. */
export interface ConeShape {
  height: number;
  radius: number;
  use: number;
}

/** `normal` and `tangential` parts of a force, friction `mu`, `length` drawn for a unit of force. */
export function coneShape(normal: number, tangential: number, mu: number, length: number): ConeShape {
  const height = Math.max(0, normal) * length;
  const allowed = mu * Math.max(0, normal);
  return { height, radius: mu * height, use: allowed > 0 ? tangential / allowed : tangential > 0 ? Infinity : 0 };
}
