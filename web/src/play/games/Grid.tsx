// The nine-grid (九宫格): a light runs around the button and stops on the slot.
import { useRef } from 'react';
import { Picture } from '../parts/Picture';
import { litCell } from './motion';
import { Press } from './Press';
import { nameLines, ring } from './slots';
import type { GameProps } from './types';
import { useMotion } from './useMotion';

export function Grid({ slots, phase, still, onLanded, onClick, ...press }: GameProps) {
  const board = useRef<HTMLDivElement>(null);
  const side = slots.length / 4 + 1;
  const places = ring(side);
  useMotion({
    phase,
    still,
    turn: slots.length,
    speed: 0.017,
    turnsMin: 2,
    pull: 0,
    edges: { first: 0, apart: 1 },
    onEdge: onClick,
    rest: (slot) => slot,
    paint: (position) => {
      const lit = litCell(position, slots.length);
      board.current?.querySelectorAll('.cell').forEach((cell, slot) => {
        cell.classList.toggle('lit', slot === lit);
      });
    },
    onLanded,
  });
  return (
    <div className="grid" ref={board} data-side={side} data-phase={phase.kind}>
      {slots.map((face) => {
        const [row, column] = places[face.slot] ?? [1, 1];
        return (
          <div
            key={face.slot}
            className={face.gone ? 'cell gone' : 'cell'}
            data-slot={face.slot}
            style={{ gridRow: row, gridColumn: column }}
          >
            <Picture prize={face} size={40} />
            <span>{nameLines(face.name)[0]}</span>
            {nameLines(face.name)[1] && <small>{nameLines(face.name)[1]}</small>}
          </div>
        );
      })}
      <Press
        className="grid-press"
        style={{ gridRow: `2 / ${side}`, gridColumn: `2 / ${side}` }}
        {...press}
      />
    </div>
  );
}
