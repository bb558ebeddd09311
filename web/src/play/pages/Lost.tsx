import { Link } from 'react-router';
import { useText } from '../../i18n';
import { Empty } from '../parts/states';
import { useTitle } from '../parts/useTitle';

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
