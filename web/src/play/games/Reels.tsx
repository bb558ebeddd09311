// The slot machine: three reels that stop one after the other.
import { useCallback, useRef } from 'react';
import { Picture } from '../parts/Picture';
import { modulo, reelStops } from './motion';
import { Press } from './Press';
import type { SlotFace } from './slots';
import type { GameProps } from './types';
import { type Phase, useMotion } from './useMotion';

/** The height of one symbol; the style sheet has the same. */
const CELL = 88;
const REELS = [0, 1, 2] as const;

export function Reels({ slots, phase, still, onLanded, onClick, ...press }: GameProps) {
  // Which reels stand, in this landing: one that stood already says so again when the rest is skipped.
  const stopped = useRef<{ phase: Phase; reels: Set<number> }>({ phase, reels: new Set() });
  const oneStopped = useCallback(
    (reel: number, of: Phase) => {
      if (stopped.current.phase !== of) stopped.current = { phase: of, reels: new Set() };
      const { reels } = stopped.current;
      if (reels.has(reel)) return;
      reels.add(reel);
      onClick();
      if (reels.size === REELS.length) onLanded();
    },
    [onClick, onLanded],
  );
  const stops = phase.kind === 'landing' ? reelStops(phase.slot, slots.length, phase.won) : undefined;
  return (
    <div className="machine" data-phase={phase.kind}>
      <div className="reels" aria-hidden="true">
        {REELS.map((reel) => (
          <Reel
            key={reel}
            slots={slots}
            phase={phase}
            stop={stops?.[reel]}
            reel={reel}
            still={still}
            onLanded={() => oneStopped(reel, phase)}
          />
        ))}
        <span className="payline" />
      </div>
      <Press className="button primary lever" {...press} />
    </div>
  );
}

interface ReelProps {
  slots: SlotFace[];
  phase: Phase;
  stop: number | undefined;
  reel: number;
  still: boolean;
  onLanded(): void;
}

function Reel({ slots, phase, stop, reel, still, onLanded }: ReelProps) {
  const strip = useRef<HTMLDivElement>(null);
  const count = slots.length;
  useMotion({
    phase,
    still,
    turn: count,
    speed: 0.016,
    turnsMin: 2 + reel,
    pull: 0.3,
    rest: () => stop ?? 0,
    paint: (position) => {
      // The strip is written three times over, so that there is always one above and one below.
      const place = modulo(position, count) + count;
      if (strip.current) strip.current.style.transform = `translateY(${-(place - 1) * CELL}px)`;
    },
    onLanded,
  });
  return (
    <div className="reel">
      <div className="strip" ref={strip} style={{ transform: `translateY(${-(count - 1) * CELL}px)` }}>
        {[0, 1, 2].flatMap((round) =>
          slots.map((face) => (
            <div className="symbol" key={`${round}-${face.slot}`}>
              <Picture prize={face} size={60} />
            </div>
          )),
        )}
      </div>
    </div>
  );
}
