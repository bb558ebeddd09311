// Every word is there in both languages, with the same gaps to fill. That a page asks for no other is up to the compiler
// (`keys.test.ts`).
import { describe, expect, it } from 'vitest';
import communityEn from '../community/words/community.en';
import communityZh from '../community/words/community.zh';
import tasksEn from '../community/words/tasks.en';
import tasksZh from '../community/words/tasks.zh';
import consoleEn from '../console/words/console.en';
import consoleZh from '../console/words/console.zh';
import buyEn from '../play/words/buy.en';
import buyZh from '../play/words/buy.zh';
import playEn from '../play/words/en';
import moreEn from '../play/words/more.en';
import moreZh from '../play/words/more.zh';
import playZh from '../play/words/zh';
import { preferred, type Words, wordsOf } from './index';
import sharedEn from './words/en';
import sharedZh from './words/zh';

const pairs: Array<[string, Words, Words]> = [
  ['shared', sharedEn, sharedZh],
  [
    'play',
    { ...playEn, ...moreEn, ...buyEn, ...communityEn, ...tasksEn },
    { ...playZh, ...moreZh, ...buyZh, ...communityZh, ...tasksZh },
  ],
  ['community', communityEn, communityZh],
  ['the first page', playEn, playZh],
  ['console', consoleEn, consoleZh],
];

const stem = (key: string) => key.replace(/_(one|other)$/, '');
const stems = (words: Words) => [...new Set(Object.keys(words).map(stem))].sort();
const gaps = (text: string) => [...new Set(text.match(/\{\{\w+\}\}/g) ?? [])].sort();

describe.each(pairs)('the words of %s', (_, en, zh) => {
  it('are the same in both languages', () => {
    expect(stems(zh)).toEqual(stems(en));
  });

  it('leave the same gaps', () => {
    for (const key of stems(en)) {
      const english = en[key] ?? en[`${key}_other`] ?? '';
      const chinese = zh[key] ?? zh[`${key}_other`] ?? '';
      expect(gaps(chinese), key).toEqual(gaps(english));
    }
  });
});

it('are filled in and counted', () => {
  const words = { a_one: '{{count}} leaf', a_other: '{{count}} leaves', b: 'Dear {{name}}, {{what}}' };
  for (const [key, values, expected] of [
    ['a', { count: 1 }, '1 leaf'],
    ['a', { count: 0 }, '0 leaves'],
    ['b', { name: '小满', what: '$&' }, 'Dear 小满, $&'],
    ['b', { name: 'x' }, 'Dear x, {{what}}'],
    ['c', {}, 'c'],
  ] as const) {
    expect(wordsOf(words, 'en', key, values)).toBe(expected);
  }
  expect(wordsOf({ a_other: '{{count}} 片' }, 'zh', 'a', { count: 1 })).toBe('1 片');
});

it('the language is the first of the reader’s that there is', () => {
  for (const [wanted, expected] of [
    [['zh-TW', 'en'], 'zh'],
    [['fr', 'zh-Hans'], 'zh'],
    [['fr-CA', 'en-GB'], 'en'],
    [['fr'], 'en'],
    [[], 'en'],
  ] as const) {
    expect(preferred(wanted)).toBe(expected);
  }
});
