import { Alert, Button } from 'antd';
import type { PrizeDraft } from '../../logic/draft';
import { MomentInput } from '../../parts/MomentInput';
import { useText } from '../../text';
import { At, MoneyInput, Num } from '../At';
import type { StepProps } from './props';

/** What it may cost, and when units become drawable. */
export function Pacing({ draft, change }: StepProps) {
  const { t } = useText();
  if (draft.kind === 'raffle') return <Alert type="info" showIcon title={t('pacing.raffle')} />;
  return (
    <>
      <section className="panel">
        <h2 className="section-title">{t('pacing.budget')}</h2>
        <div className="fields">
          <At field="budget.total_minor" label={t('pacing.total')}>
            <MoneyInput
              value={draft.budgetTotal}
              placeholder={t('unlimited')}
              change={(budgetTotal) => change({ budgetTotal })}
            />
          </At>
          <At field="budget.day_minor" label={t('pacing.day')}>
            <MoneyInput
              value={draft.budgetDay}
              placeholder={t('unlimited')}
              change={(budgetDay) => change({ budgetDay })}
            />
          </At>
        </div>
        <p className="soft">{t('pacing.budgetHelp')}</p>
      </section>
      <section className="panel">
        <h2 className="section-title">{t('pacing.release')}</h2>
        <p className="soft">{t('pacing.releaseHelp')}</p>
        {draft.prizes.map((prize, at) => (
          <Releases
            key={prize.id}
            prize={prize}
            at={at}
            draft={draft}
            set={(part) =>
              change({ prizes: draft.prizes.map((one, index) => (index === at ? { ...one, ...part } : one)) })
            }
          />
        ))}
      </section>
    </>
  );
}

interface Props {
  prize: PrizeDraft;
  at: number;
  draft: StepProps['draft'];
  set: (part: Partial<PrizeDraft>) => void;
}

function Releases({ prize, at, draft, set }: Props) {
  const { t } = useText();
  const { release } = prize;
  const part = (index: number, given: Partial<PrizeDraft['release'][number]>) =>
    set({ release: release.map((one, place) => (place === index ? { ...one, ...given } : one)) });
  /** In equal parts, a day each at most seven. */
  const spread = () => {
    const days = Math.min(7, Math.max(2, Math.ceil((draft.until - draft.from) / 86_400_000)));
    const units = prize.units ?? 0;
    set({
      release: Array.from({ length: days }, (_, day) => ({
        at: draft.from + Math.floor(((draft.until - draft.from) * day) / days),
        units: Math.floor((units * (day + 1)) / days),
      })),
    });
  };
  return (
    <fieldset className="bare prize-rules">
      <legend>{prize.name || t('prize.nth', { n: at + 1 })}</legend>
      <div className="fields">
        <At field={`prizes[${at}].hourly_cap`} label={t('pacing.hourly')}>
          <Num
            value={prize.hourlyCap}
            min={1}
            placeholder={t('unlimited')}
            change={(hourlyCap) => set({ hourlyCap })}
          />
        </At>
      </div>
      {!prize.unlimited && (
        <>
          {release.map((one, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: steps have nothing but their place
            <div className="row release" key={index}>
              <MomentInput
                value={one.at}
                zone={draft.zone}
                label={t('pacing.from')}
                onChange={(ms) => ms !== undefined && part(index, { at: ms })}
              />
              <Num
                value={one.units}
                label={t('pacing.units')}
                change={(units) => part(index, { units: units ?? 0 })}
              />
              <Button
                size="small"
                onClick={() => set({ release: release.filter((_, place) => place !== index) })}
              >
                {t('prize.remove')}
              </Button>
            </div>
          ))}
          <div className="row">
            <Button
              size="small"
              onClick={() =>
                set({
                  release: [...release, { at: release.at(-1)?.at ?? draft.from, units: prize.units ?? 0 }],
                })
              }
            >
              {t('pacing.add')}
            </Button>
            <Button size="small" onClick={spread} disabled={!prize.units}>
              {t('pacing.spread')}
            </Button>
            {release.length > 0 && (
              <Button size="small" onClick={() => set({ release: [] })}>
                {t('pacing.clear')}
              </Button>
            )}
          </div>
        </>
      )}
    </fieldset>
  );
}
