// Half-spaces and the ground grid: planes with lines of constant width that fade out away from the scene.
import {
  Color,
  InstancedMesh,
  Matrix4,
  MeshLambertMaterial,
  DoubleSide,
  PlaneGeometry,
  Vector3,
  type Object3D,
} from "three";
import type { Frame, Manifest } from "../data/types.js";
import type { Ball } from "./bounds.js";
import { kLocalFloats, writeMatrices } from "./poses.js";

interface GridMaterial extends MeshLambertMaterial {
  readonly grid: { line: { value: Color }; fill: { value: number } };
}

/** A length of 1, 2 or 5 times a power of ten. */
export function roundLength(length: number): number {
  const power = 10 ** Math.floor(Math.log10(length));
  const rest = length / power;
  return (rest < 1.5 ? 1 : rest < 3.5 ? 2 : rest < 7.5 ? 5 : 10) * power;
}

function gridMaterial(ball: Ball, cell: number, reach: number, fill: number, solid: boolean): GridMaterial {
  const material = new MeshLambertMaterial({
    transparent: true,
    side: DoubleSide,
    depthWrite: solid,
  }) as MeshLambertMaterial & {
    grid: GridMaterial["grid"];
  };
  material.grid = { line: { value: new Color() }, fill: { value: fill } };
  material.customProgramCacheKey = () => `grid ${Number.isFinite(cell)}`;
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, {
      gridCell: { value: Number.isFinite(cell) ? cell : 1 },
      gridReach: { value: reach },
      gridLine: material.grid.line,
      gridFill: material.grid.fill,
      gridMiddle: { value: new Vector3(...ball.centre) },
      gridRadius: { value: (solid ? 1.6 : 1) * ball.radius },
    });
    shader.vertexShader = shader.vertexShader
      .replace(
        "#include <common>",
        "uniform float gridReach;\nvarying vec2 vPlane;\nvarying vec3 vPlace;\n#include <common>",
      )
      .replace(
        "#include <project_vertex>",
        `#include <project_vertex>
        vPlane = position.xy * gridReach;
        vec4 place = vec4(transformed, 1.0);
        #ifdef USE_INSTANCING
          place = instanceMatrix * place;
        #endif
        vPlace = (modelMatrix * place).xyz;`,
      );
    shader.fragmentShader = shader.fragmentShader
      .replace(
        "#include <common>",
        `uniform float gridCell, gridFill, gridRadius;
        uniform vec3 gridLine, gridMiddle;
        varying vec2 vPlane;
        varying vec3 vPlace;
        float gridLines(vec2 p) {
          vec2 w = fwidth(p);
          vec2 d = abs(fract(p - 0.5) - 0.5) / max(w, vec2(1e-6));
          float line = 1.0 - min(min(d.x, d.y), 1.0);
          return line * (1.0 - smoothstep(0.15, 0.5, max(w.x, w.y)));
        }
        #include <common>`,
      )
      .replace(
        "#include <opaque_fragment>",
        `float lines = ${Number.isFinite(cell) ? "1.0" : "0.0"} * max(0.45 * gridLines(vPlane / gridCell), gridLines(vPlane / (5.0 * gridCell)));
        float fade = 1.0 - smoothstep(2.0, 5.0, distance(vPlace, gridMiddle) / gridRadius);
        outgoingLight = mix(outgoingLight, gridLine, lines * 0.55);
        diffuseColor.a = fade * max(gridFill, lines * 0.6);
        #include <opaque_fragment>`,
      );
  };
  return material;
}

export class Ground {
  readonly cell: number;
  private readonly planes: InstancedMesh | null = null;
  private readonly grid: InstancedMesh | null = null;
  private readonly slots: Uint32Array;
  private readonly local: Float32Array;
  private readonly materials: GridMaterial[] = [];

  constructor(manifest: Manifest, parent: Object3D, ball: Ball) {
    const flat = manifest.dimension === 2;
    this.cell = roundLength(ball.radius / 8);
    const places: { slot: number; values: number[] }[] = [];
    let reach = 8 * ball.radius + Math.hypot(...ball.centre);
    manifest.bodies.forEach((body, slot) => {
      for (const shape of body.shapes) {
        if (manifest.geometries[shape.geometry]!.kind !== "half_space") continue;
        places.push({ slot, values: [...shape.position, ...shape.rotation] });
        reach = Math.max(reach, 8 * ball.radius + Math.hypot(...shape.position) + Math.hypot(...ball.centre));
      }
    });
    reach = Math.ceil(reach / (5 * this.cell)) * 5 * this.cell;
    this.slots = Uint32Array.from(places, ({ slot }) => slot);
    this.local = new Float32Array(places.length * kLocalFloats);
    places.forEach(({ values }, i) => this.local.set([...values, reach, reach, flat ? 1 : reach], i * kLocalFloats));
    if (places.length > 0) {
      // In 2D the solid lies below y = 0 of its frame; in 3D one sees its surface, z = 0.
      const geometry = flat ? new PlaneGeometry(2, 1).translate(0, -0.5, 0) : new PlaneGeometry(2, 2);
      this.planes = this.add(
        parent,
        geometry,
        gridMaterial(ball, flat ? Infinity : this.cell, reach, flat ? 1 : 0.85, flat),
        places.length,
      );
      this.planes.renderOrder = -1;
    }
    if (flat || places.length === 0) this.grid = this.lines(manifest, parent, ball, reach);
  }

  setColours(surface: Color, line: Color): void {
    for (const material of this.materials) {
      material.color.copy(surface);
      material.grid.line.value.copy(line);
    }
  }

  setGrid(shown: boolean): void {
    if (this.grid) this.grid.visible = shown;
  }

  update(poses: Float32Array, alive: Frame["alive"]): void {
    if (!this.planes) return;
    writeMatrices(poses, alive, this.slots, this.local, this.planes.instanceMatrix.array as Float32Array);
    this.planes.instanceMatrix.needsUpdate = true;
  }

  /** Lines without a surface: behind everything in 2D, on the floor in 3D. */
  private lines(manifest: Manifest, parent: Object3D, ball: Ball, reach: number): InstancedMesh {
    const flat = manifest.dimension === 2;
    const material = gridMaterial(ball, this.cell, reach, 0, false);
    material.polygonOffset = true;
    material.polygonOffsetFactor = flat ? 1 : -2;
    material.polygonOffsetUnits = flat ? 1 : -2;
    const grid = this.add(parent, new PlaneGeometry(2, 2), material, 1);
    const height = flat ? -0.01 * ball.radius : floorHeight(manifest, ball);
    grid.setMatrixAt(0, new Matrix4().makeScale(reach, reach, 1).setPosition(0, 0, height));
    grid.renderOrder = flat ? -2 : 0;
    return grid;
  }

  private add(parent: Object3D, geometry: PlaneGeometry, material: GridMaterial, count: number): InstancedMesh {
    const mesh = new InstancedMesh(geometry, material, count);
    mesh.frustumCulled = false;
    mesh.receiveShadow = true;
    this.materials.push(material);
    parent.add(mesh);
    return mesh;
  }
}

/** z = 0 if the scene reaches down to about there, else just below it. */
function floorHeight(manifest: Manifest, ball: Ball): number {
  const bottom = ball.centre[2] - ball.radius;
  const falls = Math.hypot(...manifest.gravity) > 0;
  return !falls || (bottom <= 0.5 * ball.radius && bottom >= -2 * ball.radius) ? 0 : bottom;
}
