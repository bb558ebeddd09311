import { expect, it } from 'vitest';
import type { PostBody } from '../api/wire';
import { suggestPeople } from './suggestPeople';

const by = (id?: string) => ({ author: id && { id, name: id, avatar: '', level: 1 } }) as unknown as PostBody;

it.each([
  ['nobody writes', [], undefined, []],
  ['each once, in their order', ['b', 'a', 'b', 'c'], undefined, ['b', 'a', 'c']],
  ['not oneself', ['b', 'me', 'a'], 'me', ['b', 'a']],
  ['not those who are gone', [undefined, 'a'], undefined, ['a']],
  ['five at most', ['a', 'b', 'c', 'd', 'e', 'f'], undefined, ['a', 'b', 'c', 'd', 'e']],
] as const)('%s', (_, authors, me, expected) => {
  expect(
    suggestPeople(
      authors.map((id) => by(id)),
      me,
    ).map((person) => person.id),
  ).toEqual(expected);
});
