import { Link } from 'react-router';
import { api, read } from '../../api/client';
import { holdStateValues } from '../../api/schema.gen';
import type { HoldListedBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { inventoryKeys } from '../keys';
import { State, stateWord, Title, When } from '../parts/bits';
import { queryOf, Search, StateChoice, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useText } from '../text';
import { holdPath } from './Hold';
import { poolPath } from './Inventory';

/** Holds, newest first: by pool, by owner, by where they stand. Each leads to its life. */
export default function Holds() {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const names = ['state', 'owner', 'pool'] as const;
  const columns: Column<HoldListedBody>[] = [
    {
      key: 'id',
      title: t('col.id'),
      text: (row) => row.id,
      show: (row) => (
        <Link to={holdPath(row.id)}>
          <code>{row.id}</code>
        </Link>
      ),
    },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => <State name={row.state} />,
    },
    { key: 'owner', title: t('hold.owner'), text: (row) => row.owner ?? '' },
    {
      key: 'lines',
      title: t('hold.units'),
      text: (row) =>
        row.lines.map((line) => `${formatNumber(line.quantity, language)} × ${line.pool ?? '…'}`).join(', '),
      show: (row) => (
        <ul className="lines">
          {row.lines.map((line, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a pool has no name for a moment after a restart
            <li key={at}>
              {formatNumber(line.quantity, language)} ×{' '}
              {line.pool ? <Link to={poolPath(line.pool)}>{line.pool}</Link> : '…'}
            </li>
          ))}
        </ul>
      ),
    },
    {
      key: 'made',
      title: t('hold.made'),
      text: (row) => (row.made_ms == null ? '' : formatMoment(row.made_ms, language)),
      show: (row) => <When ms={row.made_ms} />,
    },
    {
      key: 'due',
      title: t('hold.due'),
      text: (row) => (row.due_ms == null ? '' : formatMoment(row.due_ms, language)),
      show: (row) => <When ms={row.due_ms} />,
    },
  ];
  return (
    <>
      <Title back={<Link to="/inventory">← {t('nav.inventory')}</Link>}>{t('hold.all')}</Title>
      <PageTable<HoldListedBody>
        queryKey={inventoryKeys.holdRows(queryOf(get, names))}
        fetch={read((signal, page) =>
          api.GET('/inventory/holds', { params: { query: { ...page, ...queryOf(get, names) } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="holds.csv"
        empty={t('hold.none')}
        filters={
          <>
            <StateChoice
              states={holdStateValues}
              value={get('state')}
              change={(value) => set('state', value)}
            />
            <Search label={t('hold.owner')} value={get('owner')} change={(text) => set('owner', text)} />
            <Search label={t('hold.pool')} value={get('pool')} change={(text) => set('pool', text)} />
          </>
        }
      />
    </>
  );
}
