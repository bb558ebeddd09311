// One order: where it stands, paying or letting go, and what came of it.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link, useParams } from 'react-router';
import { api, ask, insist } from '../../api/client';
import { needsAddress } from '../../api/kinds';
import { hasCode } from '../../api/problem';
import type { SaleOrderBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { left, twoDigits } from '../../time/countdown';
import { holdOf } from '../../time/hold';
import { useNow } from '../../time/useNow';
import { likelyAddress, rememberAddress } from '../address/remembered';
import { orderRead } from '../buy/reads';
import { myKeys } from '../keys';
import { Chevron } from '../parts/art';
import { Dialog } from '../parts/Dialog';
import { Form } from '../parts/Form';
import { Head } from '../parts/Head';
import { Failed, Loading, Refused } from '../parts/states';
import { addressesRead } from '../reads';
import { type Say, useText } from '../text';
import { GivenCard } from './GivenCard';
import Lost from './Lost';
import { SaleFace } from './Orders';
import { ShipTo } from './ShipTo';
import '../style/sale.css';

export default function Order() {
  const { id = '' } = useParams();
  const { data, error, isPending, refetch } = useQuery(orderRead(id));
  if (isPending) return <Loading />;
  if (hasCode(error, 'not_found', 'invalid_field') && !data) return <Lost />;
  if (!data) return <Failed error={error} retry={() => void refetch()} />;
  return <Whole order={data} />;
}

function Whole({ order }: { order: SaleOrderBody }) {
  const { t, language } = useText();
  const money = (minor: number) => formatMoney(minor, order.currency, language);
  const numbered = order.lines.some((line) => line.item === 'collectible');
  const paid = order.state === 'paid' || order.state === 'fulfilled';
  const [first] = order.lines;
  return (
    <>
      <Head title={t('order.title')} back="/me/orders" />
      <Standing order={order} />
      <section className="section">
        <h2 className="unseen">{t('order.lines')}</h2>
        <ul className="rows order-lines">
          {order.lines.map((line) => (
            <li key={line.sale}>
              <Link to={`/sales/${line.sale}`} className="row">
                <SaleFace sale={line.sale} kind={line.item} />
                <span className="row-words">
                  <b>{line.name}</b>
                  <small>
                    {money(line.price_minor)} × {line.quantity}
                  </small>
                </span>
                <b className="amount">{money(line.price_minor * line.quantity)}</b>
              </Link>
            </li>
          ))}
          <li className="row total">
            <span className="row-words">{t('order.total')}</span>
            <b className="amount">{money(order.total_minor)}</b>
          </li>
        </ul>
      </section>
      {order.things.length > 0 && (
        <section className="section">
          <h2>{t('order.things')}</h2>
          <ul className="wins">
            {order.things.map((thing) => (
              <li key={thing.id} className="card win">
                <GivenCard
                  id={thing.id}
                  thing={{
                    kind: thing.kind,
                    name:
                      order.lines.find((line) => line.item === thing.kind)?.name ?? t(`item.${thing.kind}`),
                  }}
                  from={thing.amount > 1 ? `× ${thing.amount}` : ''}
                  giving={thing.giving}
                  code={thing.code ?? undefined}
                />
              </li>
            ))}
          </ul>
        </section>
      )}
      {order.state !== 'unpaid' && first && (
        <Link to={`/sales/${first.sale}`} className="button wide">
          {t('order.again')}
        </Link>
      )}
      {numbered && paid && (
        <ul className="links">
          <li>
            <Link to="/me/items">
              {t('order.items')}
              <Chevron />
            </Link>
          </li>
        </ul>
      )}
      <dl className="order-facts">
        <dt>{t('order.number')}</dt>
        <dd>{order.id}</dd>
        <dt>{t('order.made')}</dt>
        <dd>{formatMoment(order.made_at_ms, language)}</dd>
        {order.payments.map((payment) => (
          <Payment key={payment.id} payment={payment} />
        ))}
      </dl>
    </>
  );
}

function Payment({ payment }: { payment: SaleOrderBody['payments'][number] }) {
  const { t, language } = useText();
  return (
    <>
      <dt>{t('payment')}</dt>
      <dd>
        {formatMoney(payment.amount_minor, payment.currency, language)} ·{' '}
        {formatMoment(payment.made_at_ms, language)} · {t(`payment.${payment.state}`)}
        {payment.back_why && ` (${t(`payment.why.${payment.back_why}`)})`}
      </dd>
    </>
  );
}

/** What is the case, in one card; while it is unpaid with the time that is left, and both ways out. */
function Standing({ order }: { order: SaleOrderBody }) {
  const { t, language } = useText();
  const open = order.state === 'unpaid' && !order.paying;
  return (
    <section
      className={`order-card ${order.state}`}
      data-state={order.state}
      data-paying={order.paying}
      data-sent={order.lines.some((line) => needsAddress(line.item))}
    >
      <p className="order-now" role="status">
        {t(order.paying ? 'order.paying' : `order.${order.state}`)}
      </p>
      <p className="order-sum">{formatMoney(order.total_minor, order.currency, language)}</p>
      {open ? (
        <Open order={order} />
      ) : (
        <p>{t(order.paying ? 'order.payingText' : `order.${order.state}Text`)}</p>
      )}
      {order.reason && <p className="quiet">{reasonOf(order.reason, t)}</p>}
    </section>
  );
}

/** Why money goes back: a name that we know, or what somebody wrote. */
function reasonOf(reason: string, t: Say): string {
  return reason === 'sold_out' || reason === 'limit_reached' ? t(`order.reason.${reason}`) : reason;
}

const AWAY = 'windfall.paying';

/** Noted on the way to the provider's page: whoever comes back and has paid nothing is told so. */
function wentToPay(order: string): void {
  try {
    sessionStorage.setItem(AWAY, order);
  } catch {
    // A browser that keeps nothing: the page then says only that the order is not paid.
  }
}

function hasBeenToPay(order: string): boolean {
  try {
    return sessionStorage.getItem(AWAY) === order;
  } catch {
    return false;
  }
}

function Open({ order }: { order: SaleOrderBody }) {
  const { t } = useText();
  const client = useQueryClient();
  const [sure, setSure] = useState(false);
  const sent = order.lines.some((line) => needsAddress(line.item));
  const book = useQuery({ ...addressesRead, enabled: sent }).data?.items;
  const [picked, setPicked] = useState<string>();
  const [missing, setMissing] = useState(false);
  const known = book?.some(({ id }) => id === order.address_id) ? order.address_id : undefined;
  const address = picked ?? known ?? likelyAddress(book ?? []);
  const [cameBack] = useState(() => hasBeenToPay(order.id));
  const now = useNow(order.due_ms);
  const { over } = holdOf(order.made_at_ms, order.due_ms, now);
  const params = { path: { id: order.id } };
  const pay = useMutation({
    mutationFn: async () => {
      if (sent && address !== undefined && address !== order.address_id) {
        const body = { address_id: address };
        await insist((signal) => api.PUT('/orders/{id}/address', { signal, params, body }));
        rememberAddress(address);
      }
      return insist((signal) => api.POST('/orders/{id}/pay', { signal, params }));
    },
    // The provider's own page; it sends the buyer back here.
    onSuccess: ({ url }) => {
      wentToPay(order.id);
      location.assign(url);
    },
  });
  const cancel = useMutation({
    mutationFn: () => ask((signal) => api.POST('/orders/{id}/cancel', { signal, params })),
    onSuccess: (after) => {
      client.setQueryData(orderRead(order.id).queryKey, after);
      setSure(false);
    },
    onSettled: () => client.invalidateQueries({ queryKey: myKeys.all }),
  });
  if (over) return <p>{t('order.overText')}</p>;
  return (
    <>
      <HoldRing order={order} now={now} />
      {order.policy === 'at_payment' && <p className="quiet">{t('sale.atPayment')}</p>}
      {cameBack && (
        <p className="quiet" role="status" data-testid="no-payment">
          {t('order.noPayment')}
        </p>
      )}
      {sent && (
        <ShipTo
          chosen={address}
          missing={missing && address === undefined}
          onChoose={(id) => {
            setPicked(id);
            rememberAddress(id);
          }}
        />
      )}
      <Refused error={pay.error} />
      <div className="order-ways">
        <button
          type="button"
          className="button gold big"
          disabled={pay.isPending || pay.isSuccess}
          onClick={() => {
            setMissing(sent && address === undefined);
            if (!sent || address !== undefined) pay.mutate();
          }}
        >
          {pay.isPending || pay.isSuccess ? t('wait') : t('order.pay')}
        </button>
        <button type="button" className="button ghost" onClick={() => setSure(true)}>
          {t('order.cancel')}
        </button>
      </div>
      {sure && (
        <Dialog title={t('order.cancel')} onClose={() => setSure(false)}>
          <Form
            submit={t('order.cancelSure')}
            danger
            busy={cancel.isPending}
            error={cancel.error}
            onSubmit={() => cancel.mutate()}
          >
            <p>{t('order.cancelText')}</p>
          </Form>
        </Dialog>
      )}
    </>
  );
}

const RADIUS = 44;
const ROUND = 2 * Math.PI * RADIUS;

/** The time to pay, as a ring that empties. */
function HoldRing({ order, now }: { order: SaleOrderBody; now: number }) {
  const { t } = useText();
  const { share, urgent } = holdOf(order.made_at_ms, order.due_ms, now);
  const { days, hours, minutes, seconds } = left(now, order.due_ms);
  const whole = days * 24 + hours;
  return (
    <div className={`hold ${urgent ? 'urgent' : ''}`} role="timer" aria-live="off" data-testid="hold">
      <svg viewBox="0 0 100 100" width="132" height="132" aria-hidden="true" focusable="false">
        <circle cx="50" cy="50" r={RADIUS} className="hold-track" />
        <circle
          cx="50"
          cy="50"
          r={RADIUS}
          className="hold-left"
          strokeDasharray={`${share * ROUND} ${ROUND}`}
          transform="rotate(-90 50 50)"
        />
      </svg>
      <span className="hold-words">
        <small>{t('order.payIn')}</small>
        <b>
          {whole > 0 && `${whole}:`}
          {twoDigits(minutes)}:{twoDigits(seconds)}
        </b>
      </span>
    </div>
  );
}
