// What a viewer sees of a run: the manifest (once) and frames. SI units; world z up in 3D, y up in 2D, where all is in z = 0.

export type Vec3 = readonly [number, number, number];
export type Quat = readonly [number, number, number, number]; // w, x, y, z

export interface Material {
  name: string;
  static_friction: number;
  dynamic_friction: number;
  restitution: number;
  density: number;
}

export interface Shape {
  geometry: number;
  scale: Vec3;
  position: Vec3;
  rotation: Quat;
  material: string;
}

export type BodyKind = "static" | "kinematic" | "dynamic";

export interface Body {
  name: string;
  kind: BodyKind;
  mass: number | null;
  material: string;
  com: Vec3;
  inertia?: number | readonly number[]; // kg·m² about com, body axes: xx yy zz xy xz yz; 2D: one number
  shapes: Shape[];
}

export type Geometry =
  | { kind: "box" | "sphere" | "cylinder" | "half_space" | "rectangle" | "disc" }
  | { kind: "capsule"; radius: number; length: number }
  | { kind: "mesh"; vertices: number[]; triangles: number[]; convex: boolean }
  | { kind: "polygon"; vertices: number[] }
  | { kind: "chain"; vertices: number[]; closed: boolean };

/** By the numbers that frames use. */
export const kJointKinds = [
  "ball",
  "hinge",
  "slider",
  "fixed",
  "distance",
  "universal",
  "rope",
  "spring",
  "bead",
  "gear",
  "target",
  "cylindrical",
  "planar",
  "screw",
] as const;
export type JointKind = (typeof kJointKinds)[number];
export const jointKind = (number: number): JointKind => kJointKinds[number] ?? "ball";

export interface Joint {
  name: string;
  kind: JointKind;
  a: number;
  b: number;
  point_a: Vec3;
  point_b: Vec3;
  axis_a: Vec3 | null;
  axis_b?: Vec3 | null;
  curve?: number[] | null; // of a bead: x, y, x, y, ... in the frame of A
}

/** What a frame tells of a joint: that one of the manifest's is gone, where a target pulls to, or one that was made. */
export interface FrameJoint {
  serial: number; // the manifest's joints come first
  kind: number;
  a: number; // slots; −1: the world
  b: number;
  gone: boolean;
  pointA: Vec3; // in the world
  pointB: Vec3;
}

export interface Spring {
  a: number;
  b: number;
  point_a: Vec3;
  point_b: Vec3;
}

/** A recorded quantity: a column of the report. */
export interface Field {
  name: string;
  unit: string;
  help: string;
}

export interface Named {
  name: string;
  help: string;
}

export interface Manifest {
  format: number;
  program: string;
  name: string;
  model: string;
  model_options: Record<string, unknown>;
  dimension: 2 | 3;
  step_size: number;
  duration: number;
  gravity: Vec3;
  complete: boolean;
  truncated: string;
  source: string;
  materials: Material[];
  bodies: Body[];
  geometries: Geometry[];
  joints: Joint[];
  springs: Spring[];
  fields: Field[];
  measures: Field[];
  models?: Named[];
  frames: number;
  has: { poses: boolean; velocities: boolean; contacts: boolean };
  frame_every: number;
  decimation: string;
  quantum?: { position: number; rotation: number };
}

export const enum FrameFlag {
  Poses = 1,
  Velocities = 2,
  Contacts = 4,
  Edited = 8,
  NotConverged = 16,
}

export const enum ContactFlag {
  Sticking = 1,
  Impact = 2,
  Opens = 4, // of a verdict: the two bodies part here
}

/** Where things stand in a contact of 24 words (96 bytes); `*U` in contactsU32, the others in contactsF32. */
export const enum At {
  AU = 0,
  BU = 1,
  ShapesU = 2,
  KeyLowU = 3,
  KeyHighU = 4,
  FlagsU = 5,
  Point = 6,
  Normal = 9,
  Impulse = 12,
  Velocity = 15,
  Gap = 18,
  MuS = 19,
  MuD = 20,
  Restitution = 21,
  NaturalMap = 22,
  Words = 24,
}

export const enum EventKind {
  Impact = 0,
  StickToSlip = 1,
  SlipToStick = 2,
  Made = 3,
  Lost = 4,
  Warning = 5,
  Edit = 6,
}

export const kNone = 0xffffffff;

export interface FrameEvent {
  kind: number;
  a: number;
  b: number;
  keyLow: number;
  keyHigh: number;
  value: number;
}

/** An event of a whole run: with the frame it belongs to. */
export interface RunEvent extends FrameEvent {
  frame: number;
}

/** One moment. contactsU32 and contactsF32 are two views of the same bytes, At.Words words a contact. */
export interface Frame {
  step: number;
  time: number;
  slots: number;
  flags: number;
  fields: Float64Array;
  poses: Float32Array | null; // x y z qw qx qy qz of each slot
  velocities: Float32Array | null; // v ω of each slot
  alive: Uint8Array;
  contacts: number;
  contactsTotal: number; // before decimation
  contactsU32: Uint32Array;
  contactsF32: Float32Array;
  events: FrameEvent[];
  joints: FrameJoint[];
}
