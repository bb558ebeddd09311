// What came out: one prize, none, or ten that are turned over one after the other. The rarer the prize, the bigger the
// moment: the rare ones take the whole screen.
import { useEffect, useMemo, useState } from 'react';
import { Link } from 'react-router';
import { needsAddress } from '../../api/kinds';
import type { DrawBody, DrawResponse, PlayBody } from '../../api/wire';
import { shortName } from '../games/slots';
import { bestDraw, isConsolation, TIERS, type Tier } from '../games/tiers';
import { Amount } from '../parts/Amount';
import { Confetti } from '../parts/Confetti';
import { Dialog } from '../parts/Dialog';
import { MISS, Picture } from '../parts/Picture';
import { useStill } from '../parts/useOnline';
import { useSound } from '../sound/useSound';
import { useText } from '../text';
import styles from './Result.module.css';

const REVEAL_MS = 320;

/** Once more: as many draws as before, or one. */
export interface Again {
  draws: number;
  draw(): void;
}

interface ResultProps {
  told: DrawResponse;
  activity: PlayBody;
  onClose(): void;
  again: Again | undefined;
}

/** Whether a prize of this tier is worth congratulating somebody on. */
const isJoy = (tier: Tier): boolean => TIERS.indexOf(tier) >= TIERS.indexOf('small');

export function Result({ told, activity, onClose, again }: ResultProps) {
  const { t } = useText();
  const { sound } = useSound();
  const many = told.draws.length > 1;
  const { draw: best, tier } = useMemo(() => bestDraw(told.draws, activity), [told, activity]);
  const won = told.draws.filter(({ prize }) => prize && !isConsolation(prize));
  // Ten cards are a secret until they are turned over: what the best of them is worth is shown and heard then.
  const [open, setOpen] = useState(!many);
  useEffect(() => {
    if (open) sound(tier);
  }, [open, tier, sound]);
  const title = many ? t('result.many', { count: won.length }) : t(`result.${tier}`);
  const whole = open && (tier === 'grand' || tier === 'rare');
  const claims = told.draws.some(({ prize }) => prize && needsAddress(prize.kind));
  return (
    <Dialog
      title={title}
      onClose={onClose}
      className={`result ${whole ? styles.whole : open && isJoy(tier) ? 'won' : ''}`}
      titleHidden={many}
    >
      {open && isJoy(tier) && <Confetti pieces={PIECES[tier]} />}
      {many ? (
        <Ten
          draws={told.draws}
          title={title}
          best={isJoy(tier) ? best : undefined}
          onOpen={() => setOpen(true)}
        />
      ) : (
        best && <One draw={best} tier={tier} />
      )}
      <div className="result-buttons">
        {claims && open && (
          <Link to="/me/wins" className="button gold" onClick={onClose}>
            {t('result.claim')}
          </Link>
        )}
        {again && (
          <button type="button" className="button primary" onClick={again.draw}>
            {t(again.draws > 1 ? 'result.tenAgain' : 'result.again')}
          </button>
        )}
        {won.length > 0 && !claims && (
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

/** Paper in the air, by what was won. */
const PIECES: Record<Tier, number> = { miss: 0, consolation: 0, small: 70, rare: 150, grand: 320 };

function One({ draw, tier }: { draw: DrawBody; tier: Tier }) {
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
      <span className={isJoy(tier) ? 'glow' : undefined}>
        <Picture prize={draw.prize} size={tier === 'grand' ? 176 : tier === 'rare' ? 144 : 112} />
      </span>
      <p className="one-name">{draw.prize.name}</p>
      <Amount of={draw.prize} className="one-amount" />
      {draw.prize.details && <p className="quiet">{draw.prize.details}</p>}
      {draw.why === 'pity' && <p className="quiet">{t('why.pity')}</p>}
      {draw.why === 'fallback' && <p className="quiet">{t('why.fallback')}</p>}
      {tier === 'consolation' && <p className="quiet">{t('result.consolationText')}</p>}
      {needsAddress(draw.prize.kind) && <p className="quiet">{t('result.parcel')}</p>}
    </div>
  );
}

interface TenProps {
  draws: DrawBody[];
  title: string;
  /** The one that is shown on top of the others when all are turned over. */
  best: DrawBody | undefined;
  onOpen(): void;
}

function Ten({ draws, title, best, onOpen }: TenProps) {
  const { t, language } = useText();
  const still = useStill();
  const [open, setOpen] = useState(still ? draws.length : 0);
  useEffect(() => {
    if (open >= draws.length) return;
    const timer = setTimeout(() => setOpen(open + 1), REVEAL_MS);
    return () => clearTimeout(timer);
  }, [open, draws.length]);
  const done = open >= draws.length;
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once, when the last card is turned over
  useEffect(() => {
    if (done) onOpen();
  }, [done]);
  return (
    <div className="ten">
      <p className="ten-title" role="status">
        {done ? title : ' '}
      </p>
      <ol className="ten-cards">
        {draws.map((draw, place) => (
          <li
            key={draw.n}
            className={`ten-card${place < open ? ' open' : ''}${isWin(draw) ? ' won' : ''}${done && draw === best ? ` ${styles.best}` : ''}`}
          >
            <span className="ten-back" aria-hidden="true" />
            <span className="ten-front">
              <Picture prize={draw.prize ?? MISS} size={34} />
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

const isWin = ({ prize }: DrawBody): boolean => prize != null && !isConsolation(prize);
