// One pool: its counters live, its movements, and what can be done to it.

import { useQuery } from '@tanstack/react-query';
import { Link, useSearchParams } from 'react-router';
import { API_ROOT, api, insist, read } from '../../api/client';
import type { MovementBody, PoolBody } from '../../api/wire';
import { formatMoment, formatNumber, formatSigned } from '../../i18n';
import { useStream } from '../../live/useStream';
import { inventoryKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { State, Title, When, wordFor } from '../parts/bits';
import { LiveDot } from '../parts/LiveDot';
import { type Column, PageTable } from '../parts/PageTable';
import { Read } from '../parts/states';
import { Tile } from '../parts/Tile';
import { useMay } from '../session/session';
import { useText } from '../text';
import { holdPath } from './Hold';

export default function Pool() {
  const [params] = useSearchParams();
  const name = params.get('name') ?? '';
  const query = useQuery({
    queryKey: inventoryKeys.counters(name),
    queryFn: read((signal) => api.GET('/inventory/pools/{name}', { params: { path: { name } }, signal })),
  });
  return <Read from={query}>{(pool) => <Page pool={pool} />}</Read>;
}

function Page({ pool: asked }: { pool: PoolBody }) {
  const { t, language } = useText();
  const { name } = asked;
  const { value, state } = useStream<PoolBody>(
    `${API_ROOT}/inventory/pools/${encodeURIComponent(name)}/events`,
    'counters',
  );
  const pool = value ?? asked;
  const change = (key: 'total' | 'available' | 'held' | 'taken'): Column<MovementBody> => ({
    key,
    title: t(`inv.${key}`),
    text: (row) => formatSigned(row[key], language),
    right: true,
  });
  const columns: Column<MovementBody>[] = [
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.at_ms, language),
      show: (row) => <When ms={row.at_ms} />,
    },
    { key: 'kind', title: t('inv.movement'), text: (row) => wordFor(t, 'move', row.kind) },
    change('total'),
    change('available'),
    change('held'),
    change('taken'),
    {
      key: 'hold',
      title: t('hold.one'),
      text: (row) => row.hold_id ?? '',
      show: (row) =>
        row.hold_id ? (
          <Link to={holdPath(row.hold_id)}>
            <code>{row.hold_id}</code>
          </Link>
        ) : (
          '—'
        ),
    },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason ?? '' },
    { key: 'by', title: t('col.by'), text: (row) => row.by ?? '' },
    { key: 'round', title: t('act.round'), text: (row) => String(row.round), right: true },
  ];
  return (
    <>
      <Title back={<Link to="/inventory">← {t('nav.inventory')}</Link>} extra={<Acts pool={pool} />}>
        {name} <State name={pool.state} />
      </Title>
      <LiveDot state={state} />
      <dl className="tiles gap-top">
        {(['total', 'available', 'held', 'taken'] as const).map((key) => (
          <Tile key={key} label={t(`inv.${key}`)} value={formatNumber(pool[key], language)} />
        ))}
        <Tile label={t('inv.ownerMax')} value={pool.owner_max === 0 ? t('unlimited') : pool.owner_max} />
      </dl>
      <p>
        <Link to={`/inventory/holds?pool=${encodeURIComponent(name)}`}>{t('hold.ofPool')}</Link>
      </p>
      <h2>{t('inv.movements')}</h2>
      <PageTable<MovementBody>
        queryKey={inventoryKeys.movements(name)}
        fetch={read((signal, page) =>
          api.GET('/inventory/pools/{name}/movements', { params: { path: { name }, query: page }, signal }),
        )}
        columns={columns}
        rowKey={(row) => `${row.seq} ${row.kind} ${row.hold_seq ?? ''}`}
        file="movements.csv"
      />
    </>
  );
}

function Acts({ pool }: { pool: PoolBody }) {
  const { t } = useText();
  const may = useMay();
  if (!may('changeStock')) return null;
  const params = { path: { name: pool.name } };
  const refresh = [inventoryKeys.pool(pool.name), inventoryKeys.pools];
  const set = (step: 'freeze' | 'thaw' | 'close', danger: boolean) => (
    <Act
      key={step}
      danger={danger}
      label={t(`inv.${step}`)}
      says={t(`inv.${step}Says`)}
      fields={[reasonField(t)]}
      refresh={refresh}
      done={t('saved')}
      run={(values, once) =>
        insist((signal) =>
          api.POST(`/inventory/pools/{name}/${step}`, {
            params,
            body: { id: once, reason: values.reason },
            signal,
          }),
        )
      }
    />
  );
  if (pool.state === 'closed') {
    return (
      <Act
        label={t('inv.reopen')}
        says={t('inv.reopenSays')}
        refresh={refresh}
        done={t('saved')}
        fields={[
          { name: 'total', label: t('inv.total'), kind: 'number', min: 0, initial: 0 },
          { name: 'max', label: t('inv.ownerMax'), kind: 'number', min: 0, initial: pool.owner_max },
          reasonField(t, true),
        ]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/inventory/pools/{name}/reopen', {
              params,
              body: {
                id: once,
                round: pool.round + 1,
                total: values.total,
                owner_max: values.max,
                reason: values.reason,
              },
              signal,
            }),
          )
        }
      />
    );
  }
  return (
    <>
      <Act
        label={t('inv.restock')}
        says={t('inv.restockSays')}
        refresh={refresh}
        done={t('saved')}
        fields={[{ name: 'quantity', label: t('inv.units'), kind: 'number', min: 1 }, reasonField(t)]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/inventory/pools/{name}/restock', {
              params,
              body: { id: once, quantity: values.quantity, reason: values.reason },
              signal,
            }),
          )
        }
      />
      <Act
        label={t('inv.adjust')}
        says={t('inv.adjustSays')}
        refresh={refresh}
        done={t('saved')}
        fields={[
          { name: 'delta', label: t('run.delta'), kind: 'number', help: t('run.deltaHelp') },
          reasonField(t),
        ]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/inventory/pools/{name}/adjust', {
              params,
              body: { id: once, delta: values.delta, reason: values.reason },
              signal,
            }),
          )
        }
      />
      <Act
        label={t('inv.limit')}
        says={t('inv.limitSays')}
        refresh={refresh}
        done={t('saved')}
        fields={[
          {
            name: 'max',
            label: t('inv.ownerMax'),
            kind: 'number',
            min: 0,
            initial: pool.owner_max,
            help: t('inv.ownerMaxHelp'),
          },
        ]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/inventory/pools/{name}/limit', {
              params,
              body: { id: once, owner_max: values.max },
              signal,
            }),
          )
        }
      />
      {pool.state === 'frozen' ? set('thaw', false) : set('freeze', true)}
      {set('close', true)}
    </>
  );
}
