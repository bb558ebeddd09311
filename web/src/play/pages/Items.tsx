import { useInfiniteQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { formatMoment, formatNumber } from '../../i18n';
import { itemsRead } from '../buy/reads';
import { Head } from '../parts/Head';
import { More } from '../parts/More';
import { Empty, Failed, Loading } from '../parts/states';
import { useText } from '../text';
import { SaleFace } from './Orders';
import '../style/sale.css';

/** My numbered things, as a cabinet of them. */
export default function Items() {
  const { t, language } = useText();
  const query = useInfiniteQuery(itemsRead);
  const items = query.data?.pages.flatMap((page) => page.items) ?? [];
  const number = (value: number) => formatNumber(value, language);
  return (
    <>
      <Head title={t('items.title')} back="/me" />
      {query.isPending && <Loading />}
      {!query.data && query.error && <Failed error={query.error} retry={() => void query.refetch()} />}
      {query.data && items.length === 0 && (
        <Empty title={t('items.empty')}>
          <p>{t('items.emptyText')}</p>
          <Link to="/" className="button">
            {t('orders.browse')}
          </Link>
        </Empty>
      )}
      <ul className="items">
        {items.map((item) => (
          <li key={item.id}>
            <Link to={`/orders/${item.order}`} className="item">
              <SaleFace sale={item.sale} kind="collectible" />
              <span className="item-plate">
                <b>{item.name}</b>
                <span className="item-number">
                  {item.of == null
                    ? t('items.no', { number: number(item.edition) })
                    : t('items.noOf', { number: number(item.edition), of: number(item.of) })}
                </span>
                <small>{t('items.since', { when: formatMoment(item.made_at_ms, language) })}</small>
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <More query={query} />
    </>
  );
}
