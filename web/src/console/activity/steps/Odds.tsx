import { Alert, Button, Checkbox, InputNumber, Segmented, Select } from 'antd';
import { oddsModeValues, tierByValues } from '../../../api/schema.gen';
import type { TierDraft } from '../../logic/draft';
import { rescale, type Slice } from '../../logic/odds';
import { Nothing } from '../../parts/states';
import { useText } from '../../text';
import { At, Num } from '../At';
import { GamePreview } from '../GamePreview';
import { OddsTable } from '../OddsTable';
import type { StepProps } from './props';

const WHOLES = [100, 10_000, 1_000_000, 1_000_000_000];

/** How likely each prize is, for everybody and for those who have drawn or spent more. */
export function Odds({ draft, change }: StepProps) {
  const { t } = useText();
  if (draft.kind === 'raffle') return <Alert type="info" showIcon title={t('odds.raffle')} />;
  if (draft.prizes.length === 0) return <Nothing text={t('odds.noPrizes')} />;
  const drawn = draft.prizes.map((prize, at) => ({ prize, at })).filter(({ prize }) => prize.odds !== null);
  const rows = drawn.map(({ prize, at }) => ({
    odds: prize.odds ?? 0,
    locked: prize.locked,
    name: prize.name || t('prize.nth', { n: at + 1 }),
    picture: prize.picture,
    field: `prizes[${at}].odds`,
  }));
  const set = (slices: Slice[]) => {
    const byPlace = new Map(drawn.map(({ at }, index) => [at, slices[index]]));
    change({
      prizes: draft.prizes.map((prize, at) => {
        const slice = byPlace.get(at);
        return slice ? { ...prize, odds: slice.odds, locked: slice.locked } : prize;
      }),
    });
  };
  const setWhole = (whole: number) => {
    const scaled = rescale(rows, draft.whole, whole);
    const tiers = draft.tiers.map((tier) => {
      const slices = rescale(
        tier.odds.map(({ odds }) => ({ odds, locked: false })),
        draft.whole,
        whole,
      );
      return { ...tier, odds: tier.odds.map((one, at) => ({ ...one, odds: slices[at]?.odds ?? 0 })) };
    });
    const byPlace = new Map(drawn.map(({ at }, index) => [at, scaled[index]?.odds]));
    const prizes = draft.prizes.map((prize, at) => ({ ...prize, odds: byPlace.get(at) ?? prize.odds }));
    change({ whole, tiers, prizes });
  };
  return (
    <>
      <div className="odds-page">
        <section className="panel">
          <h2 className="section-title">{t('odds.everybody')}</h2>
          <OddsTable rows={rows} whole={draft.whole} change={set} />
          <fieldset className="bare">
            <legend>{t('odds.byRule')}</legend>
            {draft.prizes.map((prize, at) => (
              <Checkbox
                key={prize.id}
                checked={prize.odds === null}
                onChange={(event) =>
                  change({
                    prizes: draft.prizes.map((one, index) =>
                      index === at ? { ...one, odds: event.target.checked ? null : 0 } : one,
                    ),
                  })
                }
              >
                {prize.name || t('prize.nth', { n: at + 1 })}
              </Checkbox>
            ))}
          </fieldset>
        </section>
        <section className="panel centre-text">
          <h2 className="section-title">{t('wheel.title')}</h2>
          <GamePreview draft={draft} />
          <Slots draft={draft} change={change} />
        </section>
      </div>
      <section className="panel">
        <div className="fields">
          <At field="whole" label={t('odds.whole')} help={t('odds.wholeHelp')}>
            <Select
              value={draft.whole}
              onChange={setWhole}
              options={[...new Set([...WHOLES, draft.whole])].map((whole) => ({
                value: whole,
                label: whole.toLocaleString(),
              }))}
            />
          </At>
          <At field="mode" label={t('odds.mode')} help={t(`odds.${draft.mode}Help`)}>
            <Segmented
              value={draft.mode}
              onChange={(mode) => change({ mode })}
              options={oddsModeValues.map((mode) => ({ value: mode, label: t(`odds.${mode}`) }))}
            />
          </At>
        </div>
      </section>
      <Tiers draft={draft} change={change} />
    </>
  );
}

function Slots({ draft, change }: StepProps) {
  const { t } = useText();
  return (
    <details>
      <summary>{t('wheel.slots')}</summary>
      <table className="plain-table">
        <tbody>
          {draft.prizes.map((prize, at) => (
            <tr key={prize.id}>
              <th scope="row">{prize.name || t('prize.nth', { n: at + 1 })}</th>
              <td>
                <InputNumber<number>
                  aria-label={t('wheel.slotOf', { name: prize.name })}
                  min={0}
                  precision={0}
                  value={prize.slot}
                  placeholder={String(at)}
                  onChange={(slot) =>
                    change({
                      prizes: draft.prizes.map((one, index) => (index === at ? { ...one, slot } : one)),
                    })
                  }
                />
              </td>
            </tr>
          ))}
          <tr>
            <th scope="row">{t('odds.none')}</th>
            <td>
              <InputNumber<number>
                aria-label={t('wheel.slotOf', { name: t('odds.none') })}
                min={0}
                precision={0}
                value={draft.missSlot}
                onChange={(missSlot) => change({ missSlot })}
              />
            </td>
          </tr>
        </tbody>
      </table>
    </details>
  );
}

function Tiers({ draft, change }: StepProps) {
  const { t } = useText();
  const set = (at: number, part: Partial<TierDraft>) =>
    change({ tiers: draft.tiers.map((tier, index) => (index === at ? { ...tier, ...part } : tier)) });
  const add = () => {
    const from = (draft.tiers.at(-1)?.from ?? 0) + 10;
    const odds = draft.prizes
      .filter((prize) => prize.odds !== null)
      .map(({ id, odds: own }) => ({ prize: id, odds: own ?? 0 }));
    change({ tiers: [...draft.tiers, { from, odds }] });
  };
  return (
    <section className="panel">
      <h2 className="section-title">{t('tiers.title')}</h2>
      <p className="soft">{t('tiers.help')}</p>
      {draft.tiers.length > 0 && (
        <At field="tiers.by" label={t('tiers.by')}>
          <Segmented
            value={draft.tiersBy}
            onChange={(tiersBy) => change({ tiersBy })}
            options={tierByValues.map((by) => ({ value: by, label: t(`tiers.${by}`) }))}
          />
        </At>
      )}
      {draft.tiers.map((tier, at) => (
        <Tier
          // biome-ignore lint/suspicious/noArrayIndexKey: steps have nothing but their place
          key={at}
          draft={draft}
          tier={tier}
          at={at}
          set={(part) => set(at, part)}
          remove={() => change({ tiers: draft.tiers.filter((_, index) => index !== at) })}
        />
      ))}
      <Button type="dashed" onClick={add}>
        {t('tiers.add')}
      </Button>
    </section>
  );
}

interface TierProps {
  draft: StepProps['draft'];
  tier: TierDraft;
  at: number;
  set: (part: Partial<TierDraft>) => void;
  remove: () => void;
}

function Tier({ draft, tier, at, set, remove }: TierProps) {
  const { t } = useText();
  const known = new Map(draft.prizes.map((prize) => [prize.id, prize]));
  const rows = tier.odds.map((one, index) => ({
    odds: one.odds,
    locked: false,
    name: known.get(one.prize)?.name ?? String(one.prize),
    picture: known.get(one.prize)?.picture ?? '',
    field: `tiers.steps[${at}].odds[${index}]`,
  }));
  const missing = draft.prizes.filter((prize) => !tier.odds.some((one) => one.prize === prize.id));
  return (
    <div className="tier">
      <div className="row-between">
        <At
          field={`tiers.steps[${at}].from`}
          label={t(draft.tiersBy === 'draws' ? 'tiers.fromDraws' : 'tiers.fromPoints')}
        >
          <Num value={tier.from} change={(from) => set({ from: from ?? 0 })} />
        </At>
        <Button danger size="small" onClick={remove}>
          {t('tiers.remove')}
        </Button>
      </div>
      <OddsTable
        rows={rows}
        whole={draft.whole}
        change={(slices) =>
          set({ odds: tier.odds.map((one, index) => ({ ...one, odds: slices[index]?.odds ?? 0 })) })
        }
      />
      {missing.length > 0 && (
        <Select
          className="filter"
          value={null}
          placeholder={t('tiers.addPrize')}
          aria-label={t('tiers.addPrize')}
          onChange={(id: number | null) =>
            id !== null && set({ odds: [...tier.odds, { prize: id, odds: 0 }] })
          }
          options={missing.map((prize) => ({ value: prize.id, label: prize.name }))}
        />
      )}
    </div>
  );
}
