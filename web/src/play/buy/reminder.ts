import type { ReminderPage, SaleBody } from '../../api/wire';
import { serverNow } from '../../time/clock';

/** My reminders with one of this sale, or without it. */
export function withReminder(shown: ReminderPage, sale: SaleBody, on: boolean): ReminderPage {
  const others = shown.items.filter(({ activity }) => activity !== sale.id);
  if (!on) return { ...shown, items: others };
  const { id: activity, name, state, from_ms, until_ms } = sale;
  const mine = {
    activity,
    name,
    kind: 'sale' as const,
    state,
    from_ms,
    until_ms,
    made_at_ms: serverNow(),
    told: false,
  };
  return { ...shown, items: [mine, ...others] };
}
