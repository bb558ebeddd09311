import { api, ask, insist, read } from '../../api/client';
import type { PointsBody, StatementRowBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { approvalKeys, userKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { When, wordFor } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { Tile } from '../parts/Tile';
import { useMay, useMe } from '../session/session';
import { useText } from '../text';

/** The balance and every row that led to it. Rows are added and never changed. */
export function UserPoints({ id, points }: { id: string; points: PointsBody }) {
  const { t, language } = useText();
  const may = useMay();
  const me = useMe();
  const adjusts = may('adjustPoints') && me.id !== id;
  const refresh = [userKeys.one(id), approvalKeys.all];
  const params = { path: { id } };
  const columns: Column<StatementRowBody>[] = [
    { key: 'n', title: '#', text: (row) => String(row.n), right: true },
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.at_ms, language),
      show: (row) => <When ms={row.at_ms} />,
    },
    { key: 'kind', title: t('col.kind'), text: (row) => wordFor(t, 'row', row.kind) },
    {
      key: 'points',
      title: t('kind.points'),
      text: (row) =>
        row.points > 0 ? `+${formatNumber(row.points, language)}` : formatNumber(row.points, language),
      right: true,
    },
    {
      key: 'balance',
      title: t('user.balance'),
      text: (row) => formatNumber(row.balance, language),
      right: true,
    },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason },
    {
      key: 'expires',
      title: t('user.expires'),
      text: (row) => (row.expires_ms ? formatMoment(row.expires_ms, language) : ''),
      show: (row) => <When ms={row.expires_ms} />,
    },
  ];
  if (adjusts) {
    columns.push({
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) =>
        row.reversed_by != null ? (
          t('user.reversedBy', { n: row.reversed_by })
        ) : row.kind === 'credit' || row.kind === 'spend' ? (
          <Act
            link
            danger
            label={t('user.reverse')}
            says={t('user.reverseSays', { n: row.n })}
            fields={[reasonField(t)]}
            refresh={refresh}
            run={(values) =>
              ask((signal) =>
                api.POST('/admin/users/{id}/points/{n}/reverse', {
                  params: { path: { id, n: row.n } },
                  body: { reason: values.reason },
                  signal,
                }),
              )
            }
            outcome={(told) => <p>{t('approval_id' in told ? 'user.reverseAsked' : 'user.reversed')}</p>}
          />
        ) : (
          '—'
        ),
    });
  }
  return (
    <>
      <div className="row-between gap-bottom">
        <dl className="tiles">
          <Tile
            label={t('user.balance')}
            value={formatNumber(points.balance, language)}
            bad={points.balance < 0}
          />
          {points.expiring && (
            <Tile
              label={t('user.expiring')}
              value={formatNumber(points.expiring.points, language)}
              note={formatMoment(points.expiring.at_ms, language)}
            />
          )}
        </dl>
        {adjusts && (
          <Act
            label={t('user.adjust')}
            says={t('user.adjustSays')}
            refresh={refresh}
            fields={[
              { name: 'points', label: t('user.pointsMore'), kind: 'number', help: t('user.pointsHelp') },
              reasonField(t),
            ]}
            run={(values, once) =>
              insist((signal) =>
                api.POST('/admin/users/{id}/points', {
                  params: { ...params, header: { 'Idempotency-Key': once } },
                  body: { points: values.points, reason: values.reason },
                  signal,
                }),
              )
            }
            outcome={(told) => (
              <p>
                {'approval_id' in told
                  ? t('user.adjustAsked')
                  : t('user.adjusted', { balance: formatNumber(told.balance, language) })}
              </p>
            )}
          />
        )}
      </div>
      <PageTable<StatementRowBody>
        queryKey={userKeys.statement(id)}
        fetch={read((signal, page) =>
          api.GET('/admin/users/{id}/points/statement', { params: { path: { id }, query: page }, signal }),
        )}
        columns={columns}
        rowKey={(row) => String(row.n)}
        file="points.csv"
      />
    </>
  );
}
