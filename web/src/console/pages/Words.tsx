// The word filter: the list, what it would do to a text, and what was changed.
import { useMutation, useQuery } from '@tanstack/react-query';
import { Button, Input, Tabs } from 'antd';
import { useState } from 'react';
import { api, ask, read } from '../../api/client';
import { wordActionValues } from '../../api/schema.gen';
import type { FilterChangeBody, FilterWordBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { wordKeys } from '../keys';
import { wordLines } from '../logic/wordLines';
import { Act, reasonField } from '../parts/Act';
import { Title, When } from '../parts/bits';
import { Choice, queryOf, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Nothing, Read, Trouble } from '../parts/states';
import { useText } from '../text';

const TEXT_MAX = 20_000;

export default function Words() {
  const { t } = useText();
  return (
    <>
      <Title>{t('nav.words')}</Title>
      <p>{t('words.says')}</p>
      <Tabs
        items={[
          { key: 'list', label: t('words.list'), children: <List /> },
          { key: 'try', label: t('words.try'), children: <Trial /> },
          { key: 'changes', label: t('words.changes'), children: <Changes /> },
        ]}
      />
    </>
  );
}

function List() {
  const { t } = useText();
  const [get, set] = useFilters();
  const query = queryOf(get, ['part', 'action']);
  const actions = wordActionValues.map((value) => ({ value, label: t(`words.action.${value}`) }));
  const columns: Column<FilterWordBody>[] = [
    { key: 'word', title: t('words.word'), text: (row) => row.word },
    { key: 'action', title: t('words.action'), text: (row) => t(`words.action.${row.action}`) },
    {
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <Act
          link
          danger
          label={t('words.remove')}
          says={t('words.removeSays', { word: row.word })}
          fields={[reasonField(t)]}
          refresh={[wordKeys.all]}
          done={t('saved')}
          run={({ reason }) =>
            ask((signal) => api.POST('/admin/words', { body: { remove: [row.word], reason }, signal }))
          }
        />
      ),
    },
  ];
  return (
    <PageTable<FilterWordBody>
      queryKey={wordKeys.list(query)}
      fetch={read((signal, page) =>
        api.GET('/admin/words', { params: { query: { ...page, ...query } }, signal }),
      )}
      columns={columns}
      rowKey={(row) => row.id}
      file="words.csv"
      empty={t('words.none')}
      filters={
        <>
          <Input.Search
            className="filter"
            allowClear
            aria-label={t('words.part')}
            placeholder={t('words.part')}
            defaultValue={get('part')}
            onSearch={(value) => set('part', value.trim())}
          />
          <Choice
            label={t('words.action')}
            value={get('action')}
            change={(value) => set('action', value)}
            options={actions}
          />
          <Act
            primary
            label={t('words.add')}
            says={t('words.addSays')}
            fields={[
              { name: 'words', label: t('words.words'), kind: 'area', help: t('words.wordsHelp') },
              { name: 'action', label: t('words.action'), kind: 'select', options: actions },
              reasonField(t),
            ]}
            refresh={[wordKeys.all]}
            done={t('saved')}
            run={({ words, action, reason }) =>
              ask((signal) =>
                api.POST('/admin/words', {
                  body: { set: wordLines(words).map((word) => ({ word, action })), reason },
                  signal,
                }),
              )
            }
          />
        </>
      }
    />
  );
}

function Trial() {
  const { t } = useText();
  const [text, setText] = useState('');
  const trial = useMutation({
    mutationFn: () => ask((signal) => api.POST('/admin/words/try', { body: { text }, signal })),
  });
  return (
    <div className="panel">
      <Input.TextArea
        aria-label={t('words.text')}
        placeholder={t('words.text')}
        rows={5}
        maxLength={TEXT_MAX}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <p>
        <Button
          type="primary"
          disabled={text.trim() === ''}
          loading={trial.isPending}
          onClick={() => trial.mutate()}
        >
          {t('words.tryIt')}
        </Button>
      </p>
      {trial.error && <Trouble error={trial.error} />}
      <div role="status">
        {trial.data && (
          <>
            <p>
              <strong>{t(`words.outcome.${trial.data.action ?? 'none'}`)}</strong>
            </p>
            {trial.data.found.length > 0 && (
              <ul className="story">
                {trial.data.found.map((found) => (
                  <li key={found.word}>
                    {found.word} ({t(`words.action.${found.action}`)}): “{found.passage}”
                  </li>
                ))}
              </ul>
            )}
            {trial.data.action === 'mask' && <pre>{trial.data.masked}</pre>}
          </>
        )}
      </div>
    </div>
  );
}

function Changes() {
  const { t, language } = useText();
  const query = useQuery({
    queryKey: wordKeys.changes,
    queryFn: read((signal) => api.GET('/admin/words/changes', { signal })),
  });
  const action = (name: FilterChangeBody['before']) => (name ? t(`words.action.${name}`) : '–');
  return (
    <Read from={query}>
      {({ items }) =>
        items.length === 0 ? (
          <Nothing text={t('words.none')} />
        ) : (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reached by the keyboard
          <section className="plain-table" aria-label={t('words.changes')} tabIndex={0}>
            <table>
              <thead>
                <tr>
                  <th scope="col">{t('words.version')}</th>
                  <th scope="col">{t('words.word')}</th>
                  <th scope="col">{t('words.before')}</th>
                  <th scope="col">{t('words.after')}</th>
                  <th scope="col">{t('words.when')}</th>
                  <th scope="col">{t('words.who')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((row) => (
                  <tr key={`${row.version} ${row.word}`}>
                    <td>{row.version}</td>
                    <td>{row.word}</td>
                    <td>{action(row.before)}</td>
                    <td>{action(row.after)}</td>
                    <td title={formatMoment(row.changed_at_ms, language)}>
                      <When exact ms={row.changed_at_ms} />
                    </td>
                    <td>{row.moderator?.name ?? '–'}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </section>
        )
      }
    </Read>
  );
}
