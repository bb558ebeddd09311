// Checking in: the streak, today's reward, the calendar of a month, missed days, milestones.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask } from '../../api/client';
import type { CheckInBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { myKeys } from '../../play/keys';
import { Dialog } from '../../play/parts/Dialog';
import { Head } from '../../play/parts/Head';
import { Failed, Loading, Refused } from '../../play/parts/states';
import { useText } from '../../play/text';
import { dayText } from '../calendar';
import { communityKeys } from '../keys';
import { CheckInCalendar } from '../parts/CheckInCalendar';
import { Reward } from '../parts/Reward';
import { checkInRead, tasksRead } from '../reads';
import styles from './CheckIn.module.css';

export default function CheckIn() {
  const { t } = useText();
  const query = useQuery(checkInRead());
  return (
    <>
      <Head title={t('checkIn.title')} back="/me/tasks" />
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <Today now={query.data} />}
    </>
  );
}

/** What changed with a check-in: days, points, and in a moment what the rules give for it. */
function useChanged() {
  const client = useQueryClient();
  return () => {
    void client.invalidateQueries({ queryKey: communityKeys.checkIns });
    void client.invalidateQueries({ queryKey: communityKeys.tasks });
    void client.invalidateQueries({ queryKey: myKeys.points });
  };
}

function Today({ now }: { now: CheckInBody }) {
  const { t } = useText();
  const changed = useChanged();
  const [missed, setMissed] = useState<string>();
  const checkIn = useMutation({
    mutationFn: () => ask((signal) => api.POST('/me/check-in', { signal })),
    onSuccess: changed,
  });
  const done = now.checked_in || checkIn.isSuccess;
  return (
    <>
      <section className={styles.today} aria-label={t('checkIn.title')}>
        <Streak days={now.streak} done={done} />
        <button
          type="button"
          className={`button primary wide ${styles.press}`}
          disabled={done || checkIn.isPending}
          onClick={() => checkIn.mutate()}
        >
          {done ? t('checkIn.done') : t('checkIn.now')}
        </button>
        <Refused error={checkIn.error} />
        <Worth done={done} />
      </section>
      <Milestones now={now} />
      <CheckInCalendar today={now} onMissed={setMissed} />
      {missed && <MakeUp day={missed} now={now} onClose={() => setMissed(undefined)} />}
    </>
  );
}

function Streak({ days, done }: { days: number; done: boolean }) {
  const { t, language } = useText();
  return (
    <div className={styles.streak} role="status">
      <b aria-hidden="true">{formatNumber(days, language)}</b>
      <div>
        <h2>
          {days > 0
            ? t('checkIn.streak', { count: days, number: formatNumber(days, language) })
            : t('checkIn.none')}
        </h2>
        <p>{done ? t('checkIn.tomorrow') : days > 0 ? t('checkIn.keep') : t('checkIn.hint')}</p>
      </div>
    </div>
  );
}

/** What the rules give for checking in today. */
function Worth({ done }: { done: boolean }) {
  const { t } = useText();
  const tasks = useQuery(tasksRead).data?.items.filter((task) => task.behaviour === 'check_in') ?? [];
  const shown = tasks.filter((task) => (task.done > 0 ? done : task.open));
  if (shown.length === 0) return null;
  return (
    <div className={styles.worth}>
      <p>{shown.every((task) => task.done > 0) ? t('checkIn.gave') : t('checkIn.gives')}</p>
      <ul>
        {shown.map((task) => (
          <li key={task.rule}>
            <Reward task={task} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function Milestones({ now }: { now: CheckInBody }) {
  const { t, language } = useText();
  if (now.milestones.length === 0) return null;
  const number = (value: number) => formatNumber(value, language);
  return (
    <section className="section">
      <h2>{t('checkIn.milestones')}</h2>
      <ol className={styles.milestones}>
        {now.milestones.map(({ days, points, reached }) => (
          <li key={days} className={reached ? styles.reached : undefined}>
            <b>{t('checkIn.milestone', { count: days, number: number(days) })}</b>
            <span>{t('tasks.points', { count: points, number: number(points) })}</span>
            <progress max={days} value={reached ? days : Math.min(now.streak, days)} aria-hidden="true" />
            {reached && <small>{t('checkIn.reached')}</small>}
          </li>
        ))}
      </ol>
    </section>
  );
}

function MakeUp({ day, now, onClose }: { day: string; now: CheckInBody; onClose(): void }) {
  const { t, language } = useText();
  const changed = useChanged();
  const makeUp = useMutation({
    mutationFn: () => ask((signal) => api.POST('/me/check-in/make-up', { signal, body: { day } })),
    onSuccess: () => {
      changed();
      onClose();
    },
  });
  const points = formatNumber(now.make_up.points, language);
  const costs = now.make_up.points > 0;
  return (
    <Dialog title={t('makeUp.do', { day: dayText(day, language) })} onClose={onClose}>
      <p>{costs ? t('makeUp.text', { points }) : t('makeUp.free')}</p>
      <p className="quiet">{t('makeUp.left', { count: now.make_up.left })}</p>
      <Refused error={makeUp.error} />
      <button
        type="button"
        className="button primary wide"
        disabled={makeUp.isPending}
        onClick={() => makeUp.mutate()}
      >
        {costs ? t('makeUp.pay', { points }) : t('makeUp.take')}
      </button>
    </Dialog>
  );
}
