// The compiler knows every key. What must not compile stands here under `@ts-expect-error`; `npm run check` judges it.
import { expect, it } from 'vitest';
import type { ActivityState, FulfilmentState } from '../api/wire';
import { openWord, wordFor } from '../console/parts/bits';
import type { Say as ConsoleSay } from '../console/text';
import type { Say as PlaySay } from '../play/text';

const keyOf = ((key: string) => key) as ConsoleSay & PlaySay;
const console: ConsoleSay = keyOf;
const play: PlaySay = keyOf;
const state = 'running' as ActivityState;

it('keys that have words are taken, counted and put together ones too', () => {
  expect(console('nav.dashboard')).toBe('nav.dashboard');
  expect(console(`state.${state}`)).toBe('state.running');
  expect(play('nav.cart', { count: 2 })).toBe('nav.cart');
  expect(wordFor(console, 'state', state)).toBe('running');
  expect(openWord(console, 'part', 'whatever')).toBe('whatever');
});

it('a key without words does not compile', () => {
  // @ts-expect-error there are no such words
  console('nav.nowhere');
  // @ts-expect-error these are the players'
  console('home.title');
  // @ts-expect-error and these the console's
  play('nav.dashboard');
  // @ts-expect-error not every state of an activity has such words
  console(`giving.${state}`);
  // @ts-expect-error a shelf without words for each of the names
  wordFor(console, 'lane', 'given' as FulfilmentState);
  // @ts-expect-error an open list is for `openWord`
  wordFor(console, 'state', 'running' as string);
  expect(keyOf).toBeTypeOf('function');
});
