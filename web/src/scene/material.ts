// The one material of bodies: lit, coloured by instance, with feature edges drawn by the fragment shader.
import { DoubleSide, MeshLambertMaterial, type WebGLProgramParametersWithUniforms } from "three";

export interface BodyMaterial extends MeshLambertMaterial {
  readonly wire: { value: number };
}

/** `wire` = 1 leaves nothing but the edges. `edgeTone` is what an edge is multiplied with. */
export function makeBodyMaterial(edgeTone = 0.45): BodyMaterial {
  const material = new MeshLambertMaterial({ side: DoubleSide }) as MeshLambertMaterial & { wire: { value: number } };
  material.wire = { value: 0 };
  material.onBeforeCompile = (shader: WebGLProgramParametersWithUniforms) => {
    shader.uniforms["wire"] = material.wire;
    shader.vertexShader = shader.vertexShader
      .replace("#include <common>", "attribute vec3 edge;\nvarying vec3 vEdge;\n#include <common>")
      .replace("#include <begin_vertex>", "vEdge = edge;\n#include <begin_vertex>");
    shader.fragmentShader = shader.fragmentShader
      .replace("#include <common>", "uniform float wire;\nvarying vec3 vEdge;\n#include <common>")
      .replace(
        "#include <opaque_fragment>",
        `vec3 edgeWidth = fwidth(vEdge);
        vec3 edgePixels = vEdge / max(edgeWidth, vec3(1e-6));
        float nearest = min(edgePixels.x, min(edgePixels.y, edgePixels.z));
        float across = 1.0 / max(max(edgeWidth.x, max(edgeWidth.y, edgeWidth.z)), 1e-6);
        float line = 1.0 - smoothstep(0.6, 1.6, nearest);
        if (wire > 0.5) {
          if (line < 0.3) discard;
          outgoingLight = diffuseColor.rgb;
        } else {
          outgoingLight *= mix(1.0, ${edgeTone.toFixed(2)}, line * smoothstep(3.0, 14.0, across));
        }
        #include <opaque_fragment>`,
      );
  };
  return material;
}
