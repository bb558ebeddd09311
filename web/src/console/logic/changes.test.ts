import { describe, expect, it } from 'vitest';
import type { Say } from '../text';
import en from '../words/console.en';
import { fieldLabel, fieldValue, type Reading } from './changes';

const words: Record<string, string> = en;
const t = ((key: string, given: Record<string, unknown> = {}) => {
  const text = words[key] ?? words[`${key}_${given.count === 1 ? 'one' : 'other'}`];
  if (text === undefined) throw new Error(`no word ${key}`);
  return text.replace(/\{\{(\w+)\}\}/g, (_, name: string) => String(given[name]));
}) as Say;
const reading: Reading = {
  t,
  language: 'en',
  names: { 'prizes.3': 'Mug', 'pool.7': 'Tea', 'tree.9': 'Members' },
  whole: 1000,
  money: (minor) => `$${minor / 100}`,
  moment: (ms) => new Date(ms).toISOString().slice(0, 16),
};

describe('a change as people read it', () => {
  it.each([
    ['prizes.3.odds', 'Mug: chance'],
    ['tables.2.prizes.3.odds', 'Mug (step 2): chance'],
    ['tables.1.slices', 'Prizes that can be won (step 1)'],
    ['prizes.5.units', '#5: units'],
    ['budget.day_minor', 'Budget per day'],
    ['tree_version', 'Version of the rule tree'],
    ['sale.gate.room.per_second', 'Waiting room, people per second'],
  ])('%s is called %s', (field, label) => expect(fieldLabel(field, reading)).toBe(label));

  it.each([
    ['prizes.3.odds', '25', '2.5%'],
    ['prizes.3.cost_minor', '250', '$2.5'],
    ['prizes.3.claim_within_ms', '604800000', '7 days'],
    ['sale.hold_ms', '90000', '90 seconds'],
    ['prizes.3.grant', 'by_hand', 'by an operator'],
    ['prizes.3.grant', '1700000000000', '2023-11-14T22:13'],
    ['prizes.3.pool', '7', 'Tea'],
    ['prizes.3.unlock.current_counts', 'true', 'yes'],
    ['tree', '9', 'Members'],
    ['pity.prize', '3', 'Mug'],
    ['prizes', '3, 5', 'Mug, #5'],
    ['from', '2026-07-01T00:00:00Z', '2026-07-01T00:00'],
    [
      'prizes.3.release',
      '10 from 2026-07-01T00:00:00Z, 20 from 2026-07-01T01:00:00Z',
      '10 from 2026-07-01T00:00\n20 from 2026-07-01T01:00',
    ],
    ['entries', '100000', '100,000'],
    ['name', 'Spring wheel', 'Spring wheel'],
  ])('%s %s is %s', (field, text, value) => expect(fieldValue(field, text, reading)).toBe(value));
});
