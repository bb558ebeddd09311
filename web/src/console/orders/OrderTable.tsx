// Orders of sales, with what came of each: lines, money, things, and giving money back.

import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { api, ask, read } from '../../api/client';
import { orderStateValues } from '../../api/schema.gen';
import type { SaleOrderStaffBody } from '../../api/wire';
import { formatMoney } from '../../i18n/money';
import { orderKeys } from '../keys';
import { Act, toldReason } from '../parts/Act';
import { openWord, State, When, wordFor } from '../parts/bits';
import { useColumns } from '../parts/columns';
import { Csv, queryOf, Search, StateChoice, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Scroll } from '../parts/Scroll';
import { Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';

/** All orders; or those of one sale or one person, where it stands on their page. */
export function OrderTable({ sale, user }: { sale?: string; user?: string }) {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const column = useColumns();
  const asked = queryOf(get, ['state', 'sale', 'user']);
  const filter = {
    ...asked,
    ...(sale === undefined ? {} : { sale }),
    ...(user === undefined ? {} : { user }),
  };
  const columns: Column<SaleOrderStaffBody>[] = [
    column.id((row) => row.id),
    {
      ...column.state((row) => row.state),
      show: (row) => (
        <>
          <State name={row.state} />
          {row.paying && <State name="paying" />}
        </>
      ),
    },
    {
      key: 'what',
      title: t('order.what'),
      text: (row) => row.lines.map((line) => `${line.name} × ${line.quantity}`).join(', '),
    },
    {
      key: 'total',
      title: t('order.total'),
      text: (row) => formatMoney(row.total_minor, row.currency, language),
      right: true,
    },
    column.user((row) => row.user_id),
    column.moment('made', t('order.made'), (row) => row.made_at_ms),
    column.moment('due', t('order.due'), (row) => row.due_ms),
  ];
  return (
    <PageTable<SaleOrderStaffBody>
      queryKey={orderKeys.rows(filter)}
      fetch={read((signal, page) =>
        api.GET('/admin/orders', { params: { query: { ...page, ...filter } }, signal }),
      )}
      columns={columns}
      rowKey={(row) => row.id}
      refreshMs={10_000}
      empty={t('order.none')}
      detail={(row) => <Detail id={row.id} />}
      filters={
        <>
          <StateChoice
            states={orderStateValues}
            value={get('state')}
            change={(value) => set('state', value)}
          />
          {sale === undefined && (
            <Search label={t('order.sale')} value={get('sale')} change={(text) => set('sale', text)} />
          )}
          {user === undefined && (
            <Search label={t('order.user')} value={get('user')} change={(text) => set('user', text)} />
          )}
          <Csv path="/admin/orders.csv" query={filter} label={t('order.csv')} />
        </>
      }
    />
  );
}

function Detail({ id }: { id: string }) {
  const query = useQuery({
    queryKey: orderKeys.one(id),
    queryFn: read((signal) => api.GET('/admin/orders/{id}', { params: { path: { id } }, signal })),
  });
  return <Read from={query}>{(order) => <Whole order={order} />}</Read>;
}

function Whole({ order }: { order: SaleOrderStaffBody }) {
  const { t, language } = useText();
  const may = useMay();
  const money = (minor: number, currency = order.currency) => formatMoney(minor, currency, language);
  const back = order.state === 'paid' || order.state === 'fulfilled';
  return (
    <div className="order-detail">
      <Scroll className="scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('order.what')}</th>
              <th>{t('col.kind')}</th>
              <th className="right">{t('order.quantity')}</th>
              <th className="right">{t('selling.each')}</th>
            </tr>
          </thead>
          <tbody>
            {order.lines.map((line) => (
              <tr key={line.sale}>
                <th scope="row">
                  <Link to={`/activities/${line.sale}`}>{line.name}</Link>
                </th>
                <td>{wordFor(t, 'kind', line.item)}</td>
                <td className="right number">{line.quantity}</td>
                <td className="right number">{money(line.price_minor)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      <dl className="facts">
        <dt>{t('selling.policy')}</dt>
        <dd>{t(`selling.${order.policy}`)}</dd>
        <dt>{t('col.changed')}</dt>
        <dd>
          <When ms={order.changed_at_ms} />
        </dd>
        {order.reason && (
          <>
            <dt>{t('col.reason')}</dt>
            <dd>{order.reason}</dd>
          </>
        )}
        <dt>{t('order.payments')}</dt>
        <dd>
          {order.payments.length === 0 && '—'}
          {order.payments.map((payment) => (
            <p key={payment.id} className="payment">
              <b className="number">{money(payment.amount_minor, payment.currency)}</b>{' '}
              <State name={payment.state} /> {payment.provider} <code>{payment.reference}</code>{' '}
              <When ms={payment.made_at_ms} />
              {payment.back_why && (
                <>
                  {' '}
                  · {wordFor(t, 'order.why', payment.back_why)} <When ms={payment.back_at_ms} />
                </>
              )}
            </p>
          ))}
        </dd>
        <dt>{t('order.things')}</dt>
        <dd>
          {order.things.length === 0 && '—'}
          {order.things.map((thing) => (
            <p key={thing.id} className="payment">
              {wordFor(t, 'kind', thing.kind)} {thing.amount > 1 && `× ${thing.amount} `}
              <State name={thing.giving.state} /> {thing.giving.carrier} {thing.giving.tracking}
            </p>
          ))}
        </dd>
      </dl>
      {(order.already_given ?? []).map((what) => (
        <p key={what}>
          <b>{t('appr.given', { what: openWord(t, 'given', what) })}</b>
        </p>
      ))}
      {back && may('runActivities') && (
        <Act
          danger
          label={t('order.refund')}
          says={t('order.refundSays', { sum: money(order.total_minor) })}
          fields={[toldReason(t)]}
          run={(values) =>
            ask((signal) =>
              api.POST('/admin/orders/{id}/refund', {
                params: { path: { id: order.id } },
                body: { reason: values.reason },
                signal,
              }),
            )
          }
          refresh={[orderKeys.all]}
          done={t('order.refundDone')}
        />
      )}
    </div>
  );
}
