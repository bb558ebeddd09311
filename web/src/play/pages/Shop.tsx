// What points buy, and what I bought.

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Link } from 'react-router';
import { api, insist } from '../../api/client';
import { useOnce } from '../../api/once';
import { usePolledList } from '../../api/polled';
import type { OfferBody } from '../../api/wire';
import { formatNumber, formatShort } from '../../i18n';
import { serverNow } from '../../time/clock';
import { myKeys, shopKeys } from '../keys';
import { Countdown } from '../parts/Countdown';
import { Dialog } from '../parts/Dialog';
import { Form } from '../parts/Form';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Picture } from '../parts/Picture';
import { Empty, Failed, Loading } from '../parts/states';
import { offersRead, pointsRead, shopOrdersList } from '../reads';
import { signInPath, useSession } from '../session';
import { useText } from '../text';
import { GivenCard } from './GivenCard';

/** Pieces in one order. */
const PIECES_MAX = 20;

export default function Shop() {
  const { t, language } = useText();
  const { me } = useSession();
  const offers = useQuery(offersRead);
  const points = useQuery({ ...pointsRead, enabled: me !== undefined });
  const [buying, setBuying] = useState<OfferBody>();
  const [bought, setBought] = useState('');
  return (
    <>
      <Head title={t('shop.title')} back="/me/points" />
      {points.data && (
        <p className="lead">
          {t('shop.have', {
            count: points.data.balance,
            points: formatNumber(points.data.balance, language),
          })}
        </p>
      )}
      <p role="status" className="entry-told">
        {bought ? t('shop.done', { name: bought }) : ''}
      </p>
      {offers.isPending && <Loading />}
      {!offers.data && offers.error && <Failed error={offers.error} retry={() => void offers.refetch()} />}
      {offers.data?.items.length === 0 && <Empty title={t('shop.empty')} />}
      <ul className="cards">
        {offers.data?.items.map((offer) => (
          <li key={offer.id} className="card offer">
            <Offer offer={offer} balance={points.data?.balance} buy={() => setBuying(offer)} />
          </li>
        ))}
      </ul>
      {me && <Orders />}
      {buying && (
        <Buy
          offer={buying}
          balance={points.data?.balance ?? 0}
          onClose={() => setBuying(undefined)}
          onBought={() => {
            setBought(buying.name);
            setBuying(undefined);
          }}
        />
      )}
    </>
  );
}

interface OfferProps {
  offer: OfferBody;
  /** One's points, once they are known. */
  balance: number | undefined;
  buy(): void;
}

function Offer({ offer, balance, buy }: OfferProps) {
  const { t, language } = useText();
  const { me } = useSession();
  const soon = offer.from_ms != null && offer.from_ms > serverNow();
  const gone = offer.left === 0;
  const short = balance === undefined ? 0 : Math.max(0, offer.price - balance);
  return (
    <>
      <Picture prize={offer} size={52} />
      <div className="win-words">
        <b>{offer.name}</b>
        <small>{offer.text}</small>
        <span className="price">
          {t('shop.price', { count: offer.price, number: formatNumber(offer.price, language) })}
        </span>
        <small>
          {gone
            ? t('shop.gone')
            : t('shop.left', { count: offer.left, number: formatNumber(offer.left, language) })}
          {offer.limit != null && ` · ${t('shop.limit', { count: offer.limit })}`}
        </small>
        {short > 0 && !gone && (
          <small className="short">
            {t('shop.short', { count: short, number: formatNumber(short, language) })}
          </small>
        )}
        {soon && <Countdown to={offer.from_ms ?? 0} label={t('home.startsIn')} />}
      </div>
      {me ? (
        <button
          type="button"
          className="button primary"
          disabled={gone || soon || short > 0}
          onClick={buy}
          aria-label={t('shop.buyThis', { name: offer.name })}
        >
          {t('shop.buy')}
        </button>
      ) : (
        <Link to={signInPath('/shop')} className="button">
          {t('nav.signIn')}
        </Link>
      )}
    </>
  );
}

interface BuyProps {
  offer: OfferBody;
  balance: number;
  onClose(): void;
  onBought(): void;
}

function Buy({ offer, balance, onClose, onBought }: BuyProps) {
  const { t, language } = useText();
  const client = useQueryClient();
  // One order per wish, also when the dialog or the page was opened anew: sending it again cannot buy it twice.
  const { me } = useSession();
  const once = useOnce(`windfall.shop.${me?.id}.${offer.id}`);
  const [quantity, setQuantity] = useState(1);
  const buy = useMutation({
    mutationFn: () =>
      once({ quantity }, (key) =>
        insist((signal) =>
          api.POST('/shop/{id}/orders', {
            signal,
            params: { path: { id: offer.id }, header: { 'Idempotency-Key': key } },
            body: { quantity },
          }),
        ),
      ),
    onSuccess: onBought,
    onSettled: () => {
      void client.invalidateQueries({ queryKey: myKeys.all });
      void client.invalidateQueries({ queryKey: shopKeys.offers });
    },
  });
  const most = Math.max(1, Math.min(PIECES_MAX, offer.left, offer.limit ?? PIECES_MAX));
  const number = (value: number) => formatNumber(value, language);
  return (
    <Dialog title={offer.name} onClose={onClose}>
      <Form
        submit={t('shop.pay', { count: offer.price * quantity, number: number(offer.price * quantity) })}
        busy={buy.isPending}
        error={buy.error}
        onSubmit={() => buy.mutate()}
      >
        <p className="quiet">{offer.text}</p>
        <label className="field">
          <span>{t('shop.quantity')}</span>
          <select value={quantity} onChange={(event) => setQuantity(Number(event.target.value))}>
            {Array.from({ length: most }, (_, before) => before + 1).map((count) => (
              <option key={count}>{count}</option>
            ))}
          </select>
        </label>
        <p>{t('shop.have', { count: balance, points: number(balance) })}</p>
      </Form>
    </Dialog>
  );
}

function Orders() {
  const { t, language } = useText();
  const { query, rows: orders } = usePolledList(shopOrdersList);
  if (query.data && orders.length === 0) return null;
  return (
    <section className="section">
      <h2>{t('shop.orders')}</h2>
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      <ul className="wins">
        {orders.flatMap((order) => {
          const from = `${order.quantity} × · ${formatNumber(order.cost, language)} · ${formatShort(order.made_at_ms, language)}`;
          if (order.state === 'reversed' || order.things.length === 0) {
            return [
              <li key={order.id} className="card">
                <b>{order.name}</b>
                <p className="quiet">{from}</p>
                <p className="giving">{t(`shop.state.${order.state}`)}</p>
              </li>,
            ];
          }
          return order.things.map((thing) => (
            <li key={thing.id} className="card win">
              <GivenCard
                id={thing.id}
                thing={{ name: order.name, kind: thing.kind }}
                from={from}
                giving={thing.giving}
                code={thing.code ?? undefined}
              />
            </li>
          ));
        })}
      </ul>
      <More query={query} />
    </section>
  );
}
