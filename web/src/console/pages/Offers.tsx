// The shop's offers: what points buy.

import { useQuery } from '@tanstack/react-query';
import { api, ask, insist, read } from '../../api/client';
import { offerKindValues, offerStateValues } from '../../api/schema.gen';
import type { OfferRequest, OfferStaffBody, OfferUpdateRequest } from '../../api/wire';
import { codePoolKeys, shopKeys } from '../keys';
import type { Field } from '../logic/fields';
import { Act } from '../parts/Act';
import { Title, wordFor } from '../parts/bits';
import { useColumns } from '../parts/columns';
import { queryOf, StateChoice, useFilters } from '../parts/Filter';
import { Restock, Switch, useActivityField, windowFields, windowOf } from '../parts/fields';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { type Say, useText } from '../text';

export default function Offers() {
  const { t } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const column = useColumns();
  const columns: Column<OfferStaffBody>[] = [
    column.name((row) => row.name),
    column.state((row) => row.state),
    {
      key: 'kind',
      title: t('col.kind'),
      text: (row) => `${wordFor(t, 'kind', row.kind)}${row.amount ? ` × ${row.amount}` : ''}`,
    },
    column.number('price', t('shop.price'), (row) => row.price),
    column.number('left', t('run.left'), (row) => row.left),
    column.number('sold', t('shop.sold'), (row) => row.sold),
    {
      key: 'limit',
      title: t('inv.ownerMax'),
      text: (row) => (row.limit ? String(row.limit) : '—'),
      right: true,
    },
    column.moment('from', t('act.from'), (row) => row.from_ms),
    column.moment('until', t('act.until'), (row) => row.until_ms),
  ];
  if (may('changeStock'))
    columns.push({ key: 'acts', title: t('col.acts'), text: () => '', show: (row) => <Acts offer={row} /> });
  return (
    <>
      <Title extra={may('changeStock') && <NewOffer />}>{t('nav.shop')}</Title>
      <PageTable<OfferStaffBody>
        queryKey={shopKeys.offerRows(queryOf(get, ['state']))}
        fetch={read((signal, page) =>
          api.GET('/shop/offers', { params: { query: { ...page, ...queryOf(get, ['state']) } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="offers.csv"
        empty={t('shop.none')}
        filters={
          <StateChoice
            states={offerStateValues}
            value={get('state')}
            change={(value) => set('state', value)}
          />
        }
      />
    </>
  );
}

function changeable(t: Say, offer?: OfferStaffBody) {
  return [
    { name: 'name', label: t('col.name'), initial: offer?.name, max: 40 },
    { name: 'name_en', label: t('basics.nameEn'), optional: true, initial: offer?.name_en, max: 80 },
    { name: 'text', label: t('basics.description'), kind: 'area', optional: true, initial: offer?.text },
    {
      name: 'text_en',
      label: t('basics.descriptionEn'),
      kind: 'area',
      optional: true,
      initial: offer?.text_en,
    },
    { name: 'price', label: t('shop.price'), kind: 'number', min: 1, initial: offer?.price ?? 100 },
    {
      name: 'limit',
      label: t('inv.ownerMax'),
      kind: 'number',
      min: 0,
      initial: offer?.limit ?? 0,
      help: t('shop.limitHelp'),
    },
    ...windowFields(t, offer),
  ] as const satisfies readonly Field[];
}

function NewOffer() {
  const { t } = useText();
  const activity = useActivityField();
  const pools = useQuery({
    queryKey: codePoolKeys.choice,
    queryFn: read((signal) => api.GET('/code-pools', { params: { query: { limit: 200 } }, signal })),
  });
  return (
    <Act
      primary
      label={t('shop.new')}
      says={t('shop.newSays')}
      refresh={[shopKeys.offers]}
      done={t('saved')}
      fields={[
        {
          name: 'kind',
          label: t('col.kind'),
          kind: 'select',
          initial: 'parcel',
          options: offerKindValues.map((kind) => ({ value: kind, label: t(`kind.${kind}`) })),
        },
        ...changeable(t),
        { name: 'stock', label: t('shop.stock'), kind: 'number', min: 0, initial: 0 },
        activity,
        { name: 'amount', label: t('shop.amount'), kind: 'number', min: 1, optional: true },
        {
          name: 'pool',
          label: t('prize.pool'),
          kind: 'select',
          optional: true,
          options: (pools.data?.items ?? []).map((one) => ({ value: one.id, label: one.name })),
        },
      ]}
      run={(values, once) => {
        const { kind } = values;
        const body: OfferRequest = {
          name: values.name,
          name_en: values.name_en ?? '',
          text: values.text,
          text_en: values.text_en ?? '',
          kind,
          ...(kind === 'chances' ? { activity: values.activity ?? '', amount: values.amount ?? 0 } : {}),
          ...(kind === 'code' ? { pool: values.pool ?? '' } : {}),
          price: values.price,
          limit: values.limit,
          ...windowOf(values),
          stock: values.stock,
        };
        return insist((signal) =>
          api.POST('/shop/offers', { params: { header: { 'Idempotency-Key': once } }, body, signal }),
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
        body: { edition: offer.edition, ...part } as OfferUpdateRequest,
        signal,
      }),
    );
  return (
    <span className="row">
      <Act
        link
        label={t('rule.change')}
        says={t('shop.changeSays')}
        fields={changeable(t, offer)}
        refresh={[shopKeys.offers]}
        done={t('saved')}
        run={(values) =>
          patch({
            name: values.name,
            name_en: values.name_en ?? '',
            text: values.text,
            text_en: values.text_en ?? '',
            price: values.price,
            limit: values.limit,
            ...windowOf(values),
          })
        }
      />
      <Restock
        link
        says={t('run.restockSays', { name: offer.name })}
        send={(body) => insist((signal) => api.POST('/shop/offers/{id}/restock', { params, body, signal }))}
        refresh={[shopKeys.offers]}
      />
      <Switch
        on={offer.state === 'on'}
        words="shop"
        turn={(on) => patch({ state: on ? 'on' : 'off' })}
        refresh={[shopKeys.offers]}
      />
    </span>
  );
}
