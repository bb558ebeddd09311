import { Alert } from 'antd';
import { useText } from '../../text';
import { GamePreview } from '../GamePreview';
import { Simulation } from '../Simulation';
import type { StepProps } from './props';

/** A look at the wheel, and a simulation of the whole window. */
export function Try({ draft }: StepProps) {
  const { t } = useText();
  if (draft.kind === 'raffle') return <Alert type="info" showIcon title={t('sim.raffle')} />;
  return (
    <div className="odds-page flipped">
      <section className="panel centre-text">
        <h2 className="section-title">{t('wheel.title')}</h2>
        <GamePreview draft={draft} />
      </section>
      <Simulation draft={draft} />
    </div>
  );
}
