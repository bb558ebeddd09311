// Prizes on their way, by state and kind, with the steps that each allows.

import { useQuery } from '@tanstack/react-query';
import { api, read } from '../../api/client';
import { fulfilmentStateValues, prizeKindValues } from '../../api/schema.gen';
import type { FulfilmentBody } from '../../api/wire';
import { fulfilmentKeys } from '../keys';
import { openWord, Title, When, wordFor } from '../parts/bits';
import { useColumns } from '../parts/columns';
import { Choice, Csv, queryOf, Search, StateChoice, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';
import { FulfilmentActs } from './FulfilmentActs';

export default function Fulfilment() {
  const { t } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const column = useColumns();
  const filter = queryOf(get, ['state', 'kind', 'activity']);
  const columns: Column<FulfilmentBody>[] = [
    column.id((row) => row.id),
    { key: 'prize', title: t('odds.prize'), text: (row) => row.prize_name ?? String(row.prize ?? '') },
    { key: 'kind', title: t('col.kind'), text: (row) => wordFor(t, 'kind', row.kind) },
    column.state((row) => row.state),
    column.user((row) => row.user_id),
    column.moment('made', t('ful.won'), (row) => row.made_at_ms),
    column.moment('changed', t('col.changed'), (row) => row.changed_at_ms),
    {
      key: 'note',
      title: t('ful.note'),
      text: (row) => (row.note ? openWord(t, 'order.why', row.note) : (row.tracking ?? '')),
    },
  ];
  if (may('fulfil')) {
    columns.push({
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => <FulfilmentActs row={row} />,
    });
  }
  return (
    <>
      <Title extra={<Csv path="/fulfilments.csv" query={filter} label={t('ful.csv')} />}>
        {t('nav.fulfilment')}
      </Title>
      <PageTable<FulfilmentBody>
        queryKey={fulfilmentKeys.rows(filter)}
        fetch={read((signal, page) =>
          api.GET('/fulfilments', { params: { query: { ...page, ...filter } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        refreshMs={30_000}
        {...(may('fulfil') ? { detail: (row: FulfilmentBody) => <Detail id={row.id} /> } : {})}
        filters={
          <>
            <StateChoice
              states={fulfilmentStateValues}
              value={get('state')}
              change={(value) => set('state', value)}
            />
            <Choice
              label={t('col.kind')}
              value={get('kind')}
              change={(value) => set('kind', value)}
              options={prizeKindValues.map((name) => ({ value: name, label: t(`kind.${name}`) }))}
            />
            <Search
              label={t('ful.activity')}
              value={get('activity')}
              change={(text) => set('activity', text)}
            />
          </>
        }
      />
    </>
  );
}

function Detail({ id }: { id: string }) {
  const { t } = useText();
  const query = useQuery({
    queryKey: fulfilmentKeys.one(id),
    queryFn: read((signal) => api.GET('/fulfilments/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Read from={query}>
      {(one) => (
        <dl className="facts">
          <dt>{t('ful.activity')}</dt>
          <dd>
            <code>{one.activity}</code>
          </dd>
          <dt>{t('ful.due')}</dt>
          <dd>
            <When ms={one.due_ms} />
          </dd>
          <dt>{t('ful.claimUntil')}</dt>
          <dd>
            <When ms={one.claim_until_ms} />
          </dd>
          <dt>{t('ful.claimed')}</dt>
          <dd>
            <When ms={one.claimed_at_ms} />
          </dd>
          {one.carrier && (
            <>
              <dt>{t('ful.carrier')}</dt>
              <dd>
                {one.carrier} {one.tracking}
              </dd>
            </>
          )}
          {one.address && (
            <>
              <dt>{t('ful.address')}</dt>
              <dd>
                {one.address.recipient}, {one.address.phone}
                <br />
                {one.address.region} {one.address.street} {one.address.postcode}
              </dd>
            </>
          )}
        </dl>
      )}
    </Read>
  );
}
