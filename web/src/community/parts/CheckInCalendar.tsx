// A month of check-ins. A missed day that can be made up is a button.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { CheckInBody } from '../../api/wire';
import { Back } from '../../play/parts/art';
import { Failed, Loading } from '../../play/parts/states';
import { useText } from '../../play/text';
import { dayText, monthAfter, monthText, weekdays, weeksOf } from '../calendar';
import { checkInRead } from '../reads';
import styles from './CheckInCalendar.module.css';

interface Props {
  /** The current month. */
  today: CheckInBody;
  onMissed(day: string): void;
}

export function CheckInCalendar({ today, onMissed }: Props) {
  const { t, language } = useText();
  const [chosen, setMonth] = useState<string>();
  const month = chosen ?? today.month;
  const other = useQuery({ ...checkInRead(month), enabled: month !== today.month });
  const shown = month === today.month ? today : other.data;
  return (
    <section className="section" aria-label={t('checkIn.calendar')}>
      <div className={styles.head}>
        <button
          type="button"
          className="icon-button"
          aria-label={t('checkIn.before')}
          disabled={month <= today.since.slice(0, 7)}
          onClick={() => setMonth(monthAfter(month, -1))}
        >
          <Back />
        </button>
        <h2 aria-live="polite">{monthText(month, language)}</h2>
        <button
          type="button"
          className={`icon-button ${styles.forth}`}
          aria-label={t('checkIn.after')}
          disabled={month >= today.month}
          onClick={() => setMonth(monthAfter(month, 1))}
        >
          <Back />
        </button>
      </div>
      {!shown && other.error && <Failed error={other.error} retry={() => void other.refetch()} />}
      {!shown && !other.error && <Loading />}
      {shown && <Month month={month} shown={shown} today={today} onMissed={onMissed} />}
      <ul className={styles.legend}>
        <li>
          <i className={styles.checked} aria-hidden="true" />
          {t('checkIn.legend')}
        </li>
        <li>
          <i className={styles.madeUp} aria-hidden="true" />
          {t('checkIn.legendMadeUp')}
        </li>
        {today.make_up.days.length > 0 && (
          <li>
            <i className={styles.missed} aria-hidden="true" />
            {t('checkIn.legendMissed')}
          </li>
        )}
      </ul>
    </section>
  );
}

function Month({ month, shown, today, onMissed }: Props & { month: string; shown: CheckInBody }) {
  const { language } = useText();
  const checked = new Map(shown.days.map((one) => [one.day, one.made_up]));
  return (
    <table className={styles.month}>
      <thead>
        <tr>
          {weekdays(language).map(({ short, long }) => (
            <th key={long} scope="col" abbr={long}>
              {short}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {weeksOf(month).map((week, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a week has nothing but its place in the month
          <tr key={place}>
            {week.map((day, weekday) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: and a day but its place in the week
              <td key={weekday}>
                {day && <Day day={day} madeUp={checked.get(day)} today={today} onMissed={onMissed} />}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Day({
  day,
  madeUp,
  today,
  onMissed,
}: {
  day: string;
  /** Nothing where nobody checked in. */
  madeUp: boolean | undefined;
  today: CheckInBody;
  onMissed(day: string): void;
}) {
  const { t, language } = useText();
  const number = Number(day.slice(-2));
  const words = dayText(day, language);
  if (madeUp === undefined && today.make_up.days.includes(day))
    return (
      <button
        type="button"
        className={`${styles.day} ${styles.missed}`}
        aria-label={t('makeUp.do', { day: words })}
        onClick={() => onMissed(day)}
      >
        {number}
      </button>
    );
  const isToday = day === today.today;
  const look = madeUp === undefined ? '' : madeUp ? styles.madeUp : styles.checked;
  const says =
    madeUp !== undefined
      ? t(madeUp ? 'checkIn.dayMadeUp' : 'checkIn.day', { day: words })
      : isToday
        ? t('checkIn.dayToday', { day: words })
        : day < today.today && day >= today.since
          ? t('checkIn.dayMissed', { day: words })
          : words;
  return (
    <span className={`${styles.day} ${look} ${isToday ? styles.today : ''}`}>
      <span aria-hidden="true">{number}</span>
      <span className="unseen">{says}</span>
    </span>
  );
}
