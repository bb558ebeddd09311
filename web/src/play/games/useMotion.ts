import { useEffect, useRef } from 'react';
import { type Landing, landing, positionAt } from './motion';

/** What the game is doing: nothing, turning while the answer is under way, or coming to where it says. */
export type Phase = { kind: 'idle' } | { kind: 'turning' } | { kind: 'landing'; slot: number; won: boolean };

interface Motion {
  phase: Phase;
  /** Units of a whole turn, and units per millisecond at full speed. */
  turn: number;
  speed: number;
  turnsMin: number;
  /** Where it rests for a slot. */
  rest(slot: number): number;
  paint(position: number): void;
  onLanded?: (() => void) | undefined;
  /** Less motion: straight to the result. */
  still: boolean;
}

/** To full speed in so long. */
const RAMP_MS = 350;

/** Moves a game frame by frame, outside of React: `paint` sets one style and nothing else. */
export function useMotion(motion: Motion): void {
  const latest = useRef(motion);
  const position = useRef(0);
  latest.current = motion;
  const { phase, still } = motion;

  useEffect(() => {
    const { turn, speed, turnsMin, rest, paint, onLanded } = latest.current;
    if (phase.kind === 'idle') return;
    if (still) {
      if (phase.kind === 'landing') {
        position.current = rest(phase.slot);
        paint(position.current);
        onLanded?.();
      }
      return;
    }
    let frame = 0;
    let before: number | undefined;
    let begun: number | undefined;
    let way: Landing | undefined;
    if (phase.kind === 'landing') way = landing(position.current, speed, rest(phase.slot), turn, turnsMin);
    const step = (now: number) => {
      begun ??= now;
      if (way) {
        const elapsed = now - begun;
        position.current = positionAt(way, elapsed);
        paint(position.current);
        if (elapsed >= way.durationMs) {
          position.current %= turn;
          latest.current.onLanded?.();
          return;
        }
      } else {
        const ramp = Math.min(1, (now - begun) / RAMP_MS);
        position.current += speed * ramp * Math.min(100, now - (before ?? now));
        paint(position.current);
      }
      before = now;
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [phase, still]);
}
