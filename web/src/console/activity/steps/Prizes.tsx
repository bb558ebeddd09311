import { useQuery } from '@tanstack/react-query';
import { Button, Checkbox, Input, Select } from 'antd';
import { api, read } from '../../../api/client';
import { prizeKindValues } from '../../../api/schema.gen';
import { codePoolKeys } from '../../keys';
import { COUNTED, newPrize, type PrizeDraft, withCopy, withoutPrize } from '../../logic/draft';
import { MomentInput } from '../../parts/MomentInput';
import { Nothing } from '../../parts/states';
import { useMay } from '../../session/session';
import { useText } from '../../text';
import { At, MoneyInput, Num, Texts, useFlaws } from '../At';
import { PrizePicture } from './PrizePicture';
import type { StepProps } from './props';

/** What can be won: names, units, what one costs, and how it reaches its winner. */
export function Prizes({ draft, change }: StepProps) {
  const { t } = useText();
  const set = (at: number, part: Partial<PrizeDraft>) =>
    change({ prizes: draft.prizes.map((prize, index) => (index === at ? { ...prize, ...part } : prize)) });
  const move = (at: number, by: number) => {
    const prizes = [...draft.prizes];
    const [prize] = prizes.splice(at, 1);
    if (prize) prizes.splice(at + by, 0, prize);
    change({ prizes });
  };
  return (
    <>
      <Own field="prizes" />
      {draft.prizes.length === 0 && <Nothing text={t('prize.none')} />}
      {draft.prizes.map((prize, at) => (
        <section className="panel" key={prize.id} aria-label={prize.name || t('prize.nth', { n: at + 1 })}>
          <div className="row-between">
            <h2 className="section-title">
              <span aria-hidden="true">{isPicture(prize.picture) ? '' : prize.picture} </span>
              {prize.name || t('prize.nth', { n: at + 1 })}
            </h2>
            <div className="row">
              <Button
                size="small"
                disabled={at === 0}
                onClick={() => move(at, -1)}
                aria-label={t('prize.up')}
              >
                ↑
              </Button>
              <Button
                size="small"
                disabled={at === draft.prizes.length - 1}
                onClick={() => move(at, 1)}
                aria-label={t('prize.down')}
              >
                ↓
              </Button>
              <Button
                size="small"
                onClick={() => change(withCopy(draft, prize.id, t('prize.copyOf', { name: prize.name })))}
              >
                {t('prize.duplicate')}
              </Button>
              <Button size="small" danger onClick={() => change(withoutPrize(draft, prize.id))}>
                {t('prize.remove')}
              </Button>
            </div>
          </div>
          <OnePrize
            prize={prize}
            at={at}
            set={(part) => set(at, part)}
            raffle={draft.kind === 'raffle'}
            zone={draft.zone}
          />
        </section>
      ))}
      <Button
        type="dashed"
        block
        onClick={() => change({ prizes: [...draft.prizes, newPrize(draft.prizes)] })}
      >
        {t('prize.add')}
      </Button>
    </>
  );
}

const isPicture = (picture: string) => /^(https?:|\/)/.test(picture);

/** Flaws of the list itself. */
function Own({ field }: { field: string }) {
  const flaws = useFlaws(field).filter((flaw) => flaw.field === field);
  return flaws.length > 0 ? (
    <p className="wrong">
      <Texts flaws={flaws} />
    </p>
  ) : null;
}

interface OneProps {
  prize: PrizeDraft;
  at: number;
  set: (part: Partial<PrizeDraft>) => void;
  raffle: boolean;
  zone: string;
}

function OnePrize({ prize, at, set, raffle, zone }: OneProps) {
  const { t } = useText();
  const field = (name: string) => `prizes[${at}].${name}`;
  const grantWay: 'now' | 'by_hand' | 'at' = typeof prize.grant === 'number' ? 'at' : prize.grant;
  return (
    <div className="fields">
      <At field={field('name')} label={t('col.name')}>
        <Input value={prize.name} onChange={(event) => set({ name: event.target.value })} />
      </At>
      <At field={field('picture')} label={t('prize.picture')}>
        <PrizePicture value={prize.picture} change={(picture) => set({ picture })} />
      </At>
      <At field={field('kind')} label={t('col.kind')}>
        <Select
          value={prize.kind}
          onChange={(kind) => set({ kind, amount: COUNTED.has(kind) ? (prize.amount ?? 1) : prize.amount })}
          options={prizeKindValues.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
        />
      </At>
      {COUNTED.has(prize.kind) && (
        <At field={field('amount')} label={t('prize.amount')}>
          <Num value={prize.amount} min={1} change={(amount) => set({ amount })} />
        </At>
      )}
      {prize.kind === 'code' && (
        <CodePool field={field('pool')} value={prize.pool} change={(pool) => set({ pool })} />
      )}
      <At field={field('units')} label={t('prize.units')}>
        <Num
          value={prize.unlimited && !raffle ? null : prize.units}
          placeholder={prize.unlimited && !raffle ? t('unlimited') : undefined}
          change={(units) => set({ units, ...(units === null ? {} : { unlimited: false }) })}
        />
      </At>
      {!raffle && (
        <>
          <At field={field('unlimited')} label={t('prize.counting')}>
            <Checkbox
              checked={prize.unlimited}
              onChange={(event) => set({ unlimited: event.target.checked })}
            >
              {t('prize.unlimited')}
            </Checkbox>
          </At>
          <At field={field('cost_minor')} label={t('prize.cost')}>
            <MoneyInput value={prize.costMinor} change={(cost) => set({ costMinor: cost ?? 0 })} />
          </At>
        </>
      )}
      <At field={field('grant')} label={t('prize.grant')}>
        <Select
          value={grantWay}
          onChange={(way) => set({ grant: way === 'at' ? Date.now() : way })}
          options={(['now', 'by_hand', 'at'] as const).map((way) => ({
            value: way,
            label: t(`grant.${way}`),
          }))}
        />
      </At>
      {typeof prize.grant === 'number' && (
        <At field={field('grant')} label={t('prize.grantAt')}>
          <MomentInput
            value={prize.grant}
            zone={zone}
            onChange={(ms) => ms !== undefined && set({ grant: ms })}
          />
        </At>
      )}
      <At field={field('claim_within')} label={t('prize.claimWithin')} help={t('prize.claimHelp')}>
        <Input
          value={prize.claimWithin}
          placeholder="7d, 36h, 90m"
          onChange={(event) => set({ claimWithin: event.target.value })}
        />
      </At>
      <At field={field('name_en')} label={t('basics.nameEn')}>
        <Input
          value={prize.nameEn}
          maxLength={80}
          onChange={(event) => set({ nameEn: event.target.value })}
        />
      </At>
      <At field={field('details_en')} label={t('prize.detailsEn')}>
        <Input value={prize.detailsEn} onChange={(event) => set({ detailsEn: event.target.value })} />
      </At>
      <At field={field('details')} label={t('prize.details')} className="span-2">
        <Input value={prize.details} onChange={(event) => set({ details: event.target.value })} />
      </At>
    </div>
  );
}

export function CodePool({
  field,
  value,
  change,
}: {
  field: string;
  value: string | null;
  change: (id: string | null) => void;
}) {
  const { t } = useText();
  const may = useMay();
  const pools = useQuery({
    queryKey: codePoolKeys.choice,
    queryFn: read((signal) => api.GET('/code-pools', { params: { query: { limit: 200 } }, signal })),
    enabled: may('codes'),
  });
  return (
    <At field={field} label={t('prize.pool')} help={t('prize.poolHelp')}>
      <Select
        value={value}
        onChange={change}
        loading={pools.isPending}
        options={(pools.data?.items ?? []).map((pool) => ({
          value: pool.id,
          label: `${pool.name} (${t('codes.left')}: ${pool.left})`,
        }))}
      />
    </At>
  );
}
