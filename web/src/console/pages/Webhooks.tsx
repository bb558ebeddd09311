import { Link } from 'react-router';
import { api, insist, read } from '../../api/client';
import { eventFilterValues, webhookFormatValues } from '../../api/schema.gen';
import type { WebhookBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { webhookKeys } from '../keys';
import type { Field } from '../logic/fields';
import { Act } from '../parts/Act';
import { State, Title, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { Secret } from '../parts/Secret';
import { type Say, useText } from '../text';

/** Every kind of event there is. A test is not subscribed to: it is asked for by a button. */
const KINDS = eventFilterValues.filter((kind) => kind !== 'webhook.test');

export function webhookFields(t: Say, from?: WebhookBody) {
  return [
    { name: 'name', label: t('col.name'), initial: from?.name, max: 40 },
    { name: 'url', label: t('hook.url'), initial: from?.url, max: 500 },
    {
      name: 'kinds',
      label: t('hook.kinds'),
      kind: 'many',
      initial: from?.kinds,
      help: t('hook.kindsHelp'),
      options: KINDS.map((kind) => ({
        value: kind,
        label: kind === '*' ? t('hook.every') : kind,
      })),
    },
  ] as const satisfies readonly Field[];
}

/** A program, or the people of a chat. It is chosen once: a chat takes no events, and a program no sentences. */
function formatField(t: Say) {
  return {
    name: 'format',
    label: t('hook.format'),
    kind: 'select',
    initial: 'event',
    help: t('hook.formatHelp'),
    options: webhookFormatValues.map((value) => ({ value, label: t(`hook.format.${value}`) })),
  } as const satisfies Field;
}

/** Who is told what happens here. */
export default function Webhooks() {
  const { t, language } = useText();
  const columns: Column<WebhookBody>[] = [
    {
      key: 'name',
      title: t('col.name'),
      text: (row) => row.name,
      show: (row) => <Link to={`/webhooks/${row.id}`}>{row.name}</Link>,
    },
    { key: 'url', title: t('hook.url'), text: (row) => row.url, show: (row) => <code>{row.url}</code> },
    {
      key: 'format',
      title: t('hook.format'),
      text: (row) => t(`hook.format.${row.format}`),
    },
    { key: 'kinds', title: t('hook.kinds'), text: (row) => row.kinds.join(', ') },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => (row.on ? 'on' : 'off'),
      show: (row) => <State name={row.on ? 'on' : 'off'} />,
    },
    {
      key: 'failing',
      title: t('hook.failing'),
      text: (row) => (row.failing_since_ms ? formatMoment(row.failing_since_ms, language) : ''),
      show: (row) =>
        row.failing_since_ms ? (
          <span className="wrong">
            <When ms={row.failing_since_ms} /> ({row.failures})
          </span>
        ) : (
          '—'
        ),
    },
  ];
  return (
    <>
      <Title
        extra={
          <Act
            primary
            label={t('hook.new')}
            says={t('hook.newSays')}
            fields={[...webhookFields(t), formatField(t)]}
            refresh={[webhookKeys.all]}
            run={(values, once) =>
              insist((signal) =>
                api.POST('/webhooks', {
                  params: { header: { 'Idempotency-Key': once } },
                  body: {
                    name: values.name,
                    url: values.url,
                    kinds: values.kinds,
                    format: values.format,
                  },
                  signal,
                }),
              )
            }
            outcome={(told) => <Secret secret={told.secret} />}
          />
        }
      >
        {t('nav.webhooks')}
      </Title>
      <PageTable<WebhookBody>
        queryKey={webhookKeys.rows}
        fetch={read((signal) => api.GET('/webhooks', { signal }))}
        columns={columns}
        rowKey={(row) => row.id}
        file="webhooks.csv"
        empty={t('hook.none')}
        refreshMs={15_000}
      />
    </>
  );
}
