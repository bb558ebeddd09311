import { useQuery } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import { useOptimistic } from '../../api/optimistic';
import type { ReminderPage, SaleBody } from '../../api/wire';
import { ofBoth } from '../../i18n/texts';
import { remindersRead } from '../buy/reads';
import { withReminder } from '../buy/reminder';
import { myKeys } from '../keys';
import { Refused } from '../parts/states';
import { siteRead } from '../reads';
import { useText } from '../text';

/** "Remind me", before the start. `first`: there is nothing better to do. */
export function Remind({ sale, first }: { sale: SaleBody; first: boolean }) {
  const { t, language } = useText();
  const { data: site } = useQuery(siteRead);
  const channel = site ? ofBoth(site.reminders, language) : '';
  const { data } = useQuery(remindersRead(true));
  const set = data?.items.some((reminder) => reminder.activity === sale.id) ?? false;
  const turn = useOptimistic({
    queryKey: myKeys.reminders,
    send: (on: boolean) => {
      const params = { path: { id: sale.id } };
      return ask((signal) =>
        on
          ? api.PUT('/activities/{id}/reminder', { signal, params })
          : api.DELETE('/activities/{id}/reminder', { signal, params }),
      );
    },
    apply: (shown: ReminderPage, on) => withReminder(shown, sale, on),
  });
  return (
    <>
      <button
        type="button"
        className={set || !first ? 'button wide' : 'button primary wide big'}
        disabled={!data || turn.isPending}
        aria-pressed={set}
        onClick={() => turn.mutate(!set)}
      >
        {t(set ? 'remind.off' : 'remind.on')}
      </button>
      <p className="quiet" role="status">
        {set ? (channel ? t('remind.by', { channel }) : t('remind.set')) : ''}
      </p>
      <Refused error={turn.error} />
    </>
  );
}
