// @vitest-environment happy-dom
import { beforeEach, expect, it } from 'vitest';
import { addRecentSearch, clearRecentSearches, RECENT_MAX, recentSearches } from './recentSearches';

beforeEach(() => localStorage.clear());

it('keeps the newest first, and each once', () => {
  for (const search of ['抽奖', 'lucky', '抽奖']) addRecentSearch(search);
  expect(recentSearches()).toEqual(['抽奖', 'lucky']);
});

it('keeps a few', () => {
  for (let n = 0; n < RECENT_MAX + 3; n += 1) addRecentSearch(`search ${n}`);
  expect(recentSearches()).toHaveLength(RECENT_MAX);
  expect(recentSearches()[0]).toBe(`search ${RECENT_MAX + 2}`);
});

it('forgets them', () => {
  addRecentSearch('lucky');
  clearRecentSearches();
  expect(recentSearches()).toEqual([]);
  expect(localStorage.length).toBe(0);
});

it.each(['null', '{}', 'not json', '[1, null, ""]'])(
  'reads nothing from what it did not write: %s',
  (kept) => {
    localStorage.setItem('windfall.searches', kept);
    expect(recentSearches()).toEqual([]);
  },
);
