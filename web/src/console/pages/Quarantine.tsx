// After a restore: messages and pools of codes that the old installation may have sent and given already. Each is let
// go, or given up, by somebody who has looked.

import { useQuery } from '@tanstack/react-query';
import { api, ask, read } from '../../api/client';
import type { QuarantineBody, QuarantinedMessageBody } from '../../api/wire';
import { formatMoment, formatNumber } from '../../i18n';
import { codePoolKeys, outboxKeys } from '../keys';
import { Lane, laneText, useHooks } from '../outbox/lanes';
import { useMessageColumns } from '../outbox/useMessageColumns';
import { Act, reasonField } from '../parts/Act';
import { Count, Title, When } from '../parts/bits';
import { Choice, queryOf, useFilters } from '../parts/Filter';
import { type Column, PageTable } from '../parts/PageTable';
import { Scroll } from '../parts/Scroll';
import { Nothing, Read } from '../parts/states';
import { useMay } from '../session/session';
import { useText } from '../text';

export function useQuarantine() {
  return useQuery({
    queryKey: outboxKeys.quarantined,
    queryFn: read((signal) => api.GET('/admin/quarantine', { signal })),
    refetchInterval: 30_000,
  });
}

export default function Quarantine() {
  const { t } = useText();
  const found = useQuarantine();
  return (
    <>
      <Title>{t('nav.quarantine')}</Title>
      <p className="soft">{t('quar.what')}</p>
      <Read from={found}>
        {(waits) =>
          waits.lanes.length + waits.code_pools.length === 0 ? (
            <Nothing text={t('quar.none')} />
          ) : (
            <>
              {waits.lanes.length > 0 && <Lanes lanes={waits.lanes} />}
              {waits.code_pools.length > 0 && <Pools pools={waits.code_pools} />}
              {waits.lanes.length > 0 && <Messages lanes={waits.lanes} />}
            </>
          )
        }
      </Read>
    </>
  );
}

interface MoveProps {
  act: 'release' | 'discard';
  lane: string;
  /** How many, where it is all of the lane. */
  messages: number;
  message?: string;
}

function Move({ act, lane, messages, message }: MoveProps) {
  const { t, language } = useText();
  const which = message ? 'One' : 'All';
  return (
    <Act
      link
      danger={act === 'discard'}
      label={t(`quar.${act}${which}`)}
      says={t(`quar.${act}${which}Says`, { n: formatNumber(messages, language) })}
      fields={[reasonField(t)]}
      refresh={[outboxKeys.quarantine, outboxKeys.letters]}
      done={t(`quar.${act}Done`)}
      run={(values) =>
        ask((signal) =>
          api.POST('/admin/quarantine/messages', {
            body: { act, lane, reason: values.reason, ...(message ? { message } : {}) },
            signal,
          }),
        )
      }
    />
  );
}

function Lanes({ lanes }: { lanes: QuarantineBody['lanes'] }) {
  const { t } = useText();
  const may = useMay();
  return (
    <section>
      <h2>{t('quar.messages')}</h2>
      <Scroll className="panel scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('quar.to')}</th>
              <th className="right">{t('quar.count')}</th>
              <th>{t('quar.oldest')}</th>
              <th>{t('quar.newest')}</th>
              {may('quarantine') && <th>{t('col.acts')}</th>}
            </tr>
          </thead>
          <tbody>
            {lanes.map((row) => (
              <tr key={row.lane} data-lane={row.lane}>
                <th scope="row">
                  <Lane name={row.lane} />
                </th>
                <td className="right">
                  <Count n={row.messages} />
                </td>
                <td>
                  <When ms={row.oldest_made_ms} />
                </td>
                <td>
                  <When ms={row.newest_made_ms} />
                </td>
                {may('quarantine') && (
                  <td>
                    <span className="row">
                      <Move act="release" lane={row.lane} messages={row.messages} />
                      <Move act="discard" lane={row.lane} messages={row.messages} />
                    </span>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

function Pools({ pools }: { pools: QuarantineBody['code_pools'] }) {
  const { t } = useText();
  const may = useMay();
  return (
    <section>
      <h2>{t('quar.pools')}</h2>
      <Scroll className="panel scroll">
        <table className="plain-table">
          <thead>
            <tr>
              <th>{t('col.name')}</th>
              <th className="right">{t('codes.given')}</th>
              <th className="right">{t('codes.left')}</th>
              <th>{t('quar.since')}</th>
              {may('quarantine') && <th>{t('col.acts')}</th>}
            </tr>
          </thead>
          <tbody>
            {pools.map((pool) => (
              <tr key={pool.id} data-pool={pool.id}>
                <th scope="row">{pool.name}</th>
                <td className="right">
                  <Count n={pool.given} />
                </td>
                <td className="right">
                  <Count n={pool.left} />
                </td>
                <td>
                  <When ms={pool.quarantined_since_ms} />
                </td>
                {may('quarantine') && (
                  <td>
                    <Act
                      link
                      label={t('quar.releasePool')}
                      says={t('quar.releasePoolSays')}
                      fields={[
                        {
                          name: 'skip',
                          label: t('quar.skip'),
                          kind: 'number',
                          min: 0,
                          max: pool.left,
                          initial: 0,
                          help: t('quar.skipHelp'),
                        },
                        reasonField(t),
                      ]}
                      refresh={[outboxKeys.quarantine, codePoolKeys.all]}
                      done={t('quar.poolReleased')}
                      run={(values) =>
                        ask((signal) =>
                          api.POST('/admin/quarantine/code-pools/{id}/release', {
                            params: { path: { id: pool.id } },
                            body: { skip: values.skip, reason: values.reason },
                            signal,
                          }),
                        )
                      }
                    />
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

/** One by one, for whoever knows which of them went out. */
function Messages({ lanes }: { lanes: QuarantineBody['lanes'] }) {
  const { t, language } = useText();
  const may = useMay();
  const [get, set] = useFilters();
  const column = useMessageColumns();
  const hooks = useHooks();
  const columns: Column<QuarantinedMessageBody>[] = [
    column.lane(t('quar.to')),
    column.kind(),
    column.subject(),
    column.user(),
    {
      key: 'made',
      title: t('col.made'),
      text: (row) => formatMoment(row.made_at_ms, language),
      show: (row) => <When ms={row.made_at_ms} />,
    },
    column.attempts(),
    { key: 'id', title: t('col.id'), text: (row) => row.id, show: (row) => <code>{row.id}</code> },
  ];
  if (may('quarantine')) {
    columns.push({
      key: 'acts',
      title: t('col.acts'),
      text: () => '',
      show: (row) => (
        <span className="row">
          <Move act="release" lane={row.lane} messages={1} message={row.id} />
          <Move act="discard" lane={row.lane} messages={1} message={row.id} />
        </span>
      ),
    });
  }
  return (
    <section>
      <h2>{t('quar.oneByOne')}</h2>
      <PageTable<QuarantinedMessageBody>
        queryKey={outboxKeys.quarantinedRows(queryOf(get, ['lane']))}
        fetch={read((signal, page) =>
          api.GET('/admin/quarantine/messages', {
            params: { query: { ...page, ...queryOf(get, ['lane']) } },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => row.id}
        file="quarantine.csv"
        filters={
          <Choice
            label={t('quar.to')}
            value={get('lane')}
            change={(value) => set('lane', value)}
            options={lanes.map(({ lane }) => ({ value: lane, label: laneText(t, lane, hooks) }))}
          />
        }
      />
    </section>
  );
}
