import { Link } from 'react-router';
import type { SaleBody } from '../../api/wire';
import { LINES_MAX } from '../buy/cart';
import { cartChanges, useCart } from '../buy/useCart';
import { useText } from '../text';

/** For whoever wants this and something else in one order. */
export function IntoCart({ sale, quantity }: { sale: SaleBody; quantity: number }) {
  const { t } = useText();
  const cart = useCart();
  const inside = cart.find((line) => line.sale === sale.id);
  if (inside) {
    return (
      <p className="in-cart" role="status">
        {t('cart.inside', { count: inside.quantity })}{' '}
        <Link to="/cart" className="text-link">
          {t('cart.link')}
        </Link>
      </p>
    );
  }
  if (cart.length >= LINES_MAX) return <p className="quiet">{t('cart.full', { count: LINES_MAX })}</p>;
  return (
    <button
      type="button"
      className="button wide into-cart"
      onClick={() => cartChanges.put(sale.id, quantity)}
    >
      {t('cart.put')}
    </button>
  );
}
