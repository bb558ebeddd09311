// What I can do today, how far I have come, and my level.
import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { LevelBody, TaskBody } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { Head } from '../../play/parts/Head';
import { Empty, Failed, Loading } from '../../play/parts/states';
import { useText } from '../../play/text';
import { Reward, rewardText } from '../parts/Reward';
import { tasksRead } from '../reads';
import { isKnownTask, placeOf, standingOf } from '../tasks';
import styles from './Tasks.module.css';

export default function Tasks() {
  const { t } = useText();
  const query = useQuery(tasksRead);
  const tasks = query.data?.items.filter((task) => isKnownTask(task.behaviour)) ?? [];
  return (
    <>
      <Head title={t('tasks.title')} back="/me" />
      <p className="quiet">{t('tasks.text')}</p>
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && <Level level={query.data.level} />}
      {query.data && tasks.length === 0 && (
        <Empty title={t('tasks.empty')}>
          <p>{t('tasks.emptyText')}</p>
        </Empty>
      )}
      <ul className={styles.tasks}>
        {tasks.map((task) => (
          <li key={task.rule}>
            <Task task={task} />
          </li>
        ))}
      </ul>
      {tasks.length > 0 && <p className="quiet">{t('tasks.rules')}</p>}
    </>
  );
}

function Level({ level: { level, earned, next_at } }: { level: LevelBody }) {
  const { t, language } = useText();
  const number = (value: number) => formatNumber(value, language);
  return (
    <section className={styles.level} aria-label={t('tasks.level', { number: level })}>
      <h2>{t('tasks.level', { number: level })}</h2>
      <p>{t('tasks.earned', { number: number(earned) })}</p>
      {next_at != null ? (
        <>
          <progress max={next_at} value={earned} aria-hidden="true" />
          <small>{t('tasks.next', { number: number(next_at - earned), level: level + 1 })}</small>
        </>
      ) : (
        <small>{t('tasks.highest')}</small>
      )}
    </section>
  );
}

function Task({ task }: { task: TaskBody }) {
  const { t, language } = useText();
  if (!isKnownTask(task.behaviour)) return null;
  const standing = standingOf(task);
  return (
    <article className={`${styles.task} ${standing === 'open' ? '' : styles.over}`} aria-label={task.name}>
      <div className={styles.words}>
        <h2>{task.name}</h2>
        <p>{t(`tasks.how.${task.behaviour}`)}</p>
        <p className={styles.reward}>
          <Reward task={task} />
        </p>
        <small>
          {task.period !== 'each' &&
            `${t('tasks.progress', { done: Math.min(task.done, task.times), times: task.times })} `}
          {t(`tasks.period.${task.period}`)}
          {task.earned > 0 &&
            ` · ${t('tasks.had', { reward: rewardText(task.gives, task.earned, t, language) })}`}
        </small>
      </div>
      {standing === 'open' ? (
        <Link
          to={placeOf(task.behaviour)}
          className="button small primary"
          aria-label={t('tasks.goTo', { task: task.name })}
        >
          {t('tasks.go')}
        </Link>
      ) : (
        <span className={styles.mark}>{t(`tasks.${standing}`)}</span>
      )}
    </article>
  );
}
