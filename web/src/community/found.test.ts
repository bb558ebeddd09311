import { expect, it } from 'vitest';
import { foundPath, partsOf, searchKindOf, searchPath } from './found';

it.each([
  ['', 'post', '/search'],
  ['', 'item', '/search?kind=item'],
  ['抽奖 a&b', 'post', '/search?q=%E6%8A%BD%E5%A5%96+a%26b'],
  ['x', 'person', '/search?q=x&kind=person'],
] as const)('the address of a search for %j of kind %s', (query, kind, path) => {
  expect(searchPath(query, kind)).toBe(path);
  const params = new URL(path, 'http://here').searchParams;
  expect([params.get('q') ?? '', searchKindOf(params.get('kind'))]).toEqual([query, kind]);
});

it('an unknown kind is posts', () => {
  expect(searchKindOf('everything')).toBe('post');
  expect(searchKindOf(null)).toBe('post');
});

it.each([
  ['post', '/posts/7'],
  ['person', '/members/7'],
  ['activity', '/activities/7'],
  ['sale', '/sales/7'],
  ['offer', '/shop'],
] as const)('a %s leads to its page', (kind, path) => {
  expect(foundPath({ kind, id: '7' })).toBe(path);
});

it('readers of English see English where there is some', () => {
  const [zh, en] = [[{ text: '转盘' }], [{ text: 'Wheel', match: true }]];
  expect(partsOf(zh, en, 'en')).toBe(en);
  expect(partsOf(zh, en, 'zh')).toBe(zh);
  expect(partsOf(zh, [], 'en')).toBe(zh);
  expect(partsOf(undefined, undefined, 'en')).toEqual([]);
});
