// The moment in which a raffle is drawn: names run past, the grand prize's winner stays, and whoever won learns it here,
// with the way to claim it.
import { useEffect, useState } from 'react';
import { Link } from 'react-router';
import { needsAddress } from '../../api/kinds';
import type { DrawBody, PlayBody, RaffleStateBody } from '../../api/wire';
import { tierOf } from '../games/tiers';
import { Confetti } from '../parts/Confetti';
import { Dialog } from '../parts/Dialog';
import { Picture } from '../parts/Picture';
import { useStill } from '../parts/useOnline';
import { shownName } from '../people';
import { useSound } from '../sound/useSound';
import { useText } from '../text';
import moment from './RaffleMoment.module.css';
import styles from './Result.module.css';

const NAME_MS = 90;
const NAMES_SHOWN = 22;

interface RaffleMomentProps {
  raffle: RaffleStateBody;
  activity: PlayBody;
  /** What I won, if I did. */
  mine: NonNullable<DrawBody['prize']> | undefined;
  /** Whether I had entered at all. */
  entered: boolean;
  onClose(): void;
}

export function RaffleMoment({ raffle, activity, mine, entered, onClose }: RaffleMomentProps) {
  const { t } = useText();
  const { sound } = useSound();
  const still = useStill();
  const [shown, setShown] = useState(still ? NAMES_SHOWN : 0);
  const drawn = shown >= NAMES_SHOWN;
  const grand = raffle.winners.find(({ prize }) => tierOf(prize, activity) === 'grand');
  const tier = mine && tierOf(mine, activity);
  useEffect(() => {
    if (drawn) {
      sound(tier ?? 'consolation');
      return;
    }
    const timer = setTimeout(() => {
      sound('click');
      setShown(shown + 1);
    }, NAME_MS);
    return () => clearTimeout(timer);
  }, [drawn, shown, tier, sound]);
  const running = raffle.winners[shown % raffle.winners.length];
  const title = !drawn ? t('raffle.drawing') : t(tier ? `result.${tier}` : 'raffle.state.drawn');
  const faced = mine ?? grand?.prize;
  return (
    <Dialog title={title} onClose={onClose} className={`result ${styles.whole}`}>
      {drawn && tier && <Confetti pieces={tier === 'grand' ? 320 : 150} />}
      <div className="one">
        {!drawn && (
          <p className={moment.running} aria-hidden="true">
            {running && shownName(running.name, t)}
          </p>
        )}
        {drawn && faced && (
          <>
            <span className="glow">
              <Picture prize={faced} size={mine ? 176 : 128} />
            </span>
            <p className="one-name">{faced.name}</p>
          </>
        )}
        {drawn && !mine && grand && <p>{t('raffle.goesTo', { name: shownName(grand.name, t) })}</p>}
        {drawn && !mine && entered && <p className="quiet">{t('raffle.notYou')}</p>}
      </div>
      {drawn && (
        <div className="result-buttons">
          {mine && (
            <Link to="/me/wins" className="button gold" onClick={onClose}>
              {t(needsAddress(mine.kind) ? 'result.claim' : 'result.wins')}
            </Link>
          )}
          <button type="button" className="button" onClick={onClose}>
            {t('raffle.toWinners')}
          </button>
        </div>
      )}
    </Dialog>
  );
}
