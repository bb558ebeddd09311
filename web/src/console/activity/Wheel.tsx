// What players will see of the wheel: the slots in their order, all of one size. The odds are beside it, not in it.
import { useText } from '../../i18n';
import type { Draft } from '../logic/draft';
import { placesOf } from '../logic/wheel';

const FILLS = ['#c8331c', '#f3c15a', '#e0622f', '#fff0cf'];
const INKS = ['#fff6e6', '#4a2408', '#fff6e6', '#4a2408'];

export function Wheel({ draft, size = 300 }: { draft: Draft; size?: number }) {
  const { t } = useText();
  const places = placesOf(draft);
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
      aria-label={t('wheel.label', { names: places.map(({ name }) => name || t('odds.none')).join(', ') })}
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
