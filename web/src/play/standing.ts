// Where an activity stands for players, by its state and the server's clock.

export type Standing = 'soon' | 'running' | 'paused' | 'over';

interface Windowed {
  state: string;
  from_ms: number;
  until_ms: number;
}

export function standingOf({ state, from_ms, until_ms }: Windowed, nowMs: number): Standing {
  if (state === 'closed' || nowMs >= until_ms) return 'over';
  if (nowMs < from_ms) return 'soon';
  return state === 'paused' ? 'paused' : 'running';
}

/** The next moment at which it stands differently, if there is one. */
export function nextTurn(activity: Windowed, nowMs: number): number | undefined {
  const standing = standingOf(activity, nowMs);
  if (standing === 'soon') return activity.from_ms;
  return standing === 'over' ? undefined : activity.until_ms;
}
