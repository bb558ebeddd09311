// What players will see: the slots in their order, all of one size, on a wheel or around a grid, as their page chooses.
// The odds are beside it, not in it.

import { gameOf, ring } from '../../play/games/slots';
import type { Draft } from '../logic/draft';
import { type Place, placesOf } from '../logic/wheel';
import { type Say, useText } from '../text';

const FILLS = ['#c8331c', '#f3c15a', '#e0622f', '#fff0cf'];
const INKS = ['#fff6e6', '#4a2408', '#fff6e6', '#4a2408'];

export function Wheel({ draft, size = 300 }: { draft: Draft; size?: number }) {
  const { t } = useText();
  const places = placesOf(draft);
  const slots = Math.max(0, ...places.map(({ slot }) => slot)) + 1;
  const game = gameOf(slots, draft.pity !== null);
  return (
    <>
      {game === 'grid' ? (
        <Cells places={places} slots={slots} size={size} />
      ) : (
        <Disc places={places} size={size} />
      )}
      <p className="soft fine">{t(`wheel.as.${game}`)}</p>
    </>
  );
}

const GRID = 212;

/** As the grid of the players' page: a ring of cells around the button. */
function Cells({ places, slots, size }: { places: Place[]; slots: number; size: number }) {
  const { t } = useText();
  const side = slots / 4 + 1;
  const cell = GRID / side;
  return (
    <svg
      viewBox="-4 -4 220 220"
      width={size}
      style={{ maxWidth: '100%' }}
      role="img"
      aria-label={named(places, t)}
    >
      <rect x="-4" y="-4" width="220" height="220" rx="14" fill="#e9a92c" />
      {ring(side).map(([row, column], slot) => {
        const place = places.find((one) => one.slot === slot);
        return (
          <g key={`${row} ${column}`} transform={`translate(${(column - 1) * cell} ${(row - 1) * cell})`}>
            <rect x="3" y="3" width={cell - 6} height={cell - 6} rx="8" fill="#fff6e2" />
            <text x={cell / 2} y={cell / 2 + 2} textAnchor="middle" fontSize={cell / 3.6}>
              {place?.picture}
            </text>
            <text x={cell / 2} y={cell - 12} textAnchor="middle" fontSize="8" fill={INKS[1]}>
              {short(place?.name || t('odds.none'), cell / 8)}
            </text>
          </g>
        );
      })}
      <rect
        x={cell + 3}
        y={cell + 3}
        width={cell * (side - 2) - 6}
        height={cell * (side - 2) - 6}
        rx="10"
        fill="#c8331c"
      />
    </svg>
  );
}

function named(places: Place[], t: Say): string {
  return t('wheel.label', { names: places.map(({ name }) => name || t('odds.none')).join(', ') });
}

function Disc({ places, size }: { places: Place[]; size: number }) {
  const { t } = useText();
  const n = places.length;
  const angle = (2 * Math.PI) / Math.max(1, n);
  const at = (turn: number, radius: number) =>
    `${(radius * Math.sin(turn)).toFixed(2)} ${(-radius * Math.cos(turn)).toFixed(2)}`;
  return (
    <svg
      viewBox="-110 -118 220 228"
      width={size}
      style={{ maxWidth: '100%' }}
      role="img"
      aria-label={named(places, t)}
    >
      <circle r="106" fill="#8f1d14" />
      {n === 1 && <circle r="100" fill={FILLS[0]} />}
      {places.map((place, index) => {
        const from = (index - 0.5) * angle;
        const to = (index + 0.5) * angle;
        const look =
          n % 2 === 1 && index === n - 1 ? 2 : index % 2 === 0 ? (place.prize ? 0 : 3) : place.prize ? 1 : 3;
        return (
          <g key={place.slot}>
            {n > 1 && (
              <path
                d={`M 0 0 L ${at(from, 100)} A 100 100 0 ${angle > Math.PI ? 1 : 0} 1 ${at(to, 100)} Z`}
                fill={FILLS[look]}
                stroke="#fff6e6"
                strokeWidth="1"
              />
            )}
            <g transform={`rotate(${((index * angle) / Math.PI) * 180})`}>
              <text y="-74" textAnchor="middle" fontSize={n > 9 ? 13 : 18}>
                {place.picture}
              </text>
              <text y="-60" textAnchor="middle" fontSize={n > 9 ? 6 : 7} fill={INKS[look]}>
                {short(place.name || t('odds.none'), (2 * Math.PI * 58) / n / (n > 9 ? 6 : 7))}
              </text>
            </g>
          </g>
        );
      })}
      <circle r="20" fill="#fff6e6" stroke="#8f1d14" strokeWidth="3" />
      <path d="M 0 -116 l 8 16 h -16 z" transform="rotate(180 0 -106)" fill="#e9a92c" />
    </svg>
  );
}

/** As much of a text as is `ems` wide, a Chinese letter being one and a Latin one about half of it. */
function short(text: string, ems: number): string {
  let width = 0;
  let kept = '';
  for (const letter of text) {
    width += letter > '\u2e7f' ? 1.05 : 0.58;
    if (width > ems - 0.6) return `${kept.trimEnd()}…`;
    kept += letter;
  }
  return kept;
}
