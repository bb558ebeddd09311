import { expect, it } from 'vitest';
import type { PostBody } from '../api/wire';
import { applyLike, applyVote, type ShownPosts, withoutPost, withPost } from './postChanges';

const post = (id: string, more: Partial<PostBody> = {}): PostBody => ({
  id,
  state: 'visible',
  title: id,
  excerpt: '',
  version: 1,
  published_at_ms: 0,
  likes: 3,
  votes: 1,
  comments: 0,
  score: 0,
  interesting: false,
  voting_until_ms: 0,
  pinned: false,
  featured: false,
  locked: false,
  liked_by_me: false,
  voted_by_me: false,
  ...more,
});
const list = (...pages: PostBody[][]): ShownPosts => ({
  pages: pages.map((items) => ({ items })),
  pageParams: pages.map(() => ''),
});

it('a post changes wherever it is shown, and nothing else does', () => {
  const like = (one: PostBody) => applyLike(one, true);
  const liked = post('b', { likes: 4, liked_by_me: true });
  expect(withPost(list([post('a')], [post('b')]), 'b', like)).toEqual(list([post('a')], [liked]));
  expect(withPost(post('b'), 'b', like)).toEqual(liked);
  const other = list([post('a')]);
  expect(withPost(other, 'b', like)).toBe(other);
  expect(withoutPost(list([post('a'), post('b')]), 'b')).toEqual(list([post('a')]));
});

it('what is so already changes no count', () => {
  const liked = post('a', { liked_by_me: true, likes: 1 });
  for (const [before, wish, likes] of [
    [post('a'), true, 4],
    [post('a'), false, 3],
    [liked, true, 1],
    [liked, false, 0],
    [{ ...liked, likes: 0 }, false, 0],
  ] as const)
    expect(applyLike(before, wish).likes).toBe(likes);
  expect(applyVote(post('a'))).toMatchObject({ votes: 2, voted_by_me: true });
  expect(applyVote(post('a', { voted_by_me: true })).votes).toBe(1);
});
