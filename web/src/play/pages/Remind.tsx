import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { api, ask } from '../../api/client';
import type { SaleBody } from '../../api/wire';
import { useText } from '../../i18n';
import { remindersRead } from '../buy/reads';
import { Refused } from '../parts/states';

/** "Remind me", before the start. */
export function Remind({ sale }: { sale: SaleBody }) {
  const { t } = useText();
  const client = useQueryClient();
  const { data } = useQuery(remindersRead(true));
  const set = data?.items.some((reminder) => reminder.activity === sale.id) ?? false;
  const turn = useMutation({
    mutationFn: (on: boolean) => {
      const params = { path: { id: sale.id } };
      return ask((signal) =>
        on
          ? api.PUT('/activities/{id}/reminder', { signal, params })
          : api.DELETE('/activities/{id}/reminder', { signal, params }),
      );
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['mine', 'reminders'] }),
  });
  return (
    <>
      <button
        type="button"
        className={set ? 'button wide' : 'button primary wide big'}
        disabled={!data || turn.isPending}
        aria-pressed={set}
        onClick={() => turn.mutate(!set)}
      >
        {t(set ? 'remind.off' : 'remind.on')}
      </button>
      <p className="quiet" role="status">
        {set ? t('remind.set') : ''}
      </p>
      <Refused error={turn.error} />
    </>
  );
}
