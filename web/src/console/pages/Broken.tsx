import { Button, Result } from 'antd';
import { Link } from 'react-router';
import { useText } from '../text';

/** A page that broke. After an upgrade the old pages' files are gone; loading the page again helps. */
export function Broken() {
  const { t } = useText();
  return (
    <Result
      status="error"
      title={t('error.page')}
      extra={
        <Button type="primary" onClick={() => location.reload()}>
          {t('error.reload')}
        </Button>
      }
    />
  );
}

export function NotHere() {
  const { t } = useText();
  return (
    <div className="centre-text nowhere">
      <h1 className="page-title">{t('gate.notHere')}</h1>
      <p>
        <Link to="/">{t('nav.dashboard')}</Link>
      </p>
    </div>
  );
}
