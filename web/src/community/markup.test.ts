import { expect, it } from 'vitest';
import { applyMark, type MarkName } from './markup';

/** A text with its selection between brackets that nobody writes. */
const parse = (shown: string) => ({
  text: shown.replace(/[⟨⟩]/g, ''),
  from: shown.indexOf('⟨'),
  to: shown.indexOf('⟩') - 1,
});
const show = ({ text, from, to }: { text: string; from: number; to: number }) =>
  `${text.slice(0, from)}⟨${text.slice(from, to)}⟩${text.slice(to)}`;

it.each<[string, MarkName, string]>([
  ['a ⟨leaf⟩ b', 'bold', 'a **⟨leaf⟩** b'],
  ['a **⟨leaf⟩** b', 'bold', 'a ⟨leaf⟩ b'],
  ['⟨⟩', 'italic', '*⟨⟩*'],
  ['⟨茶⟩', 'code', '`⟨茶⟩`'],
  ['one\nt⟨w⟩o', 'heading', 'one\n## t⟨w⟩o'],
  ['one\n## t⟨w⟩o', 'heading', 'one\nt⟨w⟩o'],
  ['⟨one\ntwo⟩\nthree', 'list', '- ⟨one\n- two⟩\nthree'],
  ['- ⟨one\n- two⟩\nthree', 'list', '⟨one\ntwo⟩\nthree'],
  ['⟨⟩', 'quote', '> ⟨⟩'],
  ['see ⟨this⟩.', 'link', 'see [this](⟨https://⟩).'],
])('%s, then %s: %s', (before, mark, after) => {
  expect(show(applyMark(parse(before), mark))).toBe(after);
});
