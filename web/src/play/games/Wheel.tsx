// The prize wheel, drawn as SVG and turned by the compositor.
import { useRef } from 'react';
import { GLYPH_FIELD, glyphOf } from '../parts/glyphs';
import { type Face, faceOf } from '../parts/Picture';
import { restingAngle } from './motion';
import { Press } from './Press';
import { nameLines, type SlotFace } from './slots';
import type { GameProps } from './types';
import { useMotion } from './useMotion';

const SIZE = 400;
const MIDDLE = SIZE / 2;
const RIM = 190;
const FACE = 172;
const LIGHTS = 24;
const FACE_SIZE = 40;
const HUES = ['a', 'b', 'c'] as const;

/** The pointer is pushed aside by an edge and springs back. */
const BOUNCE: Keyframe[] = [{ rotate: '-17deg' }, { rotate: '5deg', offset: 0.55 }, { rotate: '0deg' }];
const BOUNCE_MS = 190;

export function Wheel({ slots, phase, still, onLanded, onClick, ...press }: GameProps) {
  const disc = useRef<HTMLDivElement>(null);
  const pointer = useRef<SVGSVGElement>(null);
  const sector = 360 / slots.length;
  useMotion({
    phase,
    still,
    turn: 360,
    speed: 0.62,
    turnsMin: 2,
    pull: 9,
    edges: { first: sector / 2, apart: sector },
    onEdge: () => {
      pointer.current?.animate(BOUNCE, { duration: BOUNCE_MS, easing: 'ease-out' });
      onClick();
    },
    // A little off the middle, as a real one: the slot stays the server's.
    rest: (slot) => restingAngle(slot, slots.length, Math.random() * 2 - 1),
    paint: (angle) => {
      if (disc.current) disc.current.style.transform = `rotate(${angle}deg)`;
    },
    onLanded,
  });
  return (
    <div className="wheel" data-phase={phase.kind}>
      <svg viewBox={`0 0 ${SIZE} ${SIZE}`} className="wheel-rim" aria-hidden="true" focusable="false">
        <circle cx={MIDDLE} cy={MIDDLE} r={RIM + 8} className="rim-outer" />
        <circle cx={MIDDLE} cy={MIDDLE} r={RIM} className="rim-inner" />
        {Array.from({ length: LIGHTS }, (_, light) => {
          const [x, y] = at((light * 360) / LIGHTS + 7.5, RIM - 1);
          // biome-ignore lint/suspicious/noArrayIndexKey: lights never move
          return <circle key={light} cx={x} cy={y} r="4.2" className={light % 2 ? 'light odd' : 'light'} />;
        })}
      </svg>
      <div className="wheel-disc" ref={disc} data-testid="wheel">
        <svg viewBox={`0 0 ${SIZE} ${SIZE}`} aria-hidden="true" focusable="false">
          {slots.map((face) => (
            <Sector key={face.slot} face={face} count={slots.length} />
          ))}
        </svg>
      </div>
      <svg ref={pointer} viewBox="0 0 60 70" className="wheel-pointer" aria-hidden="true" focusable="false">
        <path d="M30 66 10 26a20 20 0 1 1 40 0z" />
        <circle cx="30" cy="24" r="8" />
      </svg>
      <Press className="hub" {...press} />
    </div>
  );
}

function Sector({ face, count }: { face: SlotFace; count: number }) {
  const sector = 360 / count;
  const middle = face.slot * sector;
  // Neighbours differ, also the last and the first.
  const hue = face.slot === count - 1 && count % 3 === 1 ? 'b' : HUES[face.slot % 3];
  const crowded = count > 10;
  return (
    <g className={`sector hue-${hue}${face.gone ? ' gone' : ''}`}>
      <path d={wedge(middle - sector / 2, middle + sector / 2)} />
      <g transform={`rotate(${middle} ${MIDDLE} ${MIDDLE})`}>
        <SectorFace face={faceOf(face)} middle={crowded ? 138 : 108} />
        {!crowded &&
          nameLines(face.name).map((line, row) => (
            <text
              key={line}
              x={MIDDLE}
              y={MIDDLE - 147 + row * 15}
              className={row === 0 ? 'sector-name' : 'sector-name second'}
            >
              {shorten(line, row === 0 ? 8 : 12)}
            </text>
          ))}
      </g>
    </g>
  );
}

/** A picture whose middle is so far from the wheel's. */
function SectorFace({ face, middle }: { face: Face; middle: number }) {
  const box = {
    x: MIDDLE - FACE_SIZE / 2,
    y: MIDDLE - middle - FACE_SIZE / 2,
    width: FACE_SIZE,
    height: FACE_SIZE,
  };
  if ('image' in face) return <image href={face.image} {...box} />;
  if ('glyph' in face) {
    return (
      <svg viewBox={GLYPH_FIELD} aria-hidden="true" focusable="false" {...box}>
        {glyphOf(face.glyph)}
      </svg>
    );
  }
  return (
    <text x={MIDDLE} y={MIDDLE - middle + 12} className="sector-face">
      {face.emoji}
    </text>
  );
}

/** As much of a name as has room, Chinese characters counting twice. */
function shorten(text: string, width: number): string {
  let used = 0;
  let out = '';
  for (const char of text) {
    used += /\p{Script=Han}/u.test(char) ? 1.7 : 1;
    if (used > width) return `${out.trimEnd()}…`;
    out += char;
  }
  return out;
}

function at(degrees: number, radius: number): [number, number] {
  const angle = ((degrees - 90) * Math.PI) / 180;
  return [round(MIDDLE + radius * Math.cos(angle)), round(MIDDLE + radius * Math.sin(angle))];
}

const round = (value: number): number => Math.round(value * 100) / 100;

function wedge(from: number, to: number): string {
  if (to - from >= 360) return `M${MIDDLE} ${MIDDLE - FACE}a${FACE} ${FACE} 0 1 1-.01 0z`;
  const [ax, ay] = at(from, FACE);
  const [bx, by] = at(to, FACE);
  return `M${MIDDLE} ${MIDDLE}L${ax} ${ay}A${FACE} ${FACE} 0 ${to - from > 180 ? 1 : 0} 1 ${bx} ${by}z`;
}
