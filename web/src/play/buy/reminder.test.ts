import { expect, it } from 'vitest';
import type { ReminderPage, SaleBody } from '../../api/wire';
import { withReminder } from './reminder';

const sale = { id: '7', name: 'Lamp', state: 'approved', from_ms: 1, until_ms: 2 } as SaleBody;
const other = { activity: '8' } as ReminderPage['items'][number];
const ids = (page: ReminderPage) => page.items.map(({ activity }) => activity);

it('a reminder is there once after it was asked for, and gone after it was taken back', () => {
  const none: ReminderPage = { items: [other] };
  const one = withReminder(none, sale, true);
  expect(ids(one)).toEqual(['7', '8']);
  expect(ids(withReminder(one, sale, true))).toEqual(['7', '8']);
  expect(ids(withReminder(one, sale, false))).toEqual(['8']);
  expect(ids(withReminder(none, sale, false))).toEqual(['8']);
});
