import { expect, it } from 'vitest';
import { formatMoney, moneyDigits } from './money';

it.each([
  [9900, 'CNY', '¥99'],
  [9905, 'CNY', '¥99.05'],
  [0, 'CNY', '¥0'],
  [1, 'USD', '$0.01'],
  [1500, 'JPY', '¥1,500'],
  [1234, 'KWD', 'KWD 1.234'],
  [250, 'no', 'no 2.5'],
])('%i of %s is %s', (minor, currency, text) => {
  expect(formatMoney(minor, currency, 'en').replace(/\s/, ' ')).toBe(text);
});

it('knows how many digits a currency has', () => {
  expect(['CNY', 'JPY', 'KWD', 'no'].map(moneyDigits)).toEqual([2, 0, 3, 2]);
});
