import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { ChancesBody, DrawResponse } from '../api/wire';
import { chancesRead } from './reads';

/** A chance that was won comes by its own message, a moment after the draw. */
const LOOK_MS = 500;
const LOOK_UNTIL_MS = 60_000;

/** How many chances a draw has won. */
export function chancesWon({ draws }: Pick<DrawResponse, 'draws'>): number {
  return draws.reduce((sum, { prize }) => sum + (prize?.kind === 'chances' ? (prize.amount ?? 0) : 0), 0);
}

/**
 * My chances in an activity. After `expect` was told of a draw, they are looked at until what it won is among them, so
 * that it can be used at once.
 */
export function useChances(activity: string, signedIn: boolean) {
  const [owed, setOwed] = useState({ left: 0, untilMs: 0 });
  const { data } = useQuery({
    ...chancesRead(activity, signedIn),
    refetchInterval: ({ state }) =>
      (state.data?.left ?? 0) < owed.left && Date.now() < owed.untilMs ? LOOK_MS : false,
  });
  const expect = (told: Pick<DrawResponse, 'draws' | 'chances'>) => {
    const won = chancesWon(told);
    if (won > 0) setOwed({ left: told.chances.left + won, untilMs: Date.now() + LOOK_UNTIL_MS });
  };
  return { chances: data as (ChancesBody & { player?: number | null }) | undefined, expect };
}
