// What came out: one prize, none, or ten that are turned over one after the other.
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import type { DrawBody, DrawResponse } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { shortName } from '../games/slots';
import { Confetti } from '../parts/Confetti';
import { Dialog } from '../parts/Dialog';
import { MISS, Picture } from '../parts/Picture';
import { useStill } from '../parts/useOnline';
import { useText } from '../text';

const REVEAL_MS = 320;

interface ResultProps {
  told: DrawResponse;
  onClose(): void;
  again: (() => void) | undefined;
}

export function Result({ told, onClose, again }: ResultProps) {
  const { t } = useText();
  const won = told.draws.filter((draw) => draw.prize);
  const many = told.draws.length > 1;
  const single = told.draws[0];
  const title = many
    ? t('result.many', { count: won.length })
    : single?.prize
      ? t('result.won')
      : t('result.miss');
  return (
    <Dialog
      title={title}
      onClose={onClose}
      className={won.length > 0 ? 'result won' : 'result'}
      titleHidden={many}
    >
      {won.length > 0 && <Confetti />}
      {many ? <Ten draws={told.draws} title={title} /> : single && <One draw={single} />}
      <div className="result-buttons">
        {again && (
          <button type="button" className="button primary" onClick={again}>
            {t('result.again')}
          </button>
        )}
        {won.length > 0 && (
          <Link to="/me/wins" className="button" onClick={onClose}>
            {t('result.wins')}
          </Link>
        )}
        <Link
          to={`/activities/${told.activity}/check/${told.ticket}`}
          className="text-link"
          onClick={onClose}
        >
          {t('result.check')}
        </Link>
      </div>
    </Dialog>
  );
}

function One({ draw }: { draw: DrawBody }) {
  const { t } = useText();
  if (!draw.prize) {
    return (
      <div className="one">
        <Picture prize={MISS} size={96} />
        <p>{t('result.missText')}</p>
      </div>
    );
  }
  return (
    <div className="one">
      <span className="glow">
        <Picture prize={draw.prize} size={112} />
      </span>
      <p className="one-name">{draw.prize.name}</p>
      <Amount draw={draw} />
      {draw.prize.details && <p className="quiet">{draw.prize.details}</p>}
      {draw.why === 'pity' && <p className="quiet">{t('why.pity')}</p>}
      {draw.why === 'fallback' && <p className="quiet">{t('why.fallback')}</p>}
      {draw.prize.kind === 'parcel' && <p className="quiet">{t('result.parcel')}</p>}
    </div>
  );
}

function Amount({ draw }: { draw: DrawBody }) {
  const { t, language } = useText();
  const { prize } = draw;
  if (prize?.amount == null || (prize.kind !== 'points' && prize.kind !== 'chances')) return null;
  const count = prize.amount;
  return (
    <p className="one-amount">
      {t(`amount.${prize.kind}`, { count, number: formatNumber(count, language) })}
    </p>
  );
}

function Ten({ draws, title }: { draws: DrawBody[]; title: string }) {
  const { t, language } = useText();
  const still = useStill();
  const [open, setOpen] = useState(still ? draws.length : 0);
  useEffect(() => {
    if (open >= draws.length) return;
    const timer = setTimeout(() => setOpen(open + 1), REVEAL_MS);
    return () => clearTimeout(timer);
  }, [open, draws.length]);
  const done = open >= draws.length;
  return (
    <div className="ten">
      <p className="ten-title" role="status">
        {done ? title : ' '}
      </p>
      <ol className="ten-cards">
        {draws.map((draw, place) => (
          <li key={draw.n} className={`ten-card${place < open ? ' open' : ''}${draw.prize ? ' won' : ''}`}>
            <span className="ten-back" aria-hidden="true" />
            <span className="ten-front">
              <Picture prize={draw.prize ?? MISS} size={40} />
              <small title={draw.prize?.name}>
                {place < open ? (draw.prize ? shortName(draw.prize.name, language) : t('miss')) : ''}
              </small>
            </span>
          </li>
        ))}
      </ol>
      {!done && (
        <button type="button" className="text-link" onClick={() => setOpen(draws.length)}>
          {t('result.skip')}
        </button>
      )}
    </div>
  );
}
