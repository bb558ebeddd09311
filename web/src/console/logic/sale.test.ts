import { describe, expect, it } from 'vitest';
import type { ActivityForm } from '../../api/wire';
import { draftOf, formOf, newDraft, stepOf, stepsOf } from './draft';
import { newSale, pictureAddress, saleDraftOf, saleFormOf } from './sale';

const SALE: ActivityForm = {
  name: 'Noon sale',
  description: 'Two hundred teapots',
  from: 1_800_000_000_000,
  until: 1_800_000_600_000,
  zone: 'Asia/Shanghai',
  kind: 'sale',
  sale: {
    item: 'code',
    pool: '42',
    name: 'Clay teapot',
    details: 'From Yixing',
    pictures: ['117093590311632896', 'https://example.com/pot.jpg', '🫖'],
    price_minor: 9900,
    currency: 'CNY',
    units: 200,
    per_user: 2,
    hold_s: 600,
    policy: 'at_payment',
    gate: { captcha: true, room: { per_second: 50 } },
  },
};

describe('a sale in the wizard', () => {
  it('comes out as it went in, with nothing that is for draws', () => {
    expect(formOf(draftOf(SALE))).toEqual(SALE);
  });

  it('tried as a draw and back loses nothing', () => {
    const turned = { ...draftOf(SALE), kind: 'instant' as const };
    expect(formOf(turned)).not.toHaveProperty('sale');
    expect(formOf({ ...turned, kind: 'sale' })).toEqual(SALE);
  });

  it.each([
    ['no limit per person', { perUser: null }, { per_user: 0 }],
    ['no waiting room', { roomPerSecond: null, captcha: false }, { gate: { captcha: false } }],
    ['a parcel has no pool', { item: 'parcel' as const, pool: '42' }, { item: 'parcel' }],
    ['letters of money are capitals', { currency: ' usd ' }, { currency: 'USD' }],
    ['empty pictures are none', { pictures: [' ', '🫖'] }, { pictures: ['🫖'] }],
  ])('%s', (_, part, expected) => {
    const form = saleFormOf({ ...newSale(), ...part });
    expect(form).toMatchObject(expected);
    if ('item' in part) expect(form).not.toHaveProperty('pool');
  });

  it('goes by the activity’s name unless it has its own', () => {
    expect(saleFormOf(newSale())).not.toHaveProperty('name');
    const form = { ...saleFormOf(newSale()), name: 'Tea' };
    expect(saleDraftOf(form, 'Tea').name).toBe('');
    expect(saleDraftOf(form, 'Noon').name).toBe('Tea');
  });

  it('has steps of its own, and every flaw its step', () => {
    expect(stepsOf('sale')).toEqual(['basics', 'goods', 'selling', 'look']);
    expect(stepsOf(newDraft(0, 'UTC').kind)).toContain('odds');
    for (const [field, step] of [
      ['sale', 'goods'],
      ['sale.pool', 'goods'],
      ['sale.pictures[2]', 'goods'],
      ['sale.price_minor', 'selling'],
      ['sale.gate.room.per_second', 'selling'],
      ['sale.units', 'selling'],
      ['until', 'basics'],
    ] as const)
      expect(stepOf(field), field).toBe(step);
  });
});

it.each([
  ['117093590311632896', '/api/v1/pictures/117093590311632896?width=320'],
  ['https://example.com/pot.jpg', 'https://example.com/pot.jpg'],
  ['🫖', undefined],
])('a picture %s is seen at %s', (picture, address) => {
  expect(pictureAddress(picture)).toBe(address);
});
