import { OrderTable } from '../orders/OrderTable';
import { Title } from '../parts/bits';
import { useText } from '../text';

/** Orders of all sales. */
export default function Orders() {
  const { t } = useText();
  return (
    <>
      <Title>{t('nav.orders')}</Title>
      <OrderTable />
    </>
  );
}
