// The shop's offers: what points buy.
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, freshId } from '../../api/client';
import type { OfferEdited, OfferNew, OfferStaffBody } from '../../api/wire';
import { formatMoment, formatNumber, useText } from '../../i18n';
import { Act, asMaybe, asNumber, asText, type Field, reasonField } from '../parts/Act';
import { Count, State, stateWord, Title, When, wordFor } from '../parts/bits';
import { Choice, queryOf, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';

const KEY = ['offers'];
const KINDS = ['chances', 'code', 'coupon', 'parcel', 'text'];

export default function Offers() {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const columns: Column<OfferStaffBody>[] = [
    { key: 'name', title: t('col.name'), text: (row) => row.name },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => <State name={row.state} />,
    },
    {
      key: 'kind',
      title: t('col.kind'),
      text: (row) => `${wordFor(t, 'kind', row.kind)}${row.amount ? ` × ${row.amount}` : ''}`,
    },
    { key: 'price', title: t('shop.price'), text: (row) => formatNumber(row.price, language), right: true },
    {
      key: 'left',
      title: t('run.left'),
      text: (row) => String(row.left),
      show: (row) => <Count n={row.left} />,
      right: true,
    },
    {
      key: 'sold',
      title: t('shop.sold'),
      text: (row) => String(row.sold),
      show: (row) => <Count n={row.sold} />,
      right: true,
    },
    {
      key: 'limit',
      title: t('inv.ownerMax'),
      text: (row) => (row.limit ? String(row.limit) : '—'),
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
  if (may('changeStock'))
    columns.push({ key: 'acts', title: t('col.acts'), text: () => '', show: (row) => <Acts offer={row} /> });
  return (
    <>
      <Title extra={may('changeStock') && <NewOffer />}>{t('nav.shop')}</Title>
      <PageTable<OfferStaffBody>
        queryKey={[...KEY, get('state')]}
        fetch={(page) =>
          ask((signal) =>
            api.GET('/shop/offers', { params: { query: { ...page, ...queryOf(get, ['state']) } }, signal }),
          )
        }
        columns={columns}
        rowKey={(row) => row.id}
        file="offers.csv"
        empty={t('shop.none')}
        filters={
          <Choice
            label={t('col.state')}
            value={get('state')}
            change={(value) => set('state', value)}
            options={['draft', 'on', 'off'].map((name) => ({ value: name, label: stateWord(t, name) }))}
          />
        }
      />
    </>
  );
}

function changeable(t: (key: string) => string, offer?: OfferStaffBody): Field[] {
  return [
    { name: 'name', label: t('col.name'), initial: offer?.name, max: 40 },
    { name: 'text', label: t('basics.description'), kind: 'area', optional: true, initial: offer?.text },
    { name: 'price', label: t('shop.price'), kind: 'number', min: 1, initial: offer?.price ?? 100 },
    {
      name: 'limit',
      label: t('inv.ownerMax'),
      kind: 'number',
      min: 0,
      initial: offer?.limit ?? 0,
      help: t('shop.limitHelp'),
    },
    {
      name: 'from',
      label: t('act.from'),
      kind: 'moment',
      optional: true,
      initial: offer?.from_ms ?? undefined,
    },
    {
      name: 'until',
      label: t('act.until'),
      kind: 'moment',
      optional: true,
      initial: offer?.until_ms ?? undefined,
    },
  ];
}

function NewOffer() {
  const { t } = useText();
  const [key] = useState(freshId);
  const activities = useQuery({
    queryKey: ['activities', 'choice'],
    queryFn: () => ask((signal) => api.GET('/activities', { params: { query: { limit: 200 } }, signal })),
  });
  const pools = useQuery({
    queryKey: ['code-pools', 'choice'],
    queryFn: () => ask((signal) => api.GET('/code-pools', { params: { query: { limit: 200 } }, signal })),
  });
  return (
    <Act
      primary
      label={t('shop.new')}
      says={t('shop.newSays')}
      refresh={[KEY]}
      done={t('saved')}
      fields={[
        {
          name: 'kind',
          label: t('col.kind'),
          kind: 'select',
          initial: 'parcel',
          options: KINDS.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
        ...changeable(t),
        { name: 'stock', label: t('shop.stock'), kind: 'number', min: 0, initial: 0 },
        {
          name: 'activity',
          label: t('rule.activity'),
          kind: 'select',
          optional: true,
          options: (activities.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        },
        { name: 'amount', label: t('shop.amount'), kind: 'number', min: 1, optional: true },
        {
          name: 'pool',
          label: t('prize.pool'),
          kind: 'select',
          optional: true,
          options: (pools.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        },
      ]}
      run={(values) => {
        const kind = asText(values.kind);
        const body: OfferNew = {
          name: asText(values.name),
          text: asText(values.text),
          kind,
          ...(kind === 'chances'
            ? { activity: asText(values.activity), amount: asNumber(values.amount) }
            : {}),
          ...(kind === 'code' ? { pool: asText(values.pool) } : {}),
          price: asNumber(values.price),
          limit: asNumber(values.limit),
          from: asMaybe(values.from),
          until: asMaybe(values.until),
          stock: asNumber(values.stock),
        };
        return ask((signal) =>
          api.POST('/shop/offers', { params: { header: { 'Idempotency-Key': key } }, body, signal }),
        );
      }}
    />
  );
}

function Acts({ offer }: { offer: OfferStaffBody }) {
  const { t } = useText();
  const params = { path: { id: offer.id } };
  const patch = (part: object) =>
    ask((signal) =>
      api.PATCH('/shop/offers/{id}', {
        params,
        body: { edition: offer.edition, ...part } as OfferEdited,
        signal,
      }),
    );
  const on = offer.state === 'on';
  return (
    <span className="row">
      <Act
        link
        label={t('rule.change')}
        says={t('shop.changeSays')}
        fields={changeable(t, offer)}
        refresh={[KEY]}
        done={t('saved')}
        run={(values) =>
          patch({
            name: asText(values.name),
            text: asText(values.text),
            price: asNumber(values.price),
            limit: asNumber(values.limit),
            from: asMaybe(values.from),
            until: asMaybe(values.until),
          })
        }
      />
      <Act
        link
        label={t('run.restock')}
        says={t('run.restockSays', { name: offer.name })}
        refresh={[KEY]}
        done={t('saved')}
        fields={[
          { name: 'delta', label: t('run.delta'), kind: 'number', help: t('run.deltaHelp') },
          reasonField(t),
        ]}
        run={(values) =>
          ask((signal) =>
            api.POST('/shop/offers/{id}/restock', {
              params,
              body: { id: freshId(), delta: asNumber(values.delta), reason: asText(values.reason) },
              signal,
            }),
          )
        }
      />
      <Act
        link
        danger={on}
        label={t(on ? 'shop.off' : 'shop.on')}
        says={t(on ? 'shop.offSays' : 'shop.onSays')}
        refresh={[KEY]}
        done={t('saved')}
        run={() => patch({ state: on ? 'off' : 'on' })}
      />
    </span>
  );
}
