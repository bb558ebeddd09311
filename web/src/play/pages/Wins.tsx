import { useState } from 'react';
import { Link } from 'react-router';
import { usePolledList } from '../../api/polled';
import { formatShort } from '../../i18n';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Empty, Failed, Loading } from '../parts/states';
import { winsList } from '../reads';
import { useText } from '../text';
import { sortedWins, WIN_FILTERS, type WinFilter } from '../wins';
import { GivenCard } from './GivenCard';

/** Everything I won, and what is to be done about it. */
export default function Wins() {
  const { t, language } = useText();
  const { query, rows: wins } = usePolledList(winsList);
  const [filter, setFilter] = useState<WinFilter>('all');
  const shown = sortedWins(wins, filter);
  return (
    <>
      <Head title={t('wins.title')} />
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && wins.length === 0 && (
        <Empty title={t('wins.empty')}>
          <Link to="/" className="button">
            {t('wins.play')}
          </Link>
        </Empty>
      )}
      {wins.length > 0 && (
        <fieldset className="views">
          <legend className="unseen">{t('wins.filter')}</legend>
          {WIN_FILTERS.map((one) => (
            <label key={one}>
              <input type="radio" name="filter" checked={one === filter} onChange={() => setFilter(one)} />
              <span>{t(`wins.filter.${one}`)}</span>
            </label>
          ))}
        </fieldset>
      )}
      {wins.length > 0 && shown.length === 0 && <p className="quiet">{t('wins.noneOfThese')}</p>}
      <ul className="wins">
        {shown.map((win) => (
          <li key={win.id} className="card win">
            <GivenCard
              id={win.id}
              thing={win.prize}
              from={`${win.activity_name} · ${formatShort(win.at_ms, language)}`}
              giving={win.giving}
              code={win.code ?? undefined}
            />
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}
