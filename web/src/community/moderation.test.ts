import { expect, it } from 'vitest';
import type { AccountBody, PostBody } from '../api/wire';
import { actsFor, canModerate } from './moderation';

const post = (more: Partial<PostBody>) =>
  ({ state: 'visible', pinned: false, featured: false, locked: false, ...more }) as PostBody;

it.each<[Partial<PostBody>, string[]]>([
  [{}, ['pin', 'feature', 'lock', 'remove']],
  [{ pinned: true, featured: true, locked: true }, ['unpin', 'unfeature', 'unlock', 'remove']],
  [{ state: 'held' }, ['restore', 'remove', 'lock']],
  [{ state: 'removed', locked: true }, ['restore', 'unlock']],
  [{ state: 'deleted' }, []],
])('%o can be judged by %o', (state, acts) => {
  expect(actsFor(post(state))).toEqual(acts);
});

it.each<[AccountBody['roles'], boolean]>([
  [['player'], false],
  [['player', 'operator', 'reviewer'], false],
  [['player', 'moderator'], true],
  [['player', 'admin'], true],
])('%o may moderate: %s', (roles, may) => {
  expect(canModerate({ roles } as AccountBody)).toBe(may);
  expect(canModerate(undefined)).toBe(false);
});
