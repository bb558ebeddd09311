// What an activity looks like from afar: a drawing of its game, and the picture of its best prize.
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { PlayRowBody } from '../../api/wire';
import { firstGame, type Game } from '../games/slots';
import { activityRead } from '../reads';
import styles from './ActivityArt.module.css';
import { Picture } from './Picture';

const SPOKES = [0, 45, 90, 135];
const RING = [0, 1, 2, 3, 5, 6, 7, 8];

const DRAWN: Record<Game | 'raffle', ReactNode> = {
  wheel: (
    <>
      <circle cx="32" cy="34" r="24" className={styles.body} />
      {SPOKES.map((turn) => (
        <path key={turn} d="M8 34h48" transform={`rotate(${turn} 32 34)`} className={styles.line} />
      ))}
      <circle cx="32" cy="34" r="6" className={styles.mark} />
      <path d="M32 14l-5-9h10z" className={styles.mark} />
    </>
  ),
  grid: (
    <>
      {RING.map((cell) => (
        <rect
          key={cell}
          x={9 + (cell % 3) * 16}
          y={9 + Math.floor(cell / 3) * 16}
          width="14"
          height="14"
          rx="4"
          className={styles.body}
        />
      ))}
      <rect x="25" y="25" width="14" height="14" rx="4" className={styles.mark} />
    </>
  ),
  reels: (
    <>
      <rect x="7" y="14" width="50" height="36" rx="8" className={styles.body} />
      {[11, 26, 41].map((x) => (
        <rect key={x} x={x} y="19" width="12" height="26" rx="3" className={styles.mark} />
      ))}
    </>
  ),
  box: (
    <>
      <path d="M10 28h44v26H10z" className={styles.body} />
      <path d="M6 18h52v12H6zM28 18h8v36h-8z" className={styles.mark} />
      <path d="M32 18c-12-12-18-2 0 0 18-2 12-12 0 0z" className={styles.body} />
    </>
  ),
  raffle: (
    <>
      <path d="M8 20h48v8a5 5 0 0 0 0 10v8H8v-8a5 5 0 0 0 0-10z" className={styles.body} />
      <path d="M42 22v22" className={styles.line} />
      <path d="M25 26l2 5h5l-4 3 2 5-5-3-5 3 2-5-4-3h5z" className={styles.mark} />
    </>
  ),
};

export default function ActivityArt({ row, tone }: { row: PlayRowBody; tone: number }) {
  const { data } = useQuery({ ...activityRead(row.id), staleTime: 60_000, refetchInterval: false });
  const slots = Math.max(data?.odds?.miss_slot ?? 0, ...(data?.prizes ?? []).map((one) => one.slot ?? 0)) + 1;
  const game = row.kind === 'raffle' ? 'raffle' : firstGame(data?.game, slots, data?.odds?.pity != null);
  const [best] = data?.prizes ?? [];
  return (
    <span className={`activity-face ${styles.face}`} data-tone={tone} data-game={game} aria-hidden="true">
      <svg viewBox="0 0 64 64" aria-hidden="true" focusable="false">
        {DRAWN[game]}
      </svg>
      {best?.picture && (
        <i className={styles.best}>
          <Picture prize={best} size={24} />
        </i>
      )}
    </span>
  );
}
