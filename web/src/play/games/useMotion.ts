import { useEffect, useRef } from 'react';
import { type Landing, landing, passedEdge, positionAt, START_MS, startingDistance } from './motion';

/** What the game is doing: nothing, turning while the answer is under way, or coming to where it says. */
export type Phase = { kind: 'idle' } | { kind: 'turning' } | { kind: 'landing'; slot: number; won: boolean };

interface Motion {
  phase: Phase;
  /** Units of a whole turn, and units per millisecond at full speed. */
  turn: number;
  speed: number;
  turnsMin: number;
  /** How far it is drawn back before it turns. */
  pull: number;
  /** Where the edges between two slots are: the first of them, and how far apart. */
  edges?: { first: number; apart: number };
  onEdge?: () => void;
  /** Where it rests for a slot. */
  rest(slot: number): number;
  paint(position: number): void;
  onLanded?: (() => void) | undefined;
  /** Straight to the result: less motion is wanted, or the rest of this one is skipped. */
  still: boolean;
}

/** Moves a game frame by frame, outside of React: `paint` sets one style and nothing else. */
export function useMotion(motion: Motion): void {
  const latest = useRef(motion);
  const position = useRef(0);
  const pressed = useRef<{ at: number; from: number }>(undefined);
  latest.current = motion;
  const { phase, still } = motion;

  useEffect(() => {
    const { turn, speed, turnsMin, pull, rest, paint } = latest.current;
    if (phase.kind === 'idle') {
      pressed.current = undefined;
      return;
    }
    if (still) {
      if (phase.kind === 'landing') {
        position.current = rest(phase.slot);
        paint(position.current);
        latest.current.onLanded?.();
      }
      return;
    }
    let frame = 0;
    let way: (Landing & { begun: number }) | undefined;
    const move = (to: number) => {
      const { edges, onEdge } = latest.current;
      if (edges && onEdge && passedEdge(position.current, to, edges.apart, edges.first)) onEdge();
      position.current = to;
      paint(to);
    };
    const step = (now: number) => {
      pressed.current ??= { at: now, from: position.current };
      const elapsed = now - pressed.current.at;
      if (phase.kind === 'landing' && !way && elapsed >= START_MS) {
        way = { ...landing(position.current, speed, rest(phase.slot), turn, turnsMin), begun: now };
      }
      if (!way) {
        move(pressed.current.from + startingDistance(elapsed, speed, pull));
      } else {
        move(positionAt(way, now - way.begun));
        if (now - way.begun >= way.durationMs) {
          position.current %= turn;
          latest.current.onLanded?.();
          return;
        }
      }
      frame = requestAnimationFrame(step);
    };
    frame = requestAnimationFrame(step);
    return () => cancelAnimationFrame(frame);
  }, [phase, still]);
}
