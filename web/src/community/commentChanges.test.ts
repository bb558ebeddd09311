import { expect, it } from 'vitest';
import type { CommentBody } from '../api/wire';
import { applyCommentLike, indentOf, type ShownComments, withComment } from './commentChanges';

const comment = (id: string, likes: number, liked_by_me: boolean) =>
  ({ id, likes, liked_by_me }) as CommentBody;
const list = (...items: CommentBody[]): ShownComments => ({ pages: [{ items }], pageParams: [''] });

it.each([
  [2, false, true, 3],
  [2, false, false, 2],
  [2, true, true, 2],
  [2, true, false, 1],
  [0, true, false, 0],
])('with %d likes, liked %s, then %s: %d', (likes, before, wish, after) => {
  const other = comment('a', 5, false);
  const shown = withComment(list(other, comment('b', likes, before)), 'b', (one) =>
    applyCommentLike(one, wish),
  );
  expect(shown).toEqual(list(other, comment('b', after, wish)));
});

it.each([
  [1, 0],
  [2, 0],
  [3, 1],
  [5, 3],
  [8, 3],
])('a comment %d deep is moved in by %d', (depth, indent) => {
  expect(indentOf({ depth })).toBe(indent);
});
