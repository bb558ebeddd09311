import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import type { StatementRowBody } from '../../api/wire';
import { formatMoment, formatNumber, formatShort } from '../../i18n';
import { Chevron } from '../parts/art';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Empty, Failed, Loading } from '../parts/states';
import { pointsRead, statementRead } from '../reads';
import { type Say, useText } from '../text';

/** My points, and every row that led to them. */
export default function Points() {
  const { t, language } = useText();
  const points = useQuery(pointsRead);
  const statement = useInfiniteQuery(statementRead);
  const rows = statement.data?.pages.flatMap((page) => page.items) ?? [];
  const number = (value: number) => formatNumber(value, language);
  return (
    <>
      <Head title={t('points.title')} />
      {points.isPending && <Loading />}
      {!points.data && points.error && <Failed error={points.error} retry={() => void points.refetch()} />}
      {points.data && (
        <section className="balance" aria-label={t('points.balance')}>
          <p>{t('points.balance')}</p>
          <b>{number(points.data.balance)}</b>
          {points.data.expiring && (
            <small>
              {t('points.expiring', {
                points: number(points.data.expiring.points),
                when: formatMoment(points.data.expiring.at_ms, language),
              })}
            </small>
          )}
          {points.data.balance < 0 && <small>{t('points.owed')}</small>}
        </section>
      )}
      <ul className="links">
        <li>
          <Link to="/shop">
            {t('shop.link')}
            <Chevron />
          </Link>
        </li>
      </ul>
      <section className="section">
        <h2>{t('points.statement')}</h2>
        {!statement.data && statement.error && (
          <Failed error={statement.error} retry={() => void statement.refetch()} />
        )}
        {statement.data && rows.length === 0 && <Empty title={t('points.empty')} />}
        <ul className="rows">
          {rows.map((row) => (
            <li key={row.n} className="row">
              <span className="row-words">
                <b>{reasonText(row, t)}</b>
                <small>
                  {t(`points.kind.${row.kind}`)} · {formatShort(row.at_ms, language)}
                  {row.reversed_by != null && ` · ${t('points.reversed')}`}
                </small>
              </span>
              <span className={row.points < 0 ? 'amount minus' : 'amount plus'}>
                {row.points > 0 ? '+' : ''}
                {number(row.points)}
                <small>{number(row.balance)}</small>
              </span>
            </li>
          ))}
        </ul>
        <More query={statement} />
      </section>
    </>
  );
}

const REASONS = {
  won: 'points.won',
  'check_in.milestone': 'points.milestone',
  'check_in.make_up': 'points.makeUp',
} as const;

/** Why a row was posted: in the reader's language where the program gave the reason, else as somebody wrote it. */
function reasonText({ reason, kind }: StatementRowBody, t: Say): string {
  if (Object.hasOwn(REASONS, reason)) return t(REASONS[reason as keyof typeof REASONS]);
  return reason || t(`points.kind.${kind}`);
}
