import { Alert } from 'antd';
import type { ReactNode } from 'react';
import { useText } from '../text';
import { Copy } from './Copy';

interface Props {
  secret: string;
  /** That it is shown this once, where it is not a key. */
  says?: string;
  children?: ReactNode;
}

/** A secret that is shown this once, and what can be done with it besides copying. */
export function Secret({ secret, says, children }: Props) {
  const { t } = useText();
  return (
    <>
      <Alert type="warning" showIcon title={says ?? t('secret.once')} className="gap-bottom" />
      <pre data-testid="secret">{secret}</pre>
      <p>
        <Copy text={secret} label={t('copy')} /> {children}
      </p>
    </>
  );
}
