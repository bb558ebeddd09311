// What I was given for what I did: points and chances by rule, newest first.
import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { GrantedBody } from '../../api/wire';
import { formatMoment, formatNumber, formatShort } from '../../i18n';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Empty, Failed, Loading } from '../parts/states';
import { grantsRead } from '../reads';
import { useText } from '../text';

export default function Grants() {
  const { t } = useText();
  const query = useInfiniteQuery(grantsRead);
  const rows = query.data?.pages.flatMap((page) => page.items) ?? [];
  return (
    <>
      <Head title={t('grants.title')} back="/me" />
      <p className="quiet">{t('grants.text')}</p>
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && rows.length === 0 && <Empty title={t('grants.empty')} />}
      <ul className="rows">
        {rows.map((row) => (
          <li key={row.id} className="row">
            <Granted row={row} />
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}

function Granted({ row }: { row: GrantedBody }) {
  const { t, language } = useText();
  const back = row.reversed_at_ms != null;
  return (
    <>
      <span className="row-words">
        <b>{row.rule_name}</b>
        <small>
          {formatShort(row.at_ms, language)}
          {row.expires_ms != null &&
            ` · ${t('grants.until', { when: formatMoment(row.expires_ms, language) })}`}
          {back && ` · ${t('grants.back')}${row.reason ? `: ${row.reason}` : ''}`}
        </small>
        {row.activity && <Link to={`/activities/${row.activity}`}>{t('grants.activity')}</Link>}
      </span>
      <span className={back ? 'amount minus' : 'amount plus'}>
        {t(`grants.${row.gives}`, { count: row.amount, number: formatNumber(row.amount, language) })}
      </span>
    </>
  );
}
