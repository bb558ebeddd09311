// How games move and where they stop. Pure: a position is a number, a turn is a length, and the slot that the server
// named is where the movement ends, exactly.

/** From cruising at `speed` to a stop at a place: slowing down begins without a jolt. */
export interface Landing {
  from: number;
  distance: number;
  durationMs: number;
}

export function modulo(value: number, turn: number): number {
  return ((value % turn) + turn) % turn;
}

/** How long a game is drawn back before it turns, and how long it then takes to reach full speed. */
export const PULL_MS = 280;
const RAMP_MS = 360;
/** Slowing down begins no earlier, however fast the answer is: a wheel that stops before it turns convinces nobody. */
export const START_MS = PULL_MS + RAMP_MS;

/**
 * How far a game has come so long after the press: drawn back by `pull`, let go, and then up to `speed` (units per
 * millisecond). Its speed has no jump anywhere.
 */
export function startingDistance(elapsedMs: number, speed: number, pull: number): number {
  if (elapsedMs < PULL_MS) return -pull * Math.sin((Math.PI * Math.max(0, elapsedMs)) / PULL_MS);
  const letGo = (pull * Math.PI) / PULL_MS;
  const ramp = Math.min(elapsedMs - PULL_MS, RAMP_MS);
  const cruise = Math.max(0, elapsedMs - START_MS);
  return letGo * ramp + ((speed - letGo) * ramp ** 2) / (2 * RAMP_MS) + speed * cruise;
}

/**
 * The way from `from`, at `speed` (units per millisecond), to the next place that is `rest` modulo `turn`, after at
 * least `turnsMin` whole turns. The curve is cubic, whose first speed is three times its mean: so the duration follows
 * from the distance, and nothing is ever seen to jump.
 */
export function landing(from: number, speed: number, rest: number, turn: number, turnsMin: number): Landing {
  const distance = modulo(rest - from, turn) + turn * turnsMin;
  return { from, distance, durationMs: (3 * distance) / speed };
}

export function positionAt({ from, distance, durationMs }: Landing, elapsedMs: number): number {
  if (elapsedMs >= durationMs) return from + distance;
  const left = 1 - Math.max(0, elapsedMs) / durationMs;
  return from + distance * (1 - left ** 3);
}

/** Whether an edge between two slots was passed on the way forward. Edges are at `first` and every `apart` from there. */
export function passedEdge(from: number, to: number, apart: number, first: number): boolean {
  return Math.floor((to - first) / apart) > Math.floor((from - first) / apart);
}

/** How far the pointer may stand off a sector's middle, in parts of the sector: never near an edge. */
export const JITTER_MAX = 0.36;

/** The wheel's rotation, clockwise in degrees, that brings a slot under the pointer at the top. */
export function restingAngle(slot: number, slots: number, jitter: number): number {
  const sector = 360 / slots;
  return modulo(-slot * sector + jitter * JITTER_MAX * sector, 360);
}

/** Which slot is under the pointer at this rotation. */
export function slotUnderPointer(angle: number, slots: number): number {
  return modulo(Math.round(-angle / (360 / slots)), slots) % slots;
}

/** The lit cell of a grid whose light has come this far. */
export function litCell(position: number, cells: number): number {
  return modulo(Math.floor(position + 1e-9), cells);
}

/** What three reels show: three alike for a prize; for none, the middle one tells it and no two are alike. */
export function reelStops(slot: number, slots: number, won: boolean): [number, number, number] {
  if (won || slots < 3) return [slot, slot, slot];
  return [modulo(slot + 1, slots), slot, modulo(slot + 2, slots)];
}
