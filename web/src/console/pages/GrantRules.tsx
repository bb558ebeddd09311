// Grants by rule: who does something is given chances or points for it.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, freshId } from '../../api/client';
import type { GrantedStaffBody, GrantRuleBody, GrantRuleChange, GrantRuleNew } from '../../api/wire';
import { formatMoment, formatNumber, useText } from '../../i18n';
import { Act, asMaybe, asNumber, asText, type Field, reasonField } from '../parts/Act';
import { Count, Person, State, Title, When, wordFor } from '../parts/bits';
import { queryOf, Search, useFilters } from '../parts/Filter';
import { HOME_ZONE } from '../parts/MomentInput';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';

const KEY = ['grant-rules'];
const PERIODS = ['once', 'day', 'month', 'each'];

export default function GrantRules() {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const columns: Column<GrantRuleBody>[] = [
    { key: 'name', title: t('col.name'), text: (row) => row.name },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => (row.on ? 'on' : 'off'),
      show: (row) => <State name={row.on ? 'on' : 'off'} />,
    },
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
    {
      key: 'from',
      title: t('act.from'),
      text: (row) => (row.from_ms ? formatMoment(row.from_ms, language) : ''),
      show: (row) => <When ms={row.from_ms} />,
    },
    {
      key: 'until',
      title: t('act.until'),
      text: (row) => (row.until_ms ? formatMoment(row.until_ms, language) : ''),
      show: (row) => <When ms={row.until_ms} />,
    },
  ];
  if (may('runActivities'))
    columns.push({ key: 'acts', title: t('col.acts'), text: () => '', show: (row) => <Acts rule={row} /> });
  return (
    <>
      <Title extra={may('runActivities') && <NewRule />}>{t('nav.grants')}</Title>
      <p className="soft">{t('rule.help')}</p>
      <PageTable<GrantRuleBody>
        queryKey={[...KEY, get('behaviour')]}
        fetch={(page) =>
          ask((signal) =>
            api.GET('/grant-rules', {
              params: { query: { ...page, ...queryOf(get, ['behaviour']) } },
              signal,
            }),
          )
        }
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
function changeable(t: (key: string) => string, rule?: GrantRuleBody): Field[] {
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
    {
      name: 'from',
      label: t('act.from'),
      kind: 'moment',
      optional: true,
      initial: rule?.from_ms ?? undefined,
    },
    {
      name: 'until',
      label: t('act.until'),
      kind: 'moment',
      optional: true,
      initial: rule?.until_ms ?? undefined,
    },
  ];
}

function NewRule() {
  const { t } = useText();
  const [key] = useState(freshId);
  const running = useQuery({
    queryKey: ['activities', 'choice'],
    queryFn: () => ask((signal) => api.GET('/activities', { params: { query: { limit: 200 } }, signal })),
  });
  return (
    <Act
      primary
      label={t('rule.new')}
      says={t('rule.newSays')}
      refresh={[KEY]}
      done={t('saved')}
      fields={[
        { name: 'name', label: t('col.name'), max: 40 },
        { name: 'behaviour', label: t('rule.behaviour'), help: t('rule.behaviourHelp') },
        {
          name: 'gives',
          label: t('rule.gives'),
          kind: 'select',
          initial: 'chances',
          options: ['chances', 'points'].map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
        {
          name: 'activity',
          label: t('rule.activity'),
          kind: 'select',
          optional: true,
          help: t('rule.activityHelp'),
          options: (running.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        },
        {
          name: 'period',
          label: t('rule.period'),
          kind: 'select',
          initial: 'day',
          options: PERIODS.map((period) => ({ value: period, label: t(`period.${period}`) })),
        },
        ...changeable(t),
      ]}
      run={(values) => {
        const chances = values.gives === 'chances';
        const body: GrantRuleNew = {
          name: asText(values.name),
          behaviour: asText(values.behaviour),
          gives: asText(values.gives),
          ...(chances && asText(values.activity) ? { activity: asText(values.activity) } : {}),
          amount: asNumber(values.amount),
          period: asText(values.period),
          zone: HOME_ZONE,
          times: asNumber(values.times),
          cap_user: asMaybe(values.capUser),
          cap_total: asMaybe(values.capTotal),
          from: asMaybe(values.from),
          until: asMaybe(values.until),
        };
        return ask((signal) =>
          api.POST('/grant-rules', { params: { header: { 'Idempotency-Key': key } }, body, signal }),
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
        body: { edition: rule.edition, ...part } as GrantRuleChange,
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
        refresh={[KEY]}
        done={t('saved')}
        run={(values) =>
          patch({
            name: asText(values.name),
            amount: asNumber(values.amount),
            times: asNumber(values.times),
            cap_user: asMaybe(values.capUser),
            cap_total: asMaybe(values.capTotal),
            from: asMaybe(values.from),
            until: asMaybe(values.until),
          })
        }
      />
      <Act
        link
        danger={rule.on}
        label={t(rule.on ? 'rule.off' : 'rule.on')}
        says={t(rule.on ? 'rule.offSays' : 'rule.onSays')}
        refresh={[KEY]}
        done={t('saved')}
        run={() => patch({ on: !rule.on })}
      />
    </span>
  );
}

/** What a rule has given, newest first. */
function Granted({ rule }: { rule: string }) {
  const { t, language } = useText();
  const may = useMay();
  const key = ['grants', rule];
  const columns: Column<GrantedStaffBody>[] = [
    {
      key: 'user',
      title: t('col.user'),
      text: (row) => row.user_id,
      show: (row) => <Person id={row.user_id} />,
    },
    {
      key: 'amount',
      title: t('rule.amount'),
      text: (row) => formatNumber(row.amount, language),
      right: true,
    },
    { key: 'period', title: t('rule.period'), text: (row) => row.period },
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.at_ms, language),
      show: (row) => <When ms={row.at_ms} />,
    },
  ];
  if (may('runActivities')) {
    columns.push({
      key: 'back',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <Act
          link
          danger
          label={t('user.reverse')}
          says={t('rule.backSays')}
          fields={[reasonField(t)]}
          refresh={[key]}
          done={t('saved')}
          run={(values) =>
            ask((signal) =>
              api.POST('/grants/{id}/reverse', {
                params: { path: { id: row.id } },
                body: { reason: asText(values.reason) },
                signal,
              }),
            )
          }
        />
      ),
    });
  }
  return (
    <PageTable<GrantedStaffBody>
      queryKey={key}
      fetch={(page) => ask((signal) => api.GET('/grants', { params: { query: { ...page, rule } }, signal }))}
      columns={columns}
      rowKey={(row) => row.id}
      file="grants.csv"
      empty={t('rule.nothing')}
    />
  );
}
