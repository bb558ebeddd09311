import { expect, test } from 'vitest';
import { discountOf, percentOff, percentSold } from './price';

test.each([
  [9900, 15900, 37, '37', '6.3'],
  [5000, 10000, 50, '50', '5'],
  [9999, 10000, 1, '1', '9.9'],
  [1, 10000, 99, '99', '0.1'],
  [100, 100, undefined, undefined, undefined],
  [100, undefined, undefined, undefined, undefined],
])('%i instead of %s is %s per cent off', (price_minor, list_price_minor, off, english, chinese) => {
  const priced = { price_minor, ...(list_price_minor !== undefined && { list_price_minor }) };
  expect(percentOff(priced)).toBe(off);
  expect(discountOf(priced, 'en')).toBe(english);
  expect(discountOf(priced, 'zh')).toBe(chinese);
});

test.each([
  [200, 200, 0],
  [50, 200, 75],
  [1, 1000, 99],
  [0, 200, 100],
  [0, 0, 0],
])('%i of %i left is %i per cent sold', (left, units, sold) => {
  expect(percentSold({ left, units })).toBe(sold);
});
