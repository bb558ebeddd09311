import { describe, expect, it } from 'vitest';
import { lookups } from './lookups';

describe('what a text may be', () => {
  it.each([
    ['', [], ['activity', 'phone']],
    ['wheel', ['activity', 'person', 'pool', 'codePool', 'hold'], ['phone', 'orderId']],
    ['13800000001', ['phone', 'orderId', 'personId', 'externalId'], []],
    ['+86 138-0000-0001', ['phone', 'person'], ['orderId']],
    ['7318349394477056', ['activityId', 'orderId', 'prizeId', 'letterId', 'treeId'], []],
    ['73183493944770561234', ['activity'], ['orderId', 'phone']],
  ])('%s', (text, among, without) => {
    expect(lookups(text)).toEqual(expect.arrayContaining(among));
    for (const one of without) expect(lookups(text)).not.toContain(one);
  });
});
