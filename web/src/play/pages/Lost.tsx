import { Link } from 'react-router';
import { Empty } from '../parts/states';
import { useTitle } from '../parts/useTitle';
import { useText } from '../text';

/** An address that leads nowhere. */
export default function Lost() {
  const { t } = useText();
  useTitle(t('lost.title'));
  return (
    <Empty title={t('lost.title')}>
      <p>{t('lost.text')}</p>
      <Link to="/" className="button">
        {t('nav.home')}
      </Link>
    </Empty>
  );
}
