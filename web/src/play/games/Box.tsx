// The blind box: it shakes while the answer is under way, then its lid flies off and shows what was in it.
import { useEffect } from 'react';
import { Picture } from '../parts/Picture';
import { Press } from './Press';
import type { GameProps } from './types';

/** The shake and the flight of the lid, as long as the style sheet takes for them. */
const OPENING_MS = 1400;

export function Box({ slots, phase, still, onLanded, onClick, ...press }: GameProps) {
  useEffect(() => {
    if (phase.kind !== 'landing') return;
    if (!still) onClick();
    const timer = setTimeout(onLanded, still ? 0 : OPENING_MS);
    return () => clearTimeout(timer);
  }, [phase, still, onLanded, onClick]);
  const inside = phase.kind === 'landing' ? slots[phase.slot] : undefined;
  return (
    <div className="box-game" data-phase={phase.kind}>
      <div className="box-stage" aria-hidden="true">
        <div className="box-inside">{inside && <Picture prize={inside} size={84} />}</div>
        <svg viewBox="0 0 240 240" className="box" aria-hidden="true" focusable="false">
          <ellipse cx="120" cy="222" rx="84" ry="10" className="box-shadow" />
          <path d="M44 108h152l-12 108H56z" className="box-body" />
          <path d="M104 108h32l-2 108h-28z" className="box-ribbon" />
          <path d="M52 140l3 14c40 8 90 8 130 0l3-14" className="box-band" />
          <g className="box-lid">
            <path
              d="M34 82h172a6 6 0 0 1 6 6v18a6 6 0 0 1-6 6H34a6 6 0 0 1-6-6V88a6 6 0 0 1 6-6z"
              className="box-top"
            />
            <path d="M102 82h36v30h-36z" className="box-ribbon" />
            <path
              d="M120 82C92 84 74 72 80 58c6-13 32-6 40 24 8-30 34-37 40-24 6 14-12 26-40 24z"
              className="box-bow"
            />
            <circle cx="120" cy="80" r="8" className="box-knot" />
          </g>
        </svg>
      </div>
      <Press className="button primary lever" {...press} />
    </div>
  );
}
