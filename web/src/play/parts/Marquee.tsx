import { useRef } from 'react';
import { API_ROOT } from '../../api/client';
import type { WinnersBody } from '../../api/wire';
import { useStream } from '../../live/useStream';
import { shownName } from '../people';
import { useText } from '../text';
import { Picture } from './Picture';

const SHOWN_MAX = 12;

/**
 * The newest winners, live. Nobody has to hear each of them: the list can be read, it does not interrupt. While it is
 * held, nothing new is shown: one's own win is among it before the wheel stands.
 */
export function Marquee({ activity, held }: { activity: string; held: boolean }) {
  const { t } = useText();
  const { value, state } = useStream<WinnersBody>(
    `${API_ROOT}/play/activities/${activity}/winners/events`,
    'winners',
  );
  const shown = useRef(value);
  if (!held) shown.current = value;
  const winners = shown.current?.items.slice(0, SHOWN_MAX) ?? [];
  return (
    <section className="marquee" aria-label={t('winners')} data-state={state}>
      {winners.length === 0 && (
        <p className="quiet">{state === 'live' ? t('winners.none') : t('winners.wait')}</p>
      )}
      {winners.length > 0 && (
        <ul
          style={{ animationDuration: `${winners.length * 3.2}s` }}
          className={winners.length > 3 ? 'moving' : ''}
        >
          {[...winners, ...(winners.length > 3 ? winners : [])].map((winner, place) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the same winner may stand here twice
            <li key={`${winner.at_ms}-${winner.name}-${place}`} aria-hidden={place >= winners.length}>
              <span className="who">{shownName(winner.name, t)}</span>
              <Picture prize={winner.prize} size={22} />
              <span>{winner.prize.name}</span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
