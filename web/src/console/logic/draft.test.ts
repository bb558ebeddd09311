import { describe, expect, it } from 'vitest';
import type { ActivityForm } from '../../api/wire';
import { type Draft, draftOf, formOf, newDraft, newPrize, stepOf, withCopy, withoutPrize } from './draft';

/** As the server writes it: everything it knows, and nothing that is not set. */
const WHEEL = {
  name: '春日大转盘',
  description: 'Thirty spins a day.',
  from: 1_794_776_108_174,
  until: 1_797_368_108_174,
  zone: 'Asia/Shanghai',
  kind: 'instant',
  game: 'reels',
  ten: true,
  entries: 5000,
  chances: { total: 300, day: 30 },
  tree: '380460736377257985',
  whole: 1_000_000,
  mode: 'renormalised',
  prizes: [
    {
      id: 0,
      name: 'Phone',
      slot: 0,
      odds: 20,
      units: 10,
      cost_minor: 599_900,
      kind: 'parcel',
      details: '',
      picture: '📱',
      grant: 'by_hand',
      claim_within: '30d',
      unlock: { draws: 5, scope: 'today', current_counts: false },
      win_cap: 1,
      release: [{ at: 1_794_776_108_174, units: 3 }],
      hourly_cap: 2,
      withdrawn_for: ['bot', 'chargeback'],
    },
    {
      id: 4,
      name: 'Code',
      slot: 3,
      odds: 7,
      units: 9,
      cost_minor: 0,
      kind: 'code',
      details: 'd',
      picture: '',
      grant: 1_795_000_000_000,
      pool: '77',
    },
    {
      id: 7,
      name: 'Points',
      unlimited: true,
      cost_minor: 0,
      kind: 'points',
      amount: 5,
      details: '',
      picture: '',
      grant: 'now',
    },
  ],
  tiers: { by: 'points_spent', steps: [{ from: 100, odds: [{ prize: 0, odds: 40 }] }] },
  consolation: 7,
  fallback: { prize: 7, amount_min: 1, amount_max: 20, budget_amount: 2_000_000 },
  pity: { prize: 7, misses: 9 },
  budget: { total_minor: 5_000_000, day_minor: 500_000 },
  miss_slot: 8,
} as unknown as ActivityForm;

const RAFFLE = {
  name: 'Raffle',
  description: '',
  from: 1,
  until: 2,
  zone: 'UTC',
  kind: 'raffle',
  draw_at: 3,
  beacon: 'dice on stage',
  chances: { total: 5 },
  whole: 1_000_000,
  mode: 'fixed',
  prizes: [{ id: 0, name: 'Bicycle', units: 10, kind: 'parcel', details: '', picture: '', grant: 'now' }],
} as unknown as ActivityForm;

describe('an activity while it is written', () => {
  it.each([
    ['a wheel with every rule', WHEEL],
    ['a raffle', RAFFLE],
  ])('%s comes back as it was', (_, form) => {
    expect(formOf(draftOf(form))).toEqual(form);
  });

  it('leaves out of a raffle what is for draws only, and of a text what is counted', () => {
    const turned = formOf({ ...draftOf(WHEEL), kind: 'raffle' }) as unknown as Record<string, unknown>;
    for (const field of ['ten', 'tiers', 'consolation', 'fallback', 'pity', 'budget', 'miss_slot']) {
      expect(turned, field).not.toHaveProperty(field);
    }
    const [phone] = turned.prizes as Record<string, unknown>[];
    for (const field of [
      'slot',
      'odds',
      'unlimited',
      'unlock',
      'win_cap',
      'release',
      'hourly_cap',
      'cost_minor',
    ]) {
      expect(phone, field).not.toHaveProperty(field);
    }
    const points = draftOf(WHEEL).prizes[2];
    const asText = formOf({ ...draftOf(WHEEL), prizes: points ? [{ ...points, kind: 'text' }] : [] });
    expect(asText.prizes?.[0]).not.toHaveProperty('amount');
  });

  it('begins at the next full hour, with nothing to win', () => {
    const draft = newDraft(3_600_001, 'UTC');
    expect([draft.from, draft.until, draft.prizes]).toEqual([7_200_000, 7_200_000 + 7 * 86_400_000, []]);
  });

  it('gives a new prize an id that none has', () => {
    const { prizes } = draftOf(WHEEL);
    expect(newPrize(prizes).id).toBe(8);
    expect(newPrize([]).id).toBe(0);
  });

  it('takes a prize out together with the rules that name it', () => {
    const draft: Draft = withoutPrize(draftOf(WHEEL), 7);
    expect(draft.prizes.map(({ id }) => id)).toEqual([0, 4]);
    expect([draft.consolation, draft.fallback, draft.pity]).toEqual([null, null, null]);
    expect(withoutPrize(draftOf(WHEEL), 0).tiers).toEqual([{ from: 100, odds: [] }]);
  });

  it('puts a copy behind a prize, with an id of its own and without its odds', () => {
    const draft = withCopy(draftOf(WHEEL), 0, 'Phone again');
    expect(draft.prizes.map(({ id, name }) => [id, name]).slice(0, 3)).toEqual([
      [0, 'Phone'],
      [8, 'Phone again'],
      [4, 'Code'],
    ]);
    const [phone, copy] = draft.prizes;
    expect(copy).toEqual({ ...phone, id: 8, name: 'Phone again', slot: null, odds: 0 });
    expect(copy?.release).not.toBe(phone?.release);
    expect(withCopy(draftOf(WHEEL), 99, 'x').prizes.length).toBe(3);
  });

  it.each([
    ['name', 'basics'],
    ['game', 'basics'],
    ['tree', 'basics'],
    ['chances.day', 'basics'],
    ['prizes', 'prizes'],
    ['prizes[1].units', 'prizes'],
    ['prizes[1].odds', 'odds'],
    ['tiers.steps[0].odds[1]', 'odds'],
    ['prizes[2].unlock.draws', 'rules'],
    ['fallback.prize', 'rules'],
    ['prizes[2].release[0]', 'pacing'],
    ['budget.day_minor', 'pacing'],
  ])('a flaw of %s is shown at %s', (field, step) => {
    expect(stepOf(field)).toBe(step);
  });
});
