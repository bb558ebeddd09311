// What people reported, one row for each thing: the reports, a reported message on request, and the decision.
import { useMutation } from '@tanstack/react-query';
import { Button, Input, Space } from 'antd';
import { useState } from 'react';
import { api, ask, read } from '../../api/client';
import { reportStateValues } from '../../api/schema.gen';
import type { ReportCaseBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { reportKeys } from '../keys';
import { threadPath } from '../logic/threadPath';
import { Act, reasonField } from '../parts/Act';
import { Count, Title, When } from '../parts/bits';
import { Choice, queryOf, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Trouble } from '../parts/states';
import { useText } from '../text';

/** Where moderators read what was reported: the players' pages show it in any state, with the acts for it. */
function pathOf({ on, thread_on, thread }: ReportCaseBody): string | undefined {
  if (on === 'message' || !thread || !thread_on) return undefined;
  return threadPath(thread_on, thread);
}

export default function Reports() {
  const { t, language } = useText();
  const [get, set] = useFilters();
  const query = queryOf(get, ['state', 'sort']);
  const decide = (row: ReportCaseBody, upheld: boolean) => (
    <Act
      link
      danger={upheld}
      label={t(upheld ? 'reports.uphold' : 'reports.dismiss')}
      says={t(upheld ? 'reports.upholdSays' : 'reports.dismissSays')}
      fields={[reasonField(t)]}
      refresh={[reportKeys.rows]}
      done={t('reports.decided')}
      run={({ reason }) =>
        ask((signal) =>
          api.POST('/admin/reports/{id}/decide', {
            params: { path: { id: row.id } },
            body: { upheld, reason },
            signal,
          }),
        )
      }
    />
  );
  const columns: Column<ReportCaseBody>[] = [
    {
      key: 'what',
      title: t('reports.what'),
      text: (row) => `${t(`reports.on.${row.on}`)} ${row.excerpt ?? ''}`,
      show: (row) => {
        const path = pathOf(row);
        return (
          <>
            {t(`reports.on.${row.on}`)}{' '}
            {path ? <a href={path}>{row.excerpt ?? row.author.name}</a> : row.excerpt}
            {row.post_state && row.post_state !== 'visible' && ` (${t(`reports.post.${row.post_state}`)})`}
          </>
        );
      },
    },
    {
      key: 'author',
      title: t('reports.author'),
      text: (row) => row.author.name,
      show: (row) => <a href={`/members/${row.author.id}`}>{row.author.name}</a>,
    },
    {
      key: 'reports',
      title: t('reports.count'),
      text: (row) => String(row.reports),
      show: (row) => <Count n={row.reports} />,
    },
    {
      key: 'newest',
      title: t('reports.newest'),
      text: (row) => formatMoment(row.newest_at_ms, language),
      show: (row) => <When exact ms={row.newest_at_ms} />,
    },
    {
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) =>
        row.state === 'open' ? (
          <>
            {decide(row, true)}
            {decide(row, false)}
          </>
        ) : (
          t(`reports.state.${row.state}`)
        ),
    },
  ];
  return (
    <>
      <Title>{t('nav.reports')}</Title>
      <PageTable<ReportCaseBody>
        queryKey={reportKeys.list(query)}
        fetch={read((signal, page) =>
          api.GET('/admin/reports', { params: { query: { ...page, ...query } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="reports.csv"
        empty={t('reports.none')}
        refreshMs={30_000}
        detail={(row) => <Case row={row} />}
        filters={
          <>
            <Choice
              label={t('reports.state')}
              value={get('state')}
              change={(value) => set('state', value)}
              options={reportStateValues.map((value) => ({ value, label: t(`reports.state.${value}`) }))}
            />
            <Choice
              label={t('reports.sort')}
              value={get('sort')}
              change={(value) => set('sort', value)}
              options={[{ value: 'most', label: t('reports.most') }]}
            />
          </>
        }
      />
    </>
  );
}

function Case({ row }: { row: ReportCaseBody }) {
  const { t } = useText();
  return (
    <div className="two">
      <div>
        <h3>{t('reports.said')}</h3>
        <ul className="story">
          {row.newest.map((report) => (
            <li key={`${report.made_at_ms} ${report.reason} ${report.text}`}>
              <When exact ms={report.made_at_ms} /> {t(`reports.reason.${report.reason}`)}
              {report.text && `: ${report.text}`}
            </li>
          ))}
        </ul>
      </div>
      {row.on === 'message' && row.state === 'open' && <Disclosure row={row} />}
    </div>
  );
}

/** The reported message with five on either side, for a reason that the audit log keeps. */
function Disclosure({ row }: { row: ReportCaseBody }) {
  const { t } = useText();
  const [reason, setReason] = useState('');
  const disclose = useMutation({
    mutationFn: () =>
      ask((signal) =>
        api.POST('/admin/reports/{id}/disclose', {
          params: { path: { id: row.id } },
          body: { reason },
          signal,
        }),
      ),
  });
  return (
    <div>
      <h3>{t('reports.messages')}</h3>
      <p>{t('reports.messagesSays')}</p>
      <Space.Compact block>
        <Input
          aria-label={t('reports.why')}
          placeholder={t('reports.why')}
          value={reason}
          onChange={(event) => setReason(event.target.value)}
        />
        <Button
          disabled={reason.trim() === ''}
          loading={disclose.isPending}
          onClick={() => disclose.mutate()}
        >
          {t('reports.show')}
        </Button>
      </Space.Compact>
      {disclose.error && <Trouble error={disclose.error} />}
      {disclose.data && (
        <ol className="story" aria-label={t('reports.messages')}>
          {disclose.data.items.map((message) => (
            <li key={message.n} value={message.n}>
              <When exact ms={message.sent_at_ms} />{' '}
              {message.sender === row.author.id ? row.author.name : t('reports.other')}:{' '}
              {message.reported ? <strong>{message.text}</strong> : message.text}
            </li>
          ))}
        </ol>
      )}
    </div>
  );
}
