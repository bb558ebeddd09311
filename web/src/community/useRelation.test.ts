import { expect, it } from 'vitest';
import type { MemberBody } from '../api/wire';
import { applyRelation, type RelationWish } from './useRelation';

const member = (following: boolean, follows_me: boolean, blocked: boolean): MemberBody => ({
  id: '1',
  name: '小满',
  avatar: '',
  sign_up_day: '2026-11-15',
  posts: 0,
  followers: 5,
  following: 0,
  level: 1,
  relation: { following, follows_me, blocked, followers: 5 },
});

it.each<[boolean, boolean, boolean, RelationWish, [boolean, boolean, boolean, number]]>([
  [false, false, false, 'follow', [true, false, false, 6]],
  [true, false, false, 'follow', [true, false, false, 5]],
  [true, true, false, 'unfollow', [false, true, false, 4]],
  [false, true, false, 'unfollow', [false, true, false, 5]],
  [true, true, false, 'block', [false, false, true, 4]],
  [false, true, false, 'block', [false, false, true, 5]],
  [false, false, true, 'unblock', [false, false, false, 5]],
])('following %s, followed %s, blocked %s, then %s', (following, follows_me, blocked, wish, expected) => {
  const { relation, followers } = applyRelation(member(following, follows_me, blocked), wish);
  expect([relation?.following, relation?.follows_me, relation?.blocked, followers]).toEqual(expected);
  expect(relation?.followers).toBe(followers);
});

it('whoever is signed out or looks at themselves changes nothing', () => {
  const { relation: _, ...alone } = member(false, false, false);
  expect(applyRelation(alone, 'follow')).toBe(alone);
});
