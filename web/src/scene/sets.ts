// Marks that change every frame: points, lines and instanced solids whose buffers grow when needed and are otherwise reused.
import {
  BufferAttribute,
  BufferGeometry,
  Color,
  DynamicDrawUsage,
  InstancedMesh,
  LineBasicMaterial,
  LineSegments,
  Points,
  PointsMaterial,
  type Material,
  type Object3D,
} from "three";
import type { Rgb } from "../state/colours.js";

const kFirst = 256;

/** Positions and colours of vertices, used by points and lines. */
class Vertices {
  readonly geometry = new BufferGeometry();
  private position = new Float32Array(kFirst * 3);
  private colour = new Float32Array(kFirst * 3);
  private count = 0;

  constructor() {
    this.attach();
  }

  begin(): void {
    this.count = 0;
  }

  add(x: number, y: number, z: number, colour: Rgb): void {
    if ((this.count + 1) * 3 > this.position.length) this.grow();
    const at = this.count++ * 3;
    this.position[at] = x;
    this.position[at + 1] = y;
    this.position[at + 2] = z;
    this.colour[at] = colour[0];
    this.colour[at + 1] = colour[1];
    this.colour[at + 2] = colour[2];
  }

  end(): number {
    this.geometry.setDrawRange(0, this.count);
    this.geometry.getAttribute("position").needsUpdate = true;
    this.geometry.getAttribute("color").needsUpdate = true;
    return this.count;
  }

  private grow(): void {
    const [position, colour] = [new Float32Array(this.position.length * 2), new Float32Array(this.colour.length * 2)];
    position.set(this.position);
    colour.set(this.colour);
    this.position = position;
    this.colour = colour;
    this.geometry.dispose();
    this.attach();
  }

  private attach(): void {
    for (const [name, array] of [
      ["position", this.position],
      ["color", this.colour],
    ] as const) {
      const attribute = new BufferAttribute(array, 3);
      attribute.setUsage(DynamicDrawUsage);
      this.geometry.setAttribute(name, attribute);
    }
  }
}

function setUp(object: Object3D, parent: Object3D, order: number): void {
  object.frustumCulled = false;
  object.renderOrder = order;
  object.visible = false;
  parent.add(object);
}

export class PointSet {
  private readonly vertices = new Vertices();
  readonly material: PointsMaterial;
  private readonly object: Points;

  constructor(parent: Object3D, pixels: number, order: number) {
    this.material = new PointsMaterial({
      size: pixels,
      sizeAttenuation: false,
      vertexColors: true,
      depthTest: false,
      transparent: true,
    });
    round(this.material);
    this.object = new Points(this.vertices.geometry, this.material);
    setUp(this.object, parent, order);
  }

  begin(): void {
    this.vertices.begin();
  }

  add(x: number, y: number, z: number, colour: Rgb): void {
    this.vertices.add(x, y, z, colour);
  }

  end(): void {
    this.object.visible = this.vertices.end() > 0;
  }
}

/** Points are round, with a dark rim so that they stand out on every colour. */
function round(material: PointsMaterial): void {
  material.onBeforeCompile = (shader) => {
    shader.fragmentShader = shader.fragmentShader.replace(
      "#include <opaque_fragment>",
      `vec2 fromCentre = gl_PointCoord - 0.5;
      float away = 2.0 * length(fromCentre);
      if (away > 1.0) discard;
      outgoingLight = mix(outgoingLight, vec3(0.02), smoothstep(0.66, 0.74, away));
      diffuseColor.a *= 1.0 - smoothstep(0.9, 1.0, away);
      #include <opaque_fragment>`,
    );
  };
}

export class LineSet {
  private readonly vertices = new Vertices();
  private readonly object: LineSegments;

  constructor(parent: Object3D, order: number, opacity = 1) {
    const material = new LineBasicMaterial({ vertexColors: true, depthTest: false, transparent: true, opacity });
    this.object = new LineSegments(this.vertices.geometry, material);
    setUp(this.object, parent, order);
  }

  begin(): void {
    this.vertices.begin();
  }

  add(x: number, y: number, z: number, u: number, v: number, w: number, colour: Rgb): void {
    this.vertices.add(x, y, z, colour);
    this.vertices.add(u, v, w, colour);
  }

  end(): void {
    this.object.visible = this.vertices.end() > 0;
  }
}

/** Copies of one solid with a matrix and a colour each. */
export class SolidSet {
  private object: InstancedMesh;
  private count = 0;
  private readonly colour = new Color();

  constructor(
    private readonly parent: Object3D,
    private readonly geometry: BufferGeometry,
    private readonly material: Material,
    private readonly order: number,
  ) {
    this.object = this.make(kFirst);
  }

  begin(): void {
    this.count = 0;
  }

  /** The solid's own z goes along `axis` (of length one), times `length`; across, it is `width` wide. */
  addAlong(x: number, y: number, z: number, axis: ArrayLike<number>, length: number, width: number, colour: Rgb): void {
    const m = this.next(colour);
    const at = (this.count - 1) * 16;
    const [ax, ay, az] = [axis[0]!, axis[1]!, axis[2]!];
    // Two directions across the axis, without a jump except at −z (Duff and others 2017).
    const sign = az >= 0 ? 1 : -1;
    const a = -1 / (sign + az);
    const b = ax * ay * a;
    m[at] = (1 + sign * ax * ax * a) * width;
    m[at + 1] = sign * b * width;
    m[at + 2] = -sign * ax * width;
    m[at + 4] = b * width;
    m[at + 5] = (sign + ay * ay * a) * width;
    m[at + 6] = -ay * width;
    m[at + 8] = ax * length;
    m[at + 9] = ay * length;
    m[at + 10] = az * length;
    m[at + 12] = x;
    m[at + 13] = y;
    m[at + 14] = z;
    m[at + 3] = m[at + 7] = m[at + 11] = 0;
    m[at + 15] = 1;
  }

  /** Along the axes of the world, `size` long in each. */
  addBox(low: ArrayLike<number>, high: ArrayLike<number>, colour: Rgb): void {
    const m = this.next(colour);
    const at = (this.count - 1) * 16;
    for (let k = 0; k < 12; ++k) m[at + k] = 0;
    for (let k = 0; k < 3; ++k) {
      m[at + k * 5] = high[k]! - low[k]!;
      m[at + 12 + k] = (low[k]! + high[k]!) / 2;
    }
    m[at + 15] = 1;
  }

  end(): void {
    this.object.count = this.count;
    this.object.visible = this.count > 0;
    this.object.instanceMatrix.needsUpdate = true;
    if (this.object.instanceColor) this.object.instanceColor.needsUpdate = true;
  }

  private next(colour: Rgb): Float32Array {
    const capacity = this.object.instanceMatrix.count;
    if (this.count === capacity) {
      const old = this.object;
      this.object = this.make(capacity * 2);
      (this.object.instanceMatrix.array as Float32Array).set(old.instanceMatrix.array as Float32Array);
      (this.object.instanceColor!.array as Float32Array).set(old.instanceColor!.array as Float32Array);
      old.removeFromParent();
      old.dispose();
    }
    this.object.setColorAt(this.count, this.colour.setRGB(...colour));
    return (this.count++, this.object.instanceMatrix.array as Float32Array);
  }

  private make(capacity: number): InstancedMesh {
    const object = new InstancedMesh(this.geometry, this.material, capacity);
    object.setColorAt(0, this.colour);
    object.instanceMatrix.setUsage(DynamicDrawUsage);
    setUp(object, this.parent, this.order);
    return object;
  }
}
