import { formatNumber } from '../../i18n';
import type { RoomView } from '../buy/room';
import { Countdown } from '../parts/Countdown';
import { Refused } from '../parts/states';
import { useText, type Word } from '../text';

/** Where one stands in the waiting room. */
export function RoomCard({ view, again }: { view: RoomView | 'joining'; again(): void }) {
  const { t, language } = useText();
  const number = (value: number) => formatNumber(value, language);
  if (view === 'joining') {
    return (
      <div className="room" role="status">
        <Line ahead={LINE.length} />
        <p>{t('room.joining')}</p>
      </div>
    );
  }
  if ('error' in view) {
    return (
      <div className="room">
        <Refused error={view.error} />
        {view.again && <p className="quiet">{t('room.again')}</p>}
      </div>
    );
  }
  const { state, ahead, wait_ms, until_ms, units_left } = view.body;
  return (
    <div className={`room ${state}`} data-state={state}>
      {state === 'waiting' && (
        <>
          <p className="unseen" role="status">
            {t('room.title')}
          </p>
          <Line ahead={ahead ?? 0} />
          {ahead ? (
            <p className="room-ahead">
              <b data-testid="ahead">{number(ahead)}</b>
              <span>{t('room.ahead', { count: ahead })}</span>
            </p>
          ) : (
            <p className="room-turn">{t('room.first')}</p>
          )}
          <p>
            {wait_ms == null ? t(units_left === 0 ? 'room.held' : 'room.unknown') : t(...waitOf(wait_ms))}
          </p>
          <p className="quiet">{t('room.keep')}</p>
        </>
      )}
      {state === 'admitted' && (
        <>
          <p className="room-turn" role="status">
            {t('room.turn')}
          </p>
          {until_ms != null && <Countdown to={until_ms} label={t('room.turnFor')} />}
        </>
      )}
      {state === 'sold_out' && (
        <>
          <p className="room-turn" role="status">
            {t('sale.gone')}
          </p>
          <p className="quiet">{t('room.gone')}</p>
        </>
      )}
      {state === 'left' && (
        <p role="status">
          {t('room.left')}{' '}
          <button type="button" className="text-link" onClick={again}>
            {t('room.join')}
          </button>
        </p>
      )}
    </div>
  );
}

/** "About 40 seconds": rounded up, in steps that people say. */
function waitOf(ms: number): [Word, { count: number }] {
  const seconds = Math.max(1, Math.ceil(ms / 1000));
  if (seconds <= 20) return ['room.seconds', { count: seconds }];
  if (seconds < 90) return ['room.seconds', { count: Math.ceil(seconds / 10) * 10 }];
  return ['room.minutes', { count: Math.ceil(seconds / 60) }];
}

const LINE = [14, 41, 68, 95, 122, 149, 176, 203];

/** People in a line, moving up; oneself among them, at the end if there are more than fit. */
function Line({ ahead }: { ahead: number }) {
  const me = Math.min(ahead, LINE.length - 1);
  return (
    <svg viewBox="0 0 220 34" className="line" aria-hidden="true" focusable="false">
      {LINE.map((x, place) => (
        <g key={x} transform={`translate(${x} 0)`} className={place === me ? 'line-one me' : 'line-one'}>
          <circle cx="0" cy="9" r="6" />
          <path d="M-9 32c0-9 4-14 9-14s9 5 9 14z" />
        </g>
      ))}
    </svg>
  );
}
