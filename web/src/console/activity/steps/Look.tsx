import { useText } from '../../text';
import { SaleFacts } from '../SaleFacts';
import type { StepProps } from './props';

/** What buyers will see, in short. */
export function Look({ draft }: StepProps) {
  const { t } = useText();
  return (
    <section className="panel">
      <h2 className="section-title">{t('wizard.look')}</h2>
      <SaleFacts draft={draft} />
    </section>
  );
}
