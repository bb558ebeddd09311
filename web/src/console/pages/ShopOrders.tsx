// What people bought for points, newest first, and asking for the points to be given back.

import { api, insist, read } from '../../api/client';
import { shopOrderStateValues } from '../../api/schema.gen';
import type { ShopOrderStaffBody } from '../../api/wire';
import { approvalKeys, shopKeys } from '../keys';
import { Act, toldReason } from '../parts/Act';
import { openWord, State, stateWord, Title } from '../parts/bits';
import { useColumns } from '../parts/columns';
import { queryOf, Search, StateChoice, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

export default function ShopOrders() {
  const { t } = useText();
  const may = useMay();
  const column = useColumns();
  const [get, set] = useFilters();
  const columns: Column<ShopOrderStaffBody>[] = [
    { key: 'id', title: t('col.id'), text: (row) => row.id },
    column.user((row) => row.user_id),
    { key: 'name', title: t('col.name'), text: (row) => row.name },
    column.number('quantity', t('hold.units'), (row) => row.quantity),
    column.number('cost', t('shopOrders.points'), (row) => row.cost),
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => (
        <>
          <State name={row.state} />
          {(row.already_given ?? []).map((what) => (
            <p key={what} className="soft">
              {t('appr.given', { what: openWord(t, 'given', what) })}
            </p>
          ))}
        </>
      ),
    },
    { key: 'reason', title: t('col.reason'), text: (row) => row.reason ?? '' },
    column.moment('made', t('col.made'), (row) => row.made_at_ms),
  ];
  if (may('runActivities')) {
    columns.push({
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) =>
        row.state === 'done' && (
          <Act
            link
            danger
            label={t('shopOrders.refund')}
            says={t('shopOrders.refundSays')}
            fields={[toldReason(t)]}
            refresh={[shopKeys.orders, approvalKeys.all]}
            done={t('shopOrders.asked')}
            run={(values, once) =>
              insist((signal) =>
                api.POST('/shop/orders/{id}/refund', {
                  params: { path: { id: row.id }, header: { 'Idempotency-Key': once } },
                  body: { reason: values.reason },
                  signal,
                }),
              )
            }
          />
        ),
    });
  }
  return (
    <>
      <Title>{t('nav.shopOrders')}</Title>
      <PageTable<ShopOrderStaffBody>
        queryKey={shopKeys.orderRows(queryOf(get, ['user', 'state']))}
        fetch={read((signal, page) =>
          api.GET('/shop/orders', {
            params: { query: { ...page, ...queryOf(get, ['user', 'state']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="shop-orders.csv"
        empty={t('shopOrders.none')}
        filters={
          <>
            <Search label={t('shopOrders.user')} value={get('user')} change={(text) => set('user', text)} />
            <StateChoice
              states={shopOrderStateValues}
              value={get('state')}
              change={(state) => set('state', state)}
            />
          </>
        }
      />
    </>
  );
}
