// @vitest-environment happy-dom
import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, it } from 'vitest';
import type { RaffleStateBody } from '../../api/wire';
import { useRaffleMoment } from './useRaffleMoment';

beforeEach(() => localStorage.clear());

const raffle = (state: RaffleStateBody['state'], winners = 1) =>
  ({ activity: '7', round: 1, state, winners: Array(winners).fill({}) }) as unknown as RaffleStateBody;

it('whoever is here while it is drawn sees it, winner or not, once', () => {
  const here = renderHook(({ now, won }) => useRaffleMoment(now, 'ann', won), {
    initialProps: { now: raffle('open', 0), won: false },
  });
  expect(here.result.current.due).toBe(false);
  here.rerender({ now: raffle('drawn'), won: false });
  expect(here.result.current.due).toBe(true);
  act(() => here.result.current.seen());
  expect(here.result.current.due).toBe(false);
});

it('whoever comes later sees it if they won, and only the first time', () => {
  const come = (won: boolean, user = 'ann') => renderHook(() => useRaffleMoment(raffle('drawn'), user, won));
  expect(come(false).result.current.due).toBe(false);
  const first = come(true);
  expect(first.result.current.due).toBe(true);
  act(() => first.result.current.seen());
  expect(come(true).result.current.due).toBe(false);
  expect(come(true, 'bob').result.current.due).toBe(true);
});

it('a raffle that nobody won has no moment', () => {
  const here = renderHook(({ now }) => useRaffleMoment(now, 'ann', false), {
    initialProps: { now: raffle('open', 0) },
  });
  here.rerender({ now: raffle('drawn', 0) });
  expect(here.result.current.due).toBe(false);
});
