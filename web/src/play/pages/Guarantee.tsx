import { useInfiniteQuery } from '@tanstack/react-query';
import type { PlayBody } from '../../api/wire';
import { shortName } from '../games/slots';
import { drawsToGuarantee } from '../guarantee';
import { drawsRead } from '../reads';
import { useText } from '../text';
import styles from './Guarantee.module.css';

/** How far it is to the guaranteed prize, where an activity has one. */
export function Guarantee({ activity, held }: { activity: PlayBody; held: boolean }) {
  const pity = activity.odds?.pity;
  return pity ? <Way activity={activity} pity={pity} held={held} /> : null;
}

interface WayProps {
  activity: PlayBody;
  pity: { prize: number; misses: number };
  /** While a game turns, nothing is told that would give its end away. */
  held: boolean;
}

function Way({ activity, pity, held }: WayProps) {
  const { t, language } = useText();
  const { data } = useInfiniteQuery({ ...drawsRead(activity.id), enabled: !held });
  const prize = activity.prizes.find(({ id }) => id === pity.prize);
  if (!data || !prize) return null;
  const newest = data.pages.flatMap((page) => page.items.flatMap(({ draws }) => [...draws].reverse()));
  const left = drawsToGuarantee(newest, pity.misses, !data.pages.at(-1)?.next);
  if (left === undefined) return null;
  return (
    <div className={styles.way}>
      <span id="guarantee">{t('guarantee', { count: left, prize: shortName(prize.name, language) })}</span>
      <progress aria-labelledby="guarantee" max={pity.misses + 1} value={pity.misses + 1 - left} />
    </div>
  );
}
