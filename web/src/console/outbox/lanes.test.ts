import { expect, it } from 'vitest';
import { laneValues } from '../../api/schema.gen';
import { wordsOf } from '../../i18n';
import en from '../words/console.en';
import zh from '../words/console.zh';
import { hookOf, laneText } from './lanes';

const t = (words: Record<string, string>) => (key: string, values?: Record<string, string | number>) =>
  wordsOf(words, 'en', key, values);

it('every lane of the API document has words in both languages', () => {
  for (const words of [en, zh]) {
    for (const lane of laneValues) expect(laneText(t(words), lane), lane).not.toBe(`lane.${lane}`);
  }
});

it('the lane of a webhook is told by the name of the webhook, else by its id', () => {
  for (const [lane, hook, text] of [
    ['hook:7', '7', 'Webhook Shop'],
    ['hook:8', '8', 'Webhook 8'],
    ['orders', undefined, 'Orders of sales'],
    ['of_tomorrow', undefined, 'of_tomorrow'],
  ] as const) {
    expect(hookOf(lane)).toBe(hook);
    expect(laneText(t(en), lane, [{ id: '7', name: 'Shop' }])).toBe(text);
  }
});
