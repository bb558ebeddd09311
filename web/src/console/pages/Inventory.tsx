import { Link } from 'react-router';
import { api, insist, read } from '../../api/client';
import type { PoolBody } from '../../api/wire';
import { inventoryKeys } from '../keys';
import { Act } from '../parts/Act';
import { Count, State, stateWord, Title } from '../parts/bits';
import { queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

/** Names have slashes; as a query they stay readable. */
export const poolPath = (name: string) => `/inventory/pool?name=${encodeURIComponent(name)}`;

export default function Inventory() {
  const { t } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const number = (key: 'total' | 'available' | 'held' | 'taken'): Column<PoolBody> => ({
    key,
    title: t(`inv.${key}`),
    text: (row) => String(row[key]),
    show: (row) => <Count n={row[key]} />,
    right: true,
  });
  const columns: Column<PoolBody>[] = [
    {
      key: 'name',
      title: t('col.name'),
      text: (row) => row.name,
      show: (row) => <Link to={poolPath(row.name)}>{row.name}</Link>,
    },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => <State name={row.state} />,
    },
    number('total'),
    number('available'),
    number('held'),
    number('taken'),
    {
      key: 'max',
      title: t('inv.ownerMax'),
      text: (row) => (row.owner_max === 0 ? '—' : String(row.owner_max)),
      right: true,
    },
    { key: 'round', title: t('act.round'), text: (row) => String(row.round), right: true },
  ];
  return (
    <>
      <Title
        extra={
          may('changeStock') && (
            <Act
              primary
              label={t('inv.new')}
              says={t('inv.newSays')}
              fields={[
                { name: 'name', label: t('col.name'), help: t('inv.nameHelp') },
                { name: 'total', label: t('inv.total'), kind: 'number', min: 0, initial: 0 },
                {
                  name: 'max',
                  label: t('inv.ownerMax'),
                  kind: 'number',
                  min: 0,
                  initial: 0,
                  help: t('inv.ownerMaxHelp'),
                },
                { name: 'reason', label: t('reason'), optional: true },
              ]}
              run={(values, once) =>
                insist((signal) =>
                  api.POST('/inventory/pools', {
                    body: {
                      id: once,
                      name: values.name,
                      total: values.total,
                      owner_max: values.max,
                      ...(values.reason ? { reason: values.reason } : {}),
                    },
                    signal,
                  }),
                )
              }
              refresh={[inventoryKeys.pools]}
              done={t('saved')}
            />
          )
        }
      >
        {t('nav.inventory')}
      </Title>
      <p className="soft">
        <Link to="/inventory/holds">{t('hold.all')}</Link>
        {' · '}
        <Link to="/inventory/hold">{t('hold.look')}</Link>
      </p>
      <PageTable<PoolBody>
        queryKey={inventoryKeys.poolRows(queryOf(get, ['q', 'under']))}
        fetch={read((signal, page) =>
          api.GET('/inventory/pools', {
            params: { query: { ...page, ...queryOf(get, ['q', 'under']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.name}
        file="pools.csv"
        empty={t('inv.none')}
        filters={
          <>
            <Search label={t('inv.search')} value={get('q')} change={(text) => set('q', text)} />
            <Search label={t('inv.under')} value={get('under')} change={(text) => set('under', text)} />
          </>
        }
      />
    </>
  );
}
