// Texts that the word filter held: nobody but their authors sees them until a moderator decides.
import { api, ask, read } from '../../api/client';
import type { HeldTextBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { heldKeys } from '../keys';
import { threadPath } from '../logic/threadPath';
import { Act, toldReason } from '../parts/Act';
import { Title, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { useText } from '../text';

function decide(row: HeldTextBody, removed: boolean, reason: string) {
  const params = { path: { id: row.id } };
  return ask((signal) =>
    row.on === 'post'
      ? api.POST('/admin/posts/{id}/moderate', {
          params,
          body: { act: removed ? 'remove' : 'restore', reason },
          signal,
        })
      : api.POST('/admin/comments/{id}/moderate', { params, body: { removed, reason }, signal }),
  );
}

export default function Held() {
  const { t, language } = useText();
  const act = (row: HeldTextBody, removed: boolean) => (
    <Act
      link
      danger={removed}
      label={t(removed ? 'held.remove' : 'held.release')}
      says={t(removed ? 'held.removeSays' : 'held.releaseSays')}
      fields={[toldReason(t)]}
      refresh={[heldKeys.rows]}
      done={t('saved')}
      run={({ reason }) => decide(row, removed, reason)}
    />
  );
  const columns: Column<HeldTextBody>[] = [
    {
      key: 'what',
      title: t('reports.what'),
      text: (row) => `${t(`reports.on.${row.on}`)} ${row.excerpt}`,
      show: (row) => (
        <>
          {t(`reports.on.${row.on}`)} <a href={threadPath(row.thread_on, row.thread)}>{row.excerpt}</a>
        </>
      ),
    },
    { key: 'words', title: t('held.words'), text: (row) => row.words.join(', ') },
    {
      key: 'author',
      title: t('reports.author'),
      text: (row) => row.author.name,
      show: (row) => <a href={`/members/${row.author.id}`}>{row.author.name}</a>,
    },
    {
      key: 'held',
      title: t('held.since'),
      text: (row) => formatMoment(row.held_at_ms, language),
      show: (row) => <When exact ms={row.held_at_ms} />,
    },
    {
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <>
          {act(row, false)}
          {act(row, true)}
        </>
      ),
    },
  ];
  return (
    <>
      <Title>{t('nav.held')}</Title>
      <PageTable<HeldTextBody>
        queryKey={heldKeys.rows}
        fetch={read((signal, page) => api.GET('/admin/held', { params: { query: page }, signal }))}
        columns={columns}
        rowKey={(row) => row.id}
        file="held.csv"
        empty={t('held.none')}
        refreshMs={30_000}
      />
    </>
  );
}
