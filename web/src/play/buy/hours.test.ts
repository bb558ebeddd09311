import { expect, test } from 'vitest';
import type { SaleBody } from '../../api/wire';
import { sessionsOf } from './hours';

const HOUR = 3_600_000;
const NOON = 12 * HOUR;
const sale = (id: string, from_ms: number, rest: Partial<SaleBody> = {}) =>
  ({ id, from_ms, until_ms: from_ms + HOUR, state: 'running', sold_out: false, ...rest }) as SaleBody;

test('what runs comes first, then each hour, then the last few that are over', () => {
  const sales = [
    sale('gone', NOON - 1, { sold_out: true }),
    sale('on', NOON - 1),
    sale('three', NOON + 3 * HOUR, { state: 'approved' }),
    sale('two late', NOON + 2.5 * HOUR, { state: 'approved' }),
    sale('two', NOON + 2 * HOUR, { state: 'approved' }),
    ...['a', 'b', 'c'].map((id) => sale(id, NOON - 5 * HOUR)),
  ];
  const found = sessionsOf(sales, NOON).map(({ key, sales }) => [key, sales.map(({ id }) => id)]);
  expect(found).toEqual([
    ['now', ['on', 'gone']],
    [NOON + 2 * HOUR, ['two', 'two late']],
    [NOON + 3 * HOUR, ['three']],
    ['over', ['a', 'b']],
  ]);
});

test('without sales there are no sessions', () => {
  expect(sessionsOf([], NOON)).toEqual([]);
});
