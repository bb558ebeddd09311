import { useRef, useState } from 'react';
import type { RaffleStateBody } from '../../api/wire';

const keyOf = (user: string, { activity, round }: RaffleStateBody) =>
  `windfall.raffle-seen.${user}.${activity}.${round}`;

function wasSeen(key: string): boolean {
  try {
    return localStorage.getItem(key) !== null;
  } catch {
    return false;
  }
}

/**
 * Whether the drawing is to be shown now: to whoever is here while it is drawn, and once to a winner who comes later, on
 * this device. `user` is who is signed in, and empty for nobody.
 */
export function useRaffleMoment(
  raffle: RaffleStateBody | undefined,
  user: string,
  won: boolean,
): { due: boolean; seen(): void } {
  const watched = useRef(false);
  const [seenNow, setSeenNow] = useState(false);
  if (raffle && raffle.state !== 'drawn') watched.current = true;
  const drawn = raffle?.state === 'drawn' && raffle.winners.length > 0;
  const key = raffle && keyOf(user, raffle);
  const due = drawn && !seenNow && (watched.current || (won && key !== undefined && !wasSeen(key)));
  const seen = () => {
    setSeenNow(true);
    try {
      if (won && key) localStorage.setItem(key, 'yes');
    } catch {
      // A browser that keeps nothing shows it again next time.
    }
  };
  return { due, seen };
}
