import { expect, test } from 'vitest';
import { wordLines } from './wordLines';

test.each([
  ['', []],
  [' \n\n ', []],
  ['赌博', ['赌博']],
  [' 赌博 \r\nbuy now\n\n赌博\n', ['赌博', 'buy now']],
])('%j are the words %j', (text, words) => {
  expect(wordLines(text)).toEqual(words);
});
