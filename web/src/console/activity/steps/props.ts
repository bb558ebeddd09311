import type { Draft } from '../../logic/draft';

/** What every step of the wizard is given: the activity as it is written, and a way to change a part of it. */
export interface StepProps {
  draft: Draft;
  change: (part: Partial<Draft>) => void;
}
