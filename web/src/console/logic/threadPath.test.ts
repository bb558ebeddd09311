import { expect, test } from 'vitest';
import { threadPath } from './threadPath';

test.each([
  ['post', '/posts/7'],
  ['person', '/members/7'],
  ['activity', '/activities/7'],
] as const)('a text on a %s is read at %s', (on, path) => {
  expect(threadPath(on, '7')).toBe(path);
});
