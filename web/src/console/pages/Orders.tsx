import { useText } from '../../i18n';
import { OrderTable } from '../orders/OrderTable';
import { Title } from '../parts/bits';

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
