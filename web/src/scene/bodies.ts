// Draws all bodies of a run: one instanced mesh for each kind of unit geometry, one batch for everything else.
import {
  BatchedMesh,
  Color,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedMesh,
  type BufferGeometry,
  type DataTexture,
  type Intersection,
  type Object3D,
  type Raycaster,
} from "three";
import type { Frame, Geometry, Manifest } from "../data/types.js";
import { makeGeometry } from "./geometry.js";
import { makeBodyMaterial, type BodyMaterial } from "./material.js";
import { kLocalFloats, writeMatrices } from "./poses.js";

const kUnitKinds = new Set<Geometry["kind"]>(["box", "sphere", "cylinder", "rectangle", "disc"]);

/** Instances that are drawn with one call. */
interface Group {
  object: InstancedMesh | BatchedMesh;
  slots: Uint32Array;
  local: Float32Array;
  matrices: Float32Array;
  colours: Float32Array;
  colourStride: 3 | 4;
  changed(matrices: boolean, colours: boolean): void;
}

interface Place {
  slot: number;
  geometry: number;
  local: number[];
}

export class Bodies {
  readonly material: BodyMaterial = makeBodyMaterial();
  readonly groups: Group[] = [];

  constructor(manifest: Manifest, parent: Object3D, size: number) {
    const byKind = new Map<string, Place[]>();
    manifest.bodies.forEach((body, slot) => {
      for (const shape of body.shapes) {
        const kind = manifest.geometries[shape.geometry]!.kind;
        if (kind === "half_space") continue;
        const name = kUnitKinds.has(kind) ? kind : "batch";
        if (!byKind.has(name)) byKind.set(name, []);
        const local = [...shape.position, ...shape.rotation, ...shape.scale];
        byKind.get(name)!.push({ slot, geometry: shape.geometry, local });
      }
    });
    const detail = manifest.bodies.length > 3000 ? 3 : manifest.bodies.length > 500 ? 5 : 9;
    const geometry = (index: number): BufferGeometry | null =>
      makeGeometry(manifest.geometries[index]!, manifest.dimension, size, detail);
    for (const [name, places] of byKind) {
      const group =
        name === "batch" ? this.batch(places, geometry) : this.instanced(places, geometry(places[0]!.geometry)!);
      if (!group) continue;
      group.object.frustumCulled = false;
      group.object.castShadow = manifest.dimension === 3;
      group.object.receiveShadow = manifest.dimension === 3;
      parent.add(group.object);
      this.groups.push(group);
    }
  }

  update(poses: Float32Array, alive: Frame["alive"]): void {
    for (const group of this.groups) {
      writeMatrices(poses, alive, group.slots, group.local, group.matrices);
      group.changed(true, false);
    }
  }

  /** Colours every instance; `colour` writes the linear colour of a slot into its second argument. */
  paint(colour: (slot: number, out: Color) => void): void {
    const out = new Color();
    for (const { slots, colours, colourStride: stride, changed } of this.groups) {
      for (let i = 0; i < slots.length; ++i) {
        colour(slots[i]!, out);
        colours[i * stride] = out.r;
        colours[i * stride + 1] = out.g;
        colours[i * stride + 2] = out.b;
      }
      changed(false, true);
    }
  }

  /** The nearest body that the ray hits. */
  pick(ray: Raycaster): { slot: number; distance: number; point: [number, number, number] } | null {
    let best: { slot: number; distance: number; point: [number, number, number] } | null = null;
    for (const { object, slots } of this.groups) {
      const hits: Intersection[] = [];
      object.boundingSphere = null;
      object.boundingBox = null;
      object.raycast(ray, hits);
      for (const hit of hits) {
        const index = hit.instanceId ?? hit.batchId;
        if (index === undefined || (best && hit.distance >= best.distance)) continue;
        best = { slot: slots[index]!, distance: hit.distance, point: hit.point.toArray() };
      }
    }
    return best;
  }

  dispose(): void {
    for (const { object } of this.groups) {
      object.removeFromParent();
      object.geometry.dispose();
      object.dispose();
    }
    this.material.dispose();
  }

  private instanced(places: Place[], geometry: BufferGeometry): Group {
    const object = new InstancedMesh(geometry, this.material, places.length);
    object.instanceMatrix.setUsage(DynamicDrawUsage);
    const colour = new InstancedBufferAttribute(new Float32Array(places.length * 3).fill(0.5), 3);
    object.instanceColor = colour;
    return {
      object,
      ...spread(places),
      matrices: object.instanceMatrix.array as Float32Array,
      colours: colour.array as Float32Array,
      colourStride: 3,
      changed: (matrices, colours) => {
        if (matrices) object.instanceMatrix.needsUpdate = true;
        if (colours) colour.needsUpdate = true;
      },
    };
  }

  private batch(places: Place[], make: (index: number) => BufferGeometry | null): Group | null {
    const geometries = new Map<number, BufferGeometry>();
    let vertices = 0;
    for (const { geometry } of places) {
      if (geometries.has(geometry)) continue;
      const made = make(geometry);
      if (!made || made.getAttribute("position").count === 0) continue;
      geometries.set(geometry, made);
      vertices += made.getAttribute("position").count;
    }
    const drawn = places.filter((place) => geometries.has(place.geometry));
    if (drawn.length === 0) return null;
    const object = new BatchedMesh(drawn.length, vertices, 0, this.material);
    object.perObjectFrustumCulled = false;
    object.sortObjects = false;
    const ids = new Map([...geometries].map(([index, geometry]) => [index, object.addGeometry(geometry)]));
    const grey = new Color(0.5, 0.5, 0.5);
    for (const place of drawn) object.setColorAt(object.addInstance(ids.get(place.geometry)!), grey);
    // The batch keeps matrices and colours in two textures; writing into them is what setMatrixAt does, one by one.
    const inside = object as unknown as { _matricesTexture: DataTexture; _colorsTexture: DataTexture };
    return {
      object,
      ...spread(drawn),
      matrices: inside._matricesTexture.image.data as unknown as Float32Array,
      colours: inside._colorsTexture.image.data as unknown as Float32Array,
      colourStride: 4,
      changed: (matrices, colours) => {
        if (matrices) inside._matricesTexture.needsUpdate = true;
        if (colours) inside._colorsTexture.needsUpdate = true;
      },
    };
  }
}

function spread(places: Place[]): { slots: Uint32Array; local: Float32Array } {
  const local = new Float32Array(places.length * kLocalFloats);
  places.forEach((place, i) => local.set(place.local, i * kLocalFloats));
  return { slots: Uint32Array.from(places, (place) => place.slot), local };
}
