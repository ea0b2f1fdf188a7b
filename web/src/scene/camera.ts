// Cameras for 3D (orbit, z up) and 2D (looking at the xy plane), and their flights.
import { MOUSE, OrthographicCamera, PerspectiveCamera, TOUCH, Vector3 } from "three";
import { OrbitControls } from "three/examples/jsm/controls/OrbitControls.js";
import type { Bounds } from "./bounds.js";
import { fitFlat, fitPerspective } from "./fit.js";

const kFlightMs = 350;
const kSight = new Vector3(0.62, -1, 0.5).normalize(); // from the scene to the eye at first: from the front, the side and above
const kFill = { x: 0.92, y: 0.84 }; // of the picture; names of runs and the legend stand above and below

export class Eye {
  readonly camera: PerspectiveCamera | OrthographicCamera;
  readonly controls: OrbitControls;
  private flight: {
    from: Vector3;
    to: Vector3;
    eyeFrom: Vector3;
    eyeTo: Vector3;
    zoomFrom: number;
    zoomTo: number;
    start: number;
  } | null = null;
  /** Whether somebody has moved the camera; until then it may be placed anew. */
  touched = false;
  private half = 1; // of the height that an orthographic camera sees at zoom one

  constructor(
    element: HTMLElement,
    private readonly flat: boolean,
    changed: () => void,
  ) {
    this.camera = flat ? new OrthographicCamera(-1, 1, 1, -1, 0.01, 100) : new PerspectiveCamera(40, 1, 0.01, 1000);
    this.camera.up.set(0, flat ? 1 : 0, flat ? 0 : 1);
    this.controls = new OrbitControls(this.camera, element);
    this.controls.enableDamping = false;
    this.controls.zoomToCursor = true;
    this.controls.screenSpacePanning = true;
    if (flat) {
      this.controls.enableRotate = false;
      this.controls.mouseButtons = { LEFT: MOUSE.PAN, MIDDLE: MOUSE.DOLLY, RIGHT: MOUSE.PAN };
      this.controls.touches = { ONE: TOUCH.PAN, TWO: TOUCH.DOLLY_PAN };
    }
    let held = false; // a click alone moves nothing
    this.controls.addEventListener("start", () => (held = true));
    this.controls.addEventListener("end", () => (held = false));
    this.controls.addEventListener("change", () => {
      this.touched ||= held;
      changed();
    });
    element.style.touchAction = "none";
  }

  /** Shows everything that matters at once. */
  frame({ ball, boxes }: Bounds, aspect: number): void {
    this.flight = null;
    this.touched = false;
    const all = boxes.length > 0 ? boxes : [around(ball)];
    if (this.flat) {
      const { half, centre } = fitFlat(all, (aspect * kFill.x) / kFill.y);
      this.half = half / kFill.y;
      this.place(new Vector3(...centre), new Vector3(centre[0], centre[1], centre[2]! + 20 * ball.radius), ball.radius);
    } else {
      const { eye, target } = this.fitted(all, aspect);
      this.place(new Vector3(...target), new Vector3(...eye), ball.radius);
    }
    this.setAspect(aspect);
  }

  /** As `frame`, but in a flight. */
  flyToFrame({ ball, boxes }: Bounds, aspect: number, now: number): void {
    const all = boxes.length > 0 ? boxes : [around(ball)];
    if (this.flat) {
      const { half, centre } = fitFlat(all, (aspect * kFill.x) / kFill.y);
      const eye = new Vector3(centre[0], centre[1], centre[2]! + 20 * ball.radius);
      this.startFlight(new Vector3(...centre), eye, (this.half * kFill.y) / half, now);
    } else {
      const { eye, target } = this.fitted(all, aspect);
      this.startFlight(new Vector3(...target), new Vector3(...eye), 1, now);
    }
  }

  /** How large things would be [px per m, about] in a picture so high and of that aspect. */
  scale({ ball, boxes }: Bounds, aspect: number, height: number): number {
    const all = boxes.length > 0 ? boxes : [around(ball)];
    if (this.flat) return height / fitFlat(all, (aspect * kFill.x) / kFill.y).half;
    return height / this.fitted(all, aspect).distance;
  }

  /** Flies to a place, keeping the direction of sight. */
  flyTo(place: ArrayLike<number>, radius: number, aspect: number, now: number): void {
    const target = new Vector3(place[0], place[1], place[2]);
    this.touched = true;
    const direction = this.camera.position.clone().sub(this.controls.target).normalize();
    const zoomTo = this.camera instanceof OrthographicCamera ? this.half / this.fit(radius, aspect) : 1;
    this.startFlight(
      target,
      target.clone().addScaledVector(direction, this.distance(radius, aspect)),
      zoomTo,
      now,
    );
  }

  /** Goes on with a flight; true while there is one. */
  move(now: number): boolean {
    if (!this.flight) return false;
    const { from, to, eyeFrom, eyeTo, zoomFrom, zoomTo, start } = this.flight;
    const part = Math.min(1, (now - start) / kFlightMs);
    const soft = part * part * (3 - 2 * part);
    this.controls.target.lerpVectors(from, to, soft);
    this.camera.position.lerpVectors(eyeFrom, eyeTo, soft);
    if (this.camera instanceof OrthographicCamera) this.camera.zoom = zoomFrom * (zoomTo / zoomFrom) ** soft;
    if (part >= 1) this.flight = null;
    this.controls.update();
    return true;
  }

  setAspect(aspect: number): void {
    if (this.camera instanceof PerspectiveCamera) this.camera.aspect = aspect;
    else {
      this.camera.top = this.half;
      this.camera.bottom = -this.half;
      this.camera.left = -this.half * aspect;
      this.camera.right = this.half * aspect;
    }
    this.camera.updateProjectionMatrix();
  }

  dispose(): void {
    this.controls.dispose();
  }

  private startFlight(to: Vector3, eyeTo: Vector3, zoomTo: number, start: number): void {
    const [from, eyeFrom] = [this.controls.target.clone(), this.camera.position.clone()];
    this.flight = { from, to, eyeFrom, eyeTo, zoomFrom: this.camera.zoom, zoomTo, start };
  }

  private fitted(boxes: Bounds["boxes"], aspect: number): ReturnType<typeof fitPerspective> {
    const right = new Vector3(0, 0, 1).cross(kSight).normalize();
    const axes = { right: right.toArray(), up: kSight.clone().cross(right).toArray(), back: kSight.toArray() };
    const tan = this.camera instanceof PerspectiveCamera ? Math.tan((this.camera.fov * Math.PI) / 360) : 1;
    return fitPerspective(boxes, axes, tan * aspect * kFill.x, tan * kFill.y);
  }

  private place(target: Vector3, eye: Vector3, radius: number): void {
    this.controls.target.copy(target);
    this.camera.position.copy(eye);
    this.camera.near = radius * 0.005;
    this.camera.far = radius * 200;
    this.camera.zoom = 1;
    this.controls.minDistance = radius * 0.02;
    this.controls.maxDistance = radius * 60;
    this.controls.update();
  }

  private distance(radius: number, aspect: number): number {
    if (!(this.camera instanceof PerspectiveCamera)) return radius * 20;
    const angle = Math.min(1, aspect) * Math.tan((this.camera.fov * Math.PI) / 360);
    return (radius / Math.sin(Math.atan(angle))) * 0.8;
  }

  private fit(radius: number, aspect: number): number {
    return (radius * 1.05) / Math.min(1, aspect);
  }
}

function around({ centre, radius }: Bounds["ball"]): Bounds["boxes"][0] {
  return { low: centre.map((c) => c - radius), high: centre.map((c) => c + radius) };
}
