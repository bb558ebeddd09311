import { Link } from 'react-router';
import { Back } from '../../play/parts/art';
import { useText } from '../../play/text';

/** The way back, on pages whose heading is further down. */
export function BackBar({ to = '/community' }: { to?: string }) {
  const { t } = useText();
  return (
    <div className="head">
      <Link to={to} className="icon-button" aria-label={t('back')}>
        <Back />
      </Link>
    </div>
  );
}
