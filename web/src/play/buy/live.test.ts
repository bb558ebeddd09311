import { expect, it } from 'vitest';
import type { SaleBody, SaleLiveBody } from '../../api/wire';
import { withLive } from './live';

const sale = {
  id: '1',
  units: 20,
  left: 9,
  sold_out: false,
  state: 'running',
  until_ms: 50,
  version: 2,
  server_ms: 10,
};
const live = { units: 25, left: 0, sold_out: true, state: 'paused', until_ms: 60, version: 2, server_ms: 11 };

it.each([
  ['what is told changes what is shown', {}, { ...sale, ...live }],
  ['what is older does not', { server_ms: 9 }, sale],
  ['nor does another version: its price is not known yet', { version: 3 }, sale],
])('%s', (_, part, expected) => {
  expect(withLive(sale as unknown as SaleBody, { ...live, ...part } as SaleLiveBody)).toEqual(expected);
});
