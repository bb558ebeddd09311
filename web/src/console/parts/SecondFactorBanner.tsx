import { Alert } from 'antd';
import { Link } from 'react-router';
import { useText } from '../../i18n';
import { useMe } from '../session/session';

/** An admin without a second factor is reminded on every page. */
export function SecondFactorBanner() {
  const { t } = useText();
  const me = useMe();
  if (me.second_factor || !me.roles.includes('admin')) return null;
  return (
    <Alert
      banner
      type="warning"
      title={t('second.banner')}
      action={<Link to="/account">{t('second.begin')}</Link>}
    />
  );
}
