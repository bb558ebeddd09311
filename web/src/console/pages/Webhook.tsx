// One webhook: its switches, its secret, and every attempt with what was sent and answered.

import { useQuery } from '@tanstack/react-query';
import { Alert } from 'antd';
import { Link, useNavigate, useParams } from 'react-router';
import { api, ask, read } from '../../api/client';
import type { DeliveryBody, WebhookBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { webhookKeys } from '../keys';
import { Act } from '../parts/Act';
import { State, stateWord, Title, When } from '../parts/bits';
import { queryOf, Search, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Pre } from '../parts/Scroll';
import { Secret } from '../parts/Secret';
import { Read } from '../parts/states';
import { useText } from '../text';
import { webhookFields } from './Webhooks';

const HOUR_MS = 3_600_000;

export default function Webhook() {
  const { id = '' } = useParams();
  const query = useQuery({
    queryKey: webhookKeys.one(id),
    queryFn: read((signal) => api.GET('/webhooks/{id}', { params: { path: { id } }, signal })),
    refetchInterval: 15_000,
  });
  return <Read from={query}>{(hook) => <Page hook={hook} />}</Read>;
}

function Page({ hook }: { hook: WebhookBody }) {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const { id } = hook;
  const key = webhookKeys.deliveries(id);
  const columns: Column<DeliveryBody>[] = [
    {
      key: 'at',
      title: t('col.at'),
      text: (row) => formatMoment(row.at_ms, language),
      show: (row) => <When exact ms={row.at_ms} />,
    },
    { key: 'kind', title: t('col.kind'), text: (row) => row.kind, show: (row) => <code>{row.kind}</code> },
    {
      key: 'came',
      title: t('hook.came'),
      text: (row) => stateWord(t, row.came),
      show: (row) => <State name={row.came} />,
    },
    {
      key: 'status',
      title: t('hook.status'),
      text: (row) => (row.status == null ? '' : String(row.status)),
      right: true,
    },
    { key: 'attempt', title: t('hook.attempt'), text: (row) => String(row.attempt), right: true },
    {
      key: 'took',
      title: t('jobs.took'),
      text: (row) => `${formatNumber(row.took_ms, language)} ms`,
      right: true,
    },
    {
      key: 'error',
      title: t('dead.error'),
      text: (row) => row.error ?? '',
      show: (row) => <span className="clip">{row.error ?? ''}</span>,
    },
    {
      key: 'delivery',
      title: t('hook.delivery'),
      text: (row) => row.delivery_id,
      show: (row) => <code>{row.delivery_id}</code>,
    },
    {
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <Act
          link
          label={t('hook.replay')}
          says={t('hook.replaySays')}
          refresh={[key]}
          done={t('hook.replayed')}
          run={() =>
            ask((signal) =>
              api.POST('/webhooks/{id}/deliveries/{delivery}/replay', {
                params: { path: { id, delivery: row.delivery_id } },
                signal,
              }),
            )
          }
        />
      ),
    },
  ];
  return (
    <>
      <Title back={<Link to="/webhooks">← {t('nav.webhooks')}</Link>} extra={<Acts hook={hook} />}>
        {hook.name} <State name={hook.on ? 'on' : 'off'} />
      </Title>
      {hook.failing_since_ms != null && (
        <Alert
          className="gap-bottom"
          type="warning"
          showIcon
          title={t('hook.failingSince', {
            n: hook.failures,
            at: formatMoment(hook.failing_since_ms, language),
          })}
        />
      )}
      {hook.off_why && <Alert className="gap-bottom" type="error" showIcon title={hook.off_why} />}
      <section className="panel">
        <dl className="facts">
          <dt>{t('hook.url')}</dt>
          <dd>
            <code>{hook.url}</code>
          </dd>
          <dt>{t('hook.kinds')}</dt>
          <dd>{hook.kinds.join(', ')}</dd>
          <dt>{t('col.made')}</dt>
          <dd>
            <When ms={hook.created_ms} />
          </dd>
          <dt>{t('keys.previous')}</dt>
          <dd>
            <When ms={hook.previous_until_ms} />
          </dd>
        </dl>
      </section>
      <h2>{t('hook.log')}</h2>
      <PageTable<DeliveryBody>
        queryKey={webhookKeys.deliveryRows(id, queryOf(get, ['delivery']))}
        fetch={read((signal, page) =>
          api.GET('/webhooks/{id}/deliveries', {
            params: { path: { id }, query: { ...page, ...queryOf(get, ['delivery']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="deliveries.csv"
        empty={t('hook.noLog')}
        refreshMs={10_000}
        filters={
          <Search
            label={t('hook.delivery')}
            value={get('delivery')}
            change={(text) => set('delivery', text)}
          />
        }
        detail={(row) => (
          <div className="two">
            <div>
              <h3>{t('hook.request')}</h3>
              <Pre>{`${row.request_head}\n\n${row.request_body}`}</Pre>
            </div>
            <div>
              <h3>{t('hook.answer')}</h3>
              <Pre>{row.answer || row.error || '—'}</Pre>
            </div>
          </div>
        )}
      />
    </>
  );
}

function Acts({ hook }: { hook: WebhookBody }) {
  const { t } = useText();
  const go = useNavigate();
  const { id } = hook;
  const params = { path: { id } };
  const refresh = [webhookKeys.all];
  return (
    <>
      <Act
        label={t('hook.test')}
        says={t('hook.testSays')}
        refresh={refresh}
        done={t('hook.tested')}
        disabled={!hook.on}
        run={() => ask((signal) => api.POST('/webhooks/{id}/test', { params, signal }))}
      />
      <Act
        label={t('hook.replayMany')}
        says={t('hook.replayManySays')}
        refresh={refresh}
        disabled={!hook.on}
        fields={[
          { name: 'from', label: t('act.from'), kind: 'moment', initial: Date.now() - HOUR_MS },
          { name: 'until', label: t('act.until'), kind: 'moment', initial: Date.now() },
        ]}
        run={async (values) => {
          const body = { from_ms: values.from, until_ms: values.until };
          let deliveries = 0;
          for (;;) {
            const told = await ask((signal) => api.POST('/webhooks/{id}/replay', { params, body, signal }));
            deliveries += told.deliveries;
            if (!told.more) return { deliveries, more: false };
          }
        }}
        outcome={(told) => <p>{t('hook.replayedN', { n: told.deliveries })}</p>}
      />
      <Act
        label={t('hook.change')}
        says={t('hook.changeSays')}
        fields={webhookFields(t, hook)}
        refresh={refresh}
        done={t('saved')}
        run={(values) =>
          ask((signal) =>
            api.PATCH('/webhooks/{id}', {
              params,
              body: {
                name: values.name,
                url: values.url,
                kinds: values.kinds,
              },
              signal,
            }),
          )
        }
      />
      <Act
        label={t('hook.rotate')}
        says={t('keys.rotateSays')}
        refresh={refresh}
        fields={[{ name: 'hours', label: t('keys.overlap'), kind: 'number', min: 0, max: 720, initial: 24 }]}
        run={(values) =>
          ask((signal) =>
            api.POST('/webhooks/{id}/rotate', {
              params,
              body: { overlap_hours: values.hours },
              signal,
            }),
          )
        }
        outcome={(told) => <Secret secret={told.secret} />}
      />
      {hook.on ? (
        <Act
          danger
          label={t('hook.off')}
          says={t('hook.offSays')}
          refresh={refresh}
          done={t('saved')}
          run={() => ask((signal) => api.POST('/webhooks/{id}/off', { params, signal }))}
        />
      ) : (
        <Act
          primary
          label={t('hook.on')}
          says={t('hook.onSays')}
          refresh={refresh}
          done={t('saved')}
          run={() => ask((signal) => api.POST('/webhooks/{id}/on', { params, signal }))}
        />
      )}
      <Act
        danger
        label={t('hook.remove')}
        says={t('hook.removeSays')}
        refresh={[webhookKeys.all]}
        done={t('saved')}
        run={async () => {
          await ask((signal) => api.DELETE('/webhooks/{id}', { params, signal }));
          await go('/webhooks');
        }}
      />
    </>
  );
}
