import { useQuery } from '@tanstack/react-query';
import { api, ask, read } from '../../api/client';
import { Problem } from '../../api/problem';
import type { JobBody, RunBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { siteKeys } from '../keys';
import { Act } from '../parts/Act';
import { Count, openWord, State, Title, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay } from '../session/session';
import { useText } from '../text';

/** The recurring jobs, with their last runs. */
export default function Jobs() {
  const { t, language } = useText();
  const may = useMay();
  const columns: Column<JobBody>[] = [
    {
      key: 'name',
      title: t('col.name'),
      text: (row) => row.name,
      show: (row) => (
        <>
          <code>{row.name}</code>
          <span className="soft fine slim">{openWord(t, 'job', row.name)}</span>
        </>
      ),
    },
    {
      key: 'schedule',
      title: t('jobs.schedule'),
      text: (row) => [row.schedule, ...parametersOf(row)].join(', '),
      show: (row) => (
        <>
          <code>{row.schedule}</code>
          <code className="soft fine slim">{parametersOf(row).join(', ')}</code>
        </>
      ),
    },
    {
      key: 'state',
      title: t('col.state'),
      text: (row) => (row.paused ? t('state.paused') : t('state.on')),
      show: (row) => <State name={row.paused ? 'paused' : 'on'} />,
    },
    {
      key: 'last',
      title: t('jobs.last'),
      text: (row) =>
        row.last_run
          ? `${formatMoment(row.last_run.started_ms, language)} ${row.last_run.outcome ?? ''}`
          : '',
      show: (row) =>
        row.last_run ? (
          <>
            {row.last_run.outcome ? <State name={row.last_run.outcome} /> : <State name="running" />}
            <br />
            <When exact ms={row.last_run.started_ms} />
          </>
        ) : (
          '—'
        ),
    },
    {
      key: 'next',
      title: t('jobs.next'),
      text: (row) => formatMoment(row.next_due_ms, language),
      show: (row) => (row.paused ? '—' : <When ms={row.next_due_ms} />),
    },
  ];
  if (may('changeJobs')) {
    columns.push({ key: 'acts', title: t('col.acts'), text: () => '', show: (row) => <Acts job={row} /> });
  }
  return (
    <>
      <Title>{t('nav.jobs')}</Title>
      <PageTable<JobBody>
        queryKey={siteKeys.jobRows}
        fetch={read((signal) => api.GET('/admin/jobs', { signal }))}
        columns={columns}
        rowKey={(row) => row.name}
        file="jobs.csv"
        refreshMs={10_000}
        detail={(row) => <Runs name={row.name} />}
      />
    </>
  );
}

function parametersOf(job: JobBody): string[] {
  return Object.entries(job.parameters as Record<string, unknown>).map(
    ([name, value]) => `${name} = ${String(value)}`,
  );
}

function Acts({ job }: { job: JobBody }) {
  const { t } = useText();
  const params = { path: { name: job.name } };
  const patch = (body: { schedule?: string; parameters?: Record<string, never>; paused?: boolean }) =>
    ask((signal) => api.PATCH('/admin/jobs/{name}', { params, body, signal }));
  return (
    <span className="row">
      <Act
        link
        label={t('jobs.run')}
        says={t('jobs.runSays')}
        refresh={[siteKeys.jobs]}
        done={t('jobs.asked')}
        run={() => ask((signal) => api.POST('/admin/jobs/{name}/run', { params, signal }))}
      />
      <Act
        link
        label={t(job.paused ? 'jobs.resume' : 'jobs.pause')}
        says={t(job.paused ? 'jobs.resumeSays' : 'jobs.pauseSays')}
        refresh={[siteKeys.jobs]}
        done={t('saved')}
        run={() => patch({ paused: !job.paused })}
      />
      <Act
        link
        label={t('jobs.change')}
        says={t('jobs.changeSays')}
        refresh={[siteKeys.jobs]}
        done={t('saved')}
        fields={[
          {
            name: 'schedule',
            label: t('jobs.schedule'),
            initial: job.schedule,
            help: t('jobs.scheduleHelp'),
          },
          {
            name: 'parameters',
            label: t('jobs.parameters'),
            kind: 'area',
            initial: JSON.stringify(job.parameters),
            optional: true,
          },
        ]}
        run={(values) => {
          let parameters: Record<string, never>;
          try {
            parameters = JSON.parse(values.parameters || '{}');
          } catch {
            throw new Problem({
              title: t('jobs.notJson'),
              status: 400,
              code: 'invalid_field',
              field: 'parameters',
              request_id: null,
            });
          }
          return patch({ schedule: values.schedule, parameters });
        }}
      />
    </span>
  );
}

function Runs({ name }: { name: string }) {
  const { t, language } = useText();
  const query = useQuery({
    queryKey: siteKeys.jobRuns(name),
    queryFn: read((signal) =>
      api.GET('/admin/jobs/{name}/runs', { params: { path: { name }, query: { limit: 20 } }, signal }),
    ),
    refetchInterval: 10_000,
  });
  const rows: RunBody[] = query.data?.items ?? [];
  return (
    <table className="plain-table">
      <thead>
        <tr>
          <th>{t('jobs.started')}</th>
          <th>{t('col.state')}</th>
          <th className="right">{t('jobs.took')}</th>
          <th className="right">{t('jobs.handled')}</th>
          <th>{t('jobs.detail')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((run) => (
          <tr key={run.id}>
            <td>
              <When exact ms={run.started_ms} />
            </td>
            <td>
              <State name={run.outcome ?? 'running'} />
            </td>
            <td className="right">
              {run.duration_ms == null ? '—' : `${formatNumber(run.duration_ms, language)} ms`}
            </td>
            <td className="right">
              <Count n={run.handled} />
            </td>
            <td>{run.detail}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
