import { Alert } from 'antd';
import { useText } from '../../i18n';
import { Copy } from './Copy';

/** A secret that is shown this once. */
export function Secret({ secret }: { secret: string }) {
  const { t } = useText();
  return (
    <>
      <Alert type="warning" showIcon title={t('secret.once')} className="gap-bottom" />
      <pre data-testid="secret">{secret}</pre>
      <p>
        <Copy text={secret} label={t('copy')} />
      </p>
    </>
  );
}
