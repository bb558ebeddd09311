import { Link } from 'react-router';
import type { TaskBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { type Say, useText } from '../../play/text';

/** So many points or chances, in words. */
export function rewardText(
  gives: string,
  amount: number,
  t: Say,
  language: Parameters<typeof formatNumber>[1],
) {
  const number = formatNumber(amount, language);
  return t(gives === 'chances' ? 'tasks.chances' : 'tasks.points', { count: amount, number });
}

/** What a task gives, and for which activity. */
export function Reward({ task }: { task: TaskBody }) {
  const { t, language } = useText();
  const name = (language === 'en' && task.activity_name_en) || task.activity_name;
  return (
    <>
      <b>{`+${rewardText(task.gives, task.amount, t, language)}`}</b>
      {task.activity && name && (
        <>
          {' '}
          <Link to={`/activities/${task.activity}`}>{t('tasks.of', { activity: name })}</Link>
        </>
      )}
    </>
  );
}
