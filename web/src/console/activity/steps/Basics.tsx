import { useQuery } from '@tanstack/react-query';
import { Checkbox, Input, Segmented, Select } from 'antd';
import { api, read } from '../../../api/client';
import { activityKindValues, gameValues } from '../../../api/schema.gen';
import type { Game } from '../../../api/wire';
import { gamesFor } from '../../../play/games/slots';
import { treeKeys } from '../../keys';
import { countPlaces } from '../../logic/wheel';
import { MomentInput } from '../../parts/MomentInput';
import { useText } from '../../text';
import { At, Num } from '../At';
import type { StepProps } from './props';
import { Texts } from './Texts';

const ZONES = [...new Set([...Intl.supportedValuesOf('timeZone'), 'UTC'])].map((zone) => ({
  value: zone,
  label: zone,
}));

/** What it is called, when it is, and how often everybody may draw. */
export function Basics({ draft, change }: StepProps) {
  const { t } = useText();
  const raffle = draft.kind === 'raffle';
  const sale = draft.kind === 'sale';
  return (
    <div className="two">
      <section className="panel">
        <h2 className="section-title">{t('basics.what')}</h2>
        <At field="name" label={t('basics.name')}>
          <Input
            value={draft.name}
            maxLength={80}
            onChange={(event) => change({ name: event.target.value })}
          />
        </At>
        <At field="name_en" label={t('basics.nameEn')} help={t('basics.enHelp')}>
          <Input
            value={draft.texts.name_en}
            maxLength={80}
            onChange={(event) => change({ texts: { ...draft.texts, name_en: event.target.value } })}
          />
        </At>
        <At field="description" label={t('basics.description')}>
          <Input.TextArea
            value={draft.description}
            autoSize={{ minRows: 2, maxRows: 8 }}
            onChange={(event) => change({ description: event.target.value })}
          />
        </At>
        <At field="description_en" label={t('basics.descriptionEn')}>
          <Input.TextArea
            value={draft.texts.description_en}
            autoSize={{ minRows: 2, maxRows: 8 }}
            onChange={(event) => change({ texts: { ...draft.texts, description_en: event.target.value } })}
          />
        </At>
        <At field="kind" label={t('basics.kind')} help={t(`basics.${draft.kind}Help`)}>
          <Segmented
            value={draft.kind}
            onChange={(kind) => change({ kind })}
            options={activityKindValues.map((kind) => ({ value: kind, label: t(`kind.${kind}`) }))}
          />
        </At>
        {draft.kind === 'instant' && <GameChoice draft={draft} change={change} />}
        {draft.kind === 'instant' && (
          <At field="ten" label={t('basics.tenLabel')}>
            <Checkbox checked={draft.ten} onChange={(event) => change({ ten: event.target.checked })}>
              {t('basics.ten')}
            </Checkbox>
          </At>
        )}
      </section>
      <section className="panel">
        <h2 className="section-title">{t('basics.when')}</h2>
        <At field="zone" label={t('basics.zone')} help={t('basics.zoneHelp')}>
          <Select showSearch value={draft.zone} options={ZONES} onChange={(zone) => change({ zone })} />
        </At>
        <At field="from" label={t('act.from')}>
          <MomentInput
            value={draft.from}
            zone={draft.zone}
            onChange={(from) => from !== undefined && change({ from })}
          />
        </At>
        <At field="until" label={t('act.until')}>
          <MomentInput
            value={draft.until}
            zone={draft.zone}
            onChange={(until) => until !== undefined && change({ until })}
          />
        </At>
        {raffle && (
          <>
            <At field="draw_at" label={t('basics.drawAt')} help={t('basics.drawAtHelp')}>
              <MomentInput
                value={draft.drawAt}
                zone={draft.zone}
                onChange={(ms) => change({ drawAt: ms ?? null })}
              />
            </At>
            <At field="beacon" label={t('basics.beacon')} help={t('basics.beaconHelp')}>
              <Input value={draft.beacon} onChange={(event) => change({ beacon: event.target.value })} />
            </At>
          </>
        )}
      </section>
      {!sale && <Taking draft={draft} change={change} />}
      <Admission draft={draft} change={change} />
      <Texts draft={draft} change={change} />
    </div>
  );
}

/** How often everybody may draw. */
function Taking({ draft, change }: StepProps) {
  const { t } = useText();
  const chances = (part: Partial<typeof draft.chances>) => change({ chances: { ...draft.chances, ...part } });
  return (
    <section className="panel">
      <h2 className="section-title">{t('basics.chances')}</h2>
      <p className="soft">{t('basics.chancesHelp')}</p>
      <div className="three">
        <At field="chances.total" label={t('basics.total')}>
          <Num value={draft.chances.total} change={(total) => chances({ total: total ?? 0 })} />
        </At>
        <At field="chances.month" label={t('basics.month')}>
          <Num
            value={draft.chances.month}
            placeholder={t('unlimited')}
            change={(month) => chances({ month })}
          />
        </At>
        <At field="chances.day" label={t('basics.day')}>
          <Num value={draft.chances.day} placeholder={t('unlimited')} change={(day) => chances({ day })} />
        </At>
      </div>
      <At field="entries" label={t('basics.entries')} help={t('basics.entriesHelp')}>
        <Num value={draft.entries} placeholder={t('unlimited')} change={(entries) => change({ entries })} />
      </At>
    </section>
  );
}

/** Who may take part, or buy. */
function Admission({ draft, change }: StepProps) {
  const { t } = useText();
  const trees = useQuery({
    queryKey: treeKeys.choice('admission'),
    queryFn: read((signal) =>
      api.GET('/trees', { params: { query: { purpose: 'admission', limit: 200 } }, signal }),
    ),
  });
  return (
    <section className="panel">
      <h2 className="section-title">{t(draft.kind === 'sale' ? 'basics.saleWho' : 'basics.who')}</h2>
      <At field="tree" label={t('basics.tree')} help={t('basics.treeHelp')}>
        <Select
          allowClear
          value={draft.tree}
          placeholder={t('basics.everybody')}
          loading={trees.isPending}
          onChange={(tree) => change({ tree: tree ?? null })}
          options={(trees.data?.items ?? []).map((tree) => ({
            value: tree.id,
            label: tree.name || tree.id,
          }))}
        />
      </At>
    </section>
  );
}

/** Which game players see first. */
function GameChoice({ draft, change }: StepProps) {
  const { t } = useText();
  const slots = countPlaces(draft);
  const fits = gamesFor(slots);
  const label = (game: Game) =>
    fits.includes(game)
      ? t(`game.${game}`)
      : `${t(`game.${game}`)} (${t('basics.gridPlaces', { n: slots })})`;
  return (
    <At field="game" label={t('basics.game')} help={t('basics.gameHelp')}>
      <Select<Game | ''>
        value={draft.game ?? ''}
        onChange={(game) => change({ game: game === '' ? null : game })}
        options={[
          { value: '', label: t('basics.gameAny') },
          ...gameValues.map((game) => ({ value: game, label: label(game) })),
        ]}
      />
    </At>
  );
}
