// Prizes on their way, by state and kind, with the steps that each allows.
import { useQuery } from '@tanstack/react-query';
import { API_ROOT, api, ask } from '../../api/client';
import type { FulfilmentBody } from '../../api/wire';
import { formatMoment, useText } from '../../i18n';
import { Person, State, stateWord, Title, When, wordFor } from '../parts/bits';
import { Choice, queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Read } from '../parts/states';
import { useMay } from '../session/session';
import { FulfilmentActs } from './FulfilmentActs';

const STATES = [
  'waiting',
  'claimable',
  'ready',
  'to_ship',
  'shipped',
  'handed_over',
  'failed',
  'given',
  'unclaimed',
  'voided',
];
const KINDS = ['text', 'code', 'coupon', 'parcel', 'points', 'chances'];
export const FULFILMENTS = ['fulfilments'];

export default function Fulfilment() {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const columns: Column<FulfilmentBody>[] = [
    { key: 'id', title: t('col.id'), text: (row) => row.id, show: (row) => <code>{row.id}</code> },
    { key: 'prize', title: t('odds.prize'), text: (row) => row.prize_name ?? String(row.prize) },
    { key: 'kind', title: t('col.kind'), text: (row) => wordFor(t, 'kind', row.kind) },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => stateWord(t, row.state),
      show: (row) => <State name={row.state} />,
    },
    {
      key: 'user',
      title: t('col.user'),
      text: (row) => row.user_id,
      show: (row) => <Person id={row.user_id} />,
    },
    {
      key: 'made',
      title: t('ful.won'),
      text: (row) => formatMoment(row.made_at_ms, language),
      show: (row) => <When ms={row.made_at_ms} />,
    },
    {
      key: 'changed',
      title: t('col.changed'),
      text: (row) => formatMoment(row.changed_at_ms, language),
      show: (row) => <When ms={row.changed_at_ms} />,
    },
    { key: 'note', title: t('ful.note'), text: (row) => row.note ?? row.tracking ?? '' },
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
      <Title
        extra={
          <a
            href={`${API_ROOT}/fulfilments.csv?${new URLSearchParams(Object.entries(queryOf(get, ['state', 'kind', 'activity'])) as string[][])}`}
            download="fulfilments.csv"
          >
            {t('ful.csv')}
          </a>
        }
      >
        {t('nav.fulfilment')}
      </Title>
      <PageTable<FulfilmentBody>
        queryKey={[...FULFILMENTS, get('state'), get('kind'), get('activity')]}
        fetch={(page) =>
          ask((signal) =>
            api.GET('/fulfilments', {
              params: { query: { ...page, ...queryOf(get, ['state', 'kind', 'activity']) } },
              signal,
            }),
          )
        }
        columns={columns}
        rowKey={(row) => row.id}
        refreshMs={30_000}
        {...(may('fulfil') ? { detail: (row: FulfilmentBody) => <Detail id={row.id} /> } : {})}
        filters={
          <>
            <Choice
              label={t('col.state')}
              value={get('state')}
              change={(value) => set('state', value)}
              options={STATES.map((name) => ({ value: name, label: stateWord(t, name) }))}
            />
            <Choice
              label={t('col.kind')}
              value={get('kind')}
              change={(value) => set('kind', value)}
              options={KINDS.map((name) => ({ value: name, label: t(`kind.${name}`) }))}
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
    queryKey: [...FULFILMENTS, 'one', id],
    queryFn: () => ask((signal) => api.GET('/fulfilments/{id}', { params: { path: { id } }, signal })),
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
