// Grants by rule: who does something is given chances or points for it.

import { api, ask, insist, read } from '../../api/client';
import { grantGivesValues, grantPeriodValues } from '../../api/schema.gen';
import type { GrantRuleBody, GrantRuleRequest, GrantRuleUpdateRequest } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { grantKeys } from '../keys';
import type { Field } from '../logic/fields';
import { Act } from '../parts/Act';
import { Count, Title, wordFor } from '../parts/bits';
import { useColumns } from '../parts/columns';
import { queryOf, Search, useFilters } from '../parts/Filter';
import { Switch, useActivityField, windowFields, windowOf } from '../parts/fields';
import { HOME_ZONE } from '../parts/MomentInput';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { type Say, useText } from '../text';
import { Granted } from './Granted';

export default function GrantRules() {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const column = useColumns();
  const columns: Column<GrantRuleBody>[] = [
    column.name((row) => row.name),
    column.state((row) => (row.approval_id ? 'waiting' : row.on ? 'on' : 'off')),
    {
      key: 'behaviour',
      title: t('rule.behaviour'),
      text: (row) => row.behaviour,
      show: (row) => <code>{row.behaviour}</code>,
    },
    {
      key: 'gives',
      title: t('rule.gives'),
      text: (row) => `${formatNumber(row.amount, language)} ${wordFor(t, 'kind', row.gives)}`,
    },
    {
      key: 'period',
      title: t('rule.period'),
      text: (row) => `${row.times} × ${wordFor(t, 'period', row.period)}`,
    },
    {
      key: 'given',
      title: t('run.given'),
      text: (row) => String(row.given),
      show: (row) => <Given rule={row} />,
      right: true,
    },
    column.moment('from', t('act.from'), (row) => row.from_ms),
    column.moment('until', t('act.until'), (row) => row.until_ms),
  ];
  if (may('runActivities'))
    columns.push({ key: 'acts', title: t('col.acts'), text: () => '', show: (row) => <Acts rule={row} /> });
  return (
    <>
      <Title extra={may('runActivities') && <NewRule />}>{t('nav.grants')}</Title>
      <p className="soft">{t('rule.help')}</p>
      <PageTable<GrantRuleBody>
        queryKey={grantKeys.ruleRows(queryOf(get, ['behaviour']))}
        fetch={read((signal, page) =>
          api.GET('/grant-rules', {
            params: { query: { ...page, ...queryOf(get, ['behaviour']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="grant-rules.csv"
        empty={t('rule.none')}
        filters={
          <Search
            label={t('rule.behaviour')}
            value={get('behaviour')}
            change={(text) => set('behaviour', text)}
          />
        }
        detail={(row) => <Granted rule={row.id} />}
      />
    </>
  );
}

function Given({ rule }: { rule: GrantRuleBody }) {
  const { language } = useText();
  return (
    <>
      <Count n={rule.given} />
      {rule.cap_total != null && <span className="soft"> / {formatNumber(rule.cap_total, language)}</span>}
    </>
  );
}

/** What can be changed later as well. */
function changeable(t: Say, rule?: GrantRuleBody) {
  return [
    { name: 'amount', label: t('rule.amount'), kind: 'number', min: 1, initial: rule?.amount ?? 1 },
    { name: 'times', label: t('rule.times'), kind: 'number', min: 1, max: 1000, initial: rule?.times ?? 1 },
    {
      name: 'capUser',
      label: t('rule.capUser'),
      kind: 'number',
      min: 1,
      optional: true,
      initial: rule?.cap_user ?? undefined,
    },
    {
      name: 'capTotal',
      label: t('rule.capTotal'),
      kind: 'number',
      min: 1,
      optional: true,
      initial: rule?.cap_total ?? undefined,
    },
    ...windowFields(t, rule),
  ] as const satisfies readonly Field[];
}

function NewRule() {
  const { t } = useText();
  const activity = useActivityField(t('rule.activityHelp'));
  return (
    <Act
      primary
      label={t('rule.new')}
      says={t('rule.newSays')}
      refresh={[grantKeys.rules]}
      done={t('saved')}
      fields={[
        { name: 'name', label: t('col.name'), max: 40 },
        { name: 'behaviour', label: t('rule.behaviour'), help: t('rule.behaviourHelp') },
        {
          name: 'gives',
          label: t('rule.gives'),
          kind: 'select',
          initial: 'chances',
          options: grantGivesValues.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
        activity,
        {
          name: 'period',
          label: t('rule.period'),
          kind: 'select',
          initial: 'day',
          options: grantPeriodValues.map((period) => ({ value: period, label: t(`period.${period}`) })),
        },
        ...changeable(t),
      ]}
      run={(values, once) => {
        const chances = values.gives === 'chances';
        const body: GrantRuleRequest = {
          name: values.name,
          behaviour: values.behaviour,
          gives: chances ? 'chances' : 'points',
          ...(chances && values.activity ? { activity: values.activity } : {}),
          amount: values.amount,
          period: values.period,
          zone: HOME_ZONE,
          times: values.times,
          cap_user: values.capUser ?? null,
          cap_total: values.capTotal ?? null,
          ...windowOf(values),
        };
        return insist((signal) =>
          api.POST('/grant-rules', { params: { header: { 'Idempotency-Key': once } }, body, signal }),
        );
      }}
    />
  );
}

function Acts({ rule }: { rule: GrantRuleBody }) {
  const { t } = useText();
  const patch = (part: object) =>
    ask((signal) =>
      api.PATCH('/grant-rules/{id}', {
        params: { path: { id: rule.id } },
        body: { edition: rule.edition, ...part } as GrantRuleUpdateRequest,
        signal,
      }),
    );
  return (
    <span className="row">
      <Act
        link
        label={t('rule.change')}
        says={t('rule.changeSays')}
        fields={[{ name: 'name', label: t('col.name'), initial: rule.name, max: 40 }, ...changeable(t, rule)]}
        refresh={[grantKeys.rules]}
        done={t('saved')}
        run={(values) =>
          patch({
            name: values.name,
            amount: values.amount,
            times: values.times,
            cap_user: values.capUser ?? null,
            cap_total: values.capTotal ?? null,
            ...windowOf(values),
          })
        }
      />
      <Switch on={rule.on} words="rule" turn={(on) => patch({ on })} refresh={[grantKeys.rules]} />
    </span>
  );
}
