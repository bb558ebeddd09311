import { Alert, Checkbox, Select } from 'antd';
import type { ReactNode } from 'react';
import { unlockScopeValues } from '../../../api/schema.gen';
import type { PrizeDraft } from '../../logic/draft';
import { useText } from '../../text';
import { At, Num } from '../At';
import type { StepProps } from './props';

/** Rules before and after the draw: block list, fallback, guarantee, and what holds for single prizes. */
export function Rules({ draft, change }: StepProps) {
  const { t } = useText();
  if (draft.kind === 'raffle') return <Alert type="info" showIcon title={t('rules.raffle')} />;
  const choices = draft.prizes.map((prize) => ({ value: prize.id, label: prize.name || String(prize.id) }));
  const first = draft.prizes.at(-1)?.id ?? 0;
  const { fallback, pity } = draft;
  return (
    <>
      <div className="two">
        <Rule
          title={t('rules.fallback')}
          help={t('rules.fallbackHelp')}
          on={fallback !== null}
          turn={(on) => change({ fallback: on ? { prize: first, min: 1, max: 10, budget: 10_000 } : null })}
        >
          {fallback && (
            <div className="fields">
              <At field="fallback.prize" label={t('rules.prize')}>
                <Select
                  value={fallback.prize}
                  options={choices}
                  onChange={(prize) => change({ fallback: { ...fallback, prize } })}
                />
              </At>
              <At field="fallback.amount_min" label={t('rules.min')}>
                <Num
                  value={fallback.min}
                  change={(min) => change({ fallback: { ...fallback, min: min ?? 0 } })}
                />
              </At>
              <At field="fallback.amount_max" label={t('rules.max')}>
                <Num
                  value={fallback.max}
                  change={(max) => change({ fallback: { ...fallback, max: max ?? 0 } })}
                />
              </At>
              <At field="fallback.budget_amount" label={t('rules.budget')}>
                <Num
                  value={fallback.budget}
                  change={(budget) => change({ fallback: { ...fallback, budget: budget ?? 0 } })}
                />
              </At>
            </div>
          )}
        </Rule>
        <Rule
          title={t('rules.pity')}
          help={t('rules.pityHelp')}
          on={pity !== null}
          turn={(on) => change({ pity: on ? { prize: first, misses: 10 } : null })}
        >
          {pity && (
            <div className="fields">
              <At field="pity.prize" label={t('rules.prize')}>
                <Select
                  value={pity.prize}
                  options={choices}
                  onChange={(prize) => change({ pity: { ...pity, prize } })}
                />
              </At>
              <At field="pity.misses" label={t('rules.misses')}>
                <Num
                  value={pity.misses}
                  min={1}
                  change={(misses) => change({ pity: { ...pity, misses: misses ?? 1 } })}
                />
              </At>
            </div>
          )}
        </Rule>
        <Rule
          title={t('rules.consolation')}
          help={t('rules.consolationHelp')}
          on={draft.consolation !== null}
          turn={(on) => change({ consolation: on ? first : null })}
        >
          {draft.consolation !== null && (
            <At field="consolation" label={t('rules.prize')}>
              <Select
                value={draft.consolation}
                options={choices}
                onChange={(consolation) => change({ consolation })}
              />
            </At>
          )}
        </Rule>
      </div>
      <section className="panel gap-top">
        <h2 className="section-title">{t('rules.perPrize')}</h2>
        <p className="soft">{t('rules.labelsHelp')}</p>
        {draft.prizes.map((prize, at) => (
          <PrizeRules
            key={prize.id}
            prize={prize}
            at={at}
            set={(part) =>
              change({ prizes: draft.prizes.map((one, index) => (index === at ? { ...one, ...part } : one)) })
            }
          />
        ))}
      </section>
    </>
  );
}

interface RuleProps {
  title: string;
  help: string;
  on: boolean;
  turn: (on: boolean) => void;
  children: ReactNode;
}

function Rule({ title, help, on, turn, children }: RuleProps) {
  return (
    <section className="panel">
      <Checkbox checked={on} onChange={(event) => turn(event.target.checked)}>
        <strong>{title}</strong>
      </Checkbox>
      <p className="soft">{help}</p>
      {children}
    </section>
  );
}

interface PrizeProps {
  prize: PrizeDraft;
  at: number;
  set: (part: Partial<PrizeDraft>) => void;
}

function PrizeRules({ prize, at, set }: PrizeProps) {
  const { t } = useText();
  const field = (name: string) => `prizes[${at}].${name}`;
  const { unlock } = prize;
  return (
    <fieldset className="bare prize-rules">
      <legend>{prize.name || t('prize.nth', { n: at + 1 })}</legend>
      <div className="fields">
        <At field={field('win_cap')} label={t('rules.winCap')}>
          <Num
            value={prize.winCap}
            min={1}
            placeholder={t('unlimited')}
            change={(winCap) => set({ winCap })}
          />
        </At>
        <At field={field('unlock')} label={t('rules.unlock')}>
          <Num
            value={unlock?.draws ?? null}
            min={1}
            placeholder={t('rules.atOnce')}
            change={(draws) =>
              set({
                unlock: draws === null ? null : { scope: 'in_all', currentCounts: true, ...unlock, draws },
              })
            }
          />
        </At>
        {unlock && (
          <>
            <At field={field('unlock.scope')} label={t('rules.scope')}>
              <Select
                value={unlock.scope}
                onChange={(scope) => set({ unlock: { ...unlock, scope } })}
                options={unlockScopeValues.map((scope) => ({ value: scope, label: t(`rules.${scope}`) }))}
              />
            </At>
            <At field={field('unlock.current_counts')} label={t('rules.counting')}>
              <Checkbox
                checked={unlock.currentCounts}
                onChange={(event) => set({ unlock: { ...unlock, currentCounts: event.target.checked } })}
              >
                {t('rules.currentCounts')}
              </Checkbox>
            </At>
          </>
        )}
        <At field={field('withdrawn_for')} label={t('rules.labels')}>
          <Select
            mode="tags"
            value={prize.withdrawnFor}
            placeholder={t('rules.labelsNone')}
            aria-label={t('rules.labels')}
            tokenSeparators={[',', '，', ' ']}
            onChange={(withdrawnFor: string[]) => set({ withdrawnFor })}
            suffixIcon={null}
            open={false}
          />
        </At>
      </div>
    </fieldset>
  );
}
