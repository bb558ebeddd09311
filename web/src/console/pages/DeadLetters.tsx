// Messages that were given up, each with its story, and the way back: one, those chosen, or a whole lane.

import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api, ask, read } from '../../api/client';
import type { DeadLetterBody } from '../../api/wire';
import { formatMoment } from '../../i18n';
import { fulfilmentKeys, outboxKeys } from '../keys';
import { useLaneOptions } from '../outbox/lanes';
import { useMessageColumns } from '../outbox/useMessageColumns';
import { Act, reasonField } from '../parts/Act';
import { Title, When } from '../parts/bits';
import { Choice, queryOf, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Pre } from '../parts/Scroll';
import { Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';

const REDRIVE_MAX = 1000;

export default function DeadLetters() {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const column = useMessageColumns();
  const lanes = useLaneOptions();
  const [chosen, setChosen] = useState<string[]>([]);
  const refresh = [outboxKeys.letters, fulfilmentKeys.all];
  const one = (id: string, reason: string) =>
    ask((signal) =>
      api.POST('/outbox/dead-letters/{id}/redrive', { params: { path: { id } }, body: { reason }, signal }),
    );
  const columns: Column<DeadLetterBody>[] = [
    column.lane(t('dead.lane')),
    column.kind(),
    column.subject(),
    column.user(),
    column.attempts(),
    {
      key: 'died',
      title: t('dead.died'),
      text: (row) => formatMoment(row.died_at_ms, language),
      show: (row) => <When exact ms={row.died_at_ms} />,
    },
    {
      key: 'error',
      title: t('dead.error'),
      text: (row) => row.error,
      show: (row) => <span className="clip">{row.error}</span>,
    },
  ];
  if (may('fulfil')) {
    columns.push({
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <Act
          link
          label={t('dead.redrive')}
          says={t('dead.redriveSays')}
          fields={[reasonField(t)]}
          refresh={refresh}
          done={t('dead.redriven')}
          run={(values) => one(row.id, values.reason)}
        />
      ),
    });
  }
  return (
    <>
      <Title
        extra={
          may('fulfil') && (
            <>
              {chosen.length > 0 && (
                <Act
                  label={t('dead.redriveChosen', { n: chosen.length })}
                  says={t('dead.redriveSays')}
                  fields={[reasonField(t)]}
                  refresh={refresh}
                  done={t('dead.redriven')}
                  run={async (values) => {
                    for (const id of chosen) await one(id, values.reason);
                    setChosen([]);
                  }}
                />
              )}
              <Act
                label={t('dead.redriveMany')}
                says={t('dead.redriveManySays')}
                refresh={refresh}
                fields={[
                  {
                    name: 'lane',
                    label: t('dead.lane'),
                    kind: 'select',
                    initial: get('lane') || undefined,
                    options: lanes,
                  },
                  {
                    name: 'limit',
                    label: t('dead.limit'),
                    kind: 'number',
                    initial: 100,
                    min: 1,
                    max: REDRIVE_MAX,
                  },
                  reasonField(t),
                ]}
                run={(values) =>
                  ask((signal) =>
                    api.POST('/outbox/dead-letters/redrive', {
                      body: {
                        lane: values.lane,
                        limit: values.limit,
                        reason: values.reason,
                      },
                      signal,
                    }),
                  )
                }
                outcome={(told) => <p>{t('dead.redrivenN', { n: told.redriven })}</p>}
              />
            </>
          )
        }
      >
        {t('nav.deadLetters')}
      </Title>
      <PageTable<DeadLetterBody>
        queryKey={outboxKeys.letterRows(queryOf(get, ['lane']))}
        fetch={read((signal, page) =>
          api.GET('/outbox/dead-letters', {
            params: { query: { ...page, ...queryOf(get, ['lane']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="dead-letters.csv"
        empty={t('dead.none')}
        refreshMs={15_000}
        detail={(row) => <Story id={row.id} />}
        {...(may('fulfil') ? { selected: { keys: chosen, change: setChosen } } : {})}
        filters={
          <Choice
            label={t('dead.lane')}
            value={get('lane')}
            change={(value) => set('lane', value)}
            options={lanes}
          />
        }
      />
    </>
  );
}

function Story({ id }: { id: string }) {
  const { t } = useText();
  const query = useQuery({
    queryKey: outboxKeys.letter(id),
    queryFn: read((signal) => api.GET('/outbox/dead-letters/{id}', { params: { path: { id } }, signal })),
  });
  return (
    <Read from={query}>
      {(letter) => (
        <div className="two">
          <div>
            <h3>{t('dead.story')}</h3>
            <ol className="story">
              {letter.story.map((attempt) => (
                <li key={attempt.n} value={attempt.n}>
                  <When exact ms={attempt.at_ms} /> {attempt.error}
                </li>
              ))}
            </ol>
          </div>
          <div>
            <h3>{t('dead.body')}</h3>
            <Pre>{letter.body}</Pre>
          </div>
        </div>
      )}
    </Read>
  );
}
