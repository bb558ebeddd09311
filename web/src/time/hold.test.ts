import { expect, it } from 'vitest';
import { holdOf } from './hold';

const made = 1_000_000;
const quarter = 900_000;

it.each([
  ['just made', quarter, 0, { share: 1, urgent: false, over: false }],
  ['before it was made, by a clock that is off', quarter, -5000, { share: 1, urgent: false, over: false }],
  ['half of it', quarter, 450_000, { share: 0.5, urgent: false, over: false }],
  ['just before the last minute', quarter, 839_999, { share: 60_001 / quarter, urgent: false, over: false }],
  ['the last minute', quarter, 840_000, { share: 60_000 / quarter, urgent: true, over: false }],
  ['the last millisecond', quarter, 899_999, { share: 1 / quarter, urgent: true, over: false }],
  ['too late', quarter, 900_000, { share: 0, urgent: false, over: true }],
  ['long ago', quarter, 9_000_000, { share: 0, urgent: false, over: true }],
  ['a short hold, most of it', 10_000, 7000, { share: 0.3, urgent: false, over: false }],
  ['a short hold, its last fifth', 10_000, 8000, { share: 0.2, urgent: true, over: false }],
  ['no time at all', 0, 0, { share: 0, urgent: false, over: true }],
])('the time to pay: %s', (_, hold, after, expected) => {
  expect(holdOf(made, made + hold, made + after)).toEqual(expected);
});
