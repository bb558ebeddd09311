import { expect, it } from 'vitest';
import { Problem } from '../api/problem';
import type { ProblemCode } from '../api/wire';
import { charactersIn, draftProblem } from './draftProblem';

const refusal = (code: ProblemCode, field?: string) =>
  new Problem({ title: code, status: 403, code, request_id: null, ...(field && { field }) });

it.each<[Problem, string, string | undefined]>([
  [refusal('links_too_soon'), 'https://example.org', 'link'],
  [refusal('links_too_soon'), ' ', 'body'],
  [refusal('invalid_field', 'title'), '', 'title'],
  [refusal('daily_cap'), 'https://example.org', undefined],
])('%s with the link “%s” is said beside %s', (error, link, field) => {
  const told = draftProblem(error, { title: 'a', link, body: 'b' });
  expect((told as Problem).field).toBe(field);
  expect((told as Problem).message).toBe(error.message);
});

it('counts characters as people do, without the space around them', () => {
  expect(charactersIn('  好茶🍵 ')).toBe(3);
});
