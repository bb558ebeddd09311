// Appeals against removals, for another moderator than the one who removed.
import { api, ask, read } from '../../api/client';
import { appealStateValues } from '../../api/schema.gen';
import type { AppealCaseBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { appealKeys } from '../keys';
import { threadPath } from '../logic/threadPath';
import { Act, toldReason } from '../parts/Act';
import { Title, When } from '../parts/bits';
import { Choice, queryOf, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { useMe } from '../session/session';
import { useText } from '../text';

export default function Appeals() {
  const { t, language } = useText();
  const me = useMe();
  const [get, set] = useFilters();
  const query = queryOf(get, ['state']);
  const act = ({ decision }: AppealCaseBody, granted: boolean) => (
    <Act
      link
      danger={!granted}
      label={t(granted ? 'appeals.grant' : 'appeals.deny')}
      says={t(granted ? 'appeals.grantSays' : 'appeals.denySays')}
      fields={[toldReason(t)]}
      refresh={[appealKeys.rows]}
      done={t('saved')}
      run={({ reason }) =>
        ask((signal) =>
          api.POST('/admin/appeals/{id}/decide', {
            params: { path: { id: decision.id } },
            body: { granted, reason },
            signal,
          }),
        )
      }
    />
  );
  const acts = (row: AppealCaseBody) => {
    const { appeal } = row.decision;
    if (appeal && appeal.state !== 'open') return t(`appeals.state.${appeal.state}`);
    if (row.moderator?.id === me.id || row.author.id === me.id) return t('appeals.notYours');
    return (
      <>
        {act(row, true)}
        {act(row, false)}
      </>
    );
  };
  const columns: Column<AppealCaseBody>[] = [
    {
      key: 'what',
      title: t('reports.what'),
      text: ({ decision }) => `${t(`reports.on.${decision.on}`)} ${decision.excerpt}`,
      show: ({ decision }) => (
        <>
          {t(`reports.on.${decision.on}`)}{' '}
          <a href={threadPath(decision.thread_on, decision.thread)}>{decision.excerpt}</a>
        </>
      ),
    },
    {
      key: 'author',
      title: t('reports.author'),
      text: (row) => row.author.name,
      show: (row) => <a href={`/members/${row.author.id}`}>{row.author.name}</a>,
    },
    { key: 'reason', title: t('appeals.reason'), text: ({ decision }) => decision.reason },
    { key: 'text', title: t('appeals.text'), text: ({ decision }) => decision.appeal?.text ?? '' },
    { key: 'by', title: t('appeals.by'), text: (row) => row.moderator?.name ?? '–' },
    {
      key: 'made',
      title: t('appeals.made'),
      text: ({ decision }) => formatMoment(decision.appeal?.made_at_ms ?? 0, language),
      show: ({ decision }) => <When exact ms={decision.appeal?.made_at_ms} />,
    },
    { key: 'acts', title: t('col.acts'), text: () => '', show: acts },
  ];
  return (
    <>
      <Title>{t('nav.appeals')}</Title>
      <PageTable<AppealCaseBody>
        queryKey={appealKeys.list(query)}
        fetch={read((signal, page) =>
          api.GET('/admin/appeals', { params: { query: { ...page, ...query } }, signal }),
        )}
        columns={columns}
        rowKey={(row) => row.decision.id}
        file="appeals.csv"
        empty={t('appeals.none')}
        refreshMs={30_000}
        filters={
          <Choice
            label={t('reports.state')}
            value={get('state')}
            change={(value) => set('state', value)}
            options={appealStateValues.map((value) => ({ value, label: t(`appeals.state.${value}`) }))}
          />
        }
      />
    </>
  );
}
