import { expect, test } from 'vitest';
import { splitMentions } from './mentions';

const ANN = { name: 'ann', id: '7' };
const MING = { name: '小明', id: '8' };

test.each([
  ['nobody', 'Hello @ann', [], [{ text: 'Hello @ann' }]],
  ['one', 'Hello @Ann!', [ANN], [{ text: 'Hello ' }, { text: '@Ann', person: '7' }, { text: '!' }]],
  ['whose name ends there', '@Annabel', [ANN], [{ text: '@Annabel' }]],
  ['in an address', 'mail me@ann', [ANN], [{ text: 'mail me@ann' }]],
  ['after a sign', '谢谢@小明！', [MING], [{ text: '谢谢' }, { text: '@小明', person: '8' }, { text: '！' }]],
])('%s', (_what, text, mentions, expected) => {
  expect(splitMentions(text, mentions)).toEqual(expected);
});
