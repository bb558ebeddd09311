// The versions, what each changes, and the decision about the one that waits.

import { Alert, Select } from 'antd';
import { useState } from 'react';
import { api, insist, read } from '../../api/client';
import type { DetailBody, VersionNote } from '../../api/wire';
import { activityKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { Actor, Short, State, stateWord, When } from '../parts/bits';
import { type Column, PageTable } from '../parts/PageTable';
import { useMay, useMe } from '../session/session';
import { useText } from '../text';
import { Diff } from './Diff';

export function Review({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const newest = detail.draft?.version ?? detail.version ?? 0;
  const [shown, setShown] = useState(newest);
  const columns: Column<VersionNote>[] = [
    { key: 'n', title: t('review.version'), text: (row) => String(row.version), right: true },
    {
      key: 'review',
      title: t('col.state'),
      text: (row) => stateWord(t, row.review),
      show: (row) => <State name={row.review} />,
    },
    { key: 'name', title: t('col.name'), text: (row) => row.name },
    {
      key: 'made',
      title: t('review.made'),
      text: (row) => `${row.made.by.id ?? row.made.by.kind} ${new Date(row.made.at_ms).toISOString()}`,
      show: (row) => <Stamp stamp={row.made} />,
    },
    {
      key: 'submitted',
      title: t('review.submitted'),
      text: (row) => (row.submitted ? new Date(row.submitted.at_ms).toISOString() : ''),
      show: (row) => <Stamp stamp={row.submitted} />,
    },
    {
      key: 'decided',
      title: t('review.decided'),
      text: (row) => (row.decided ? new Date(row.decided.at_ms).toISOString() : ''),
      show: (row) => <Stamp stamp={row.decided} />,
    },
    { key: 'reason', title: t('col.reason'), text: (row) => row.decision_reason },
    {
      key: 'hash',
      title: t('review.hash'),
      text: (row) => row.strategy_hash,
      show: (row) => <Short text={row.strategy_hash} />,
    },
  ];
  return (
    <>
      <Decide detail={detail} />
      {newest > 0 && (
        <section className="panel">
          <div className="row-between">
            <h2 className="section-title">{t('review.diff')}</h2>
            <Select
              value={shown}
              aria-label={t('review.version')}
              onChange={setShown}
              options={Array.from({ length: newest }, (_, index) => newest - index).map((n) => ({
                value: n,
                label: t('act.version', { n }),
              }))}
            />
          </div>
          <Diff detail={detail} number={shown} />
        </section>
      )}
      <h2>{t('review.versions')}</h2>
      <PageTable<VersionNote>
        queryKey={activityKeys.versions(detail.id)}
        fetch={read((signal, page) =>
          api.GET('/activities/{id}/versions', {
            params: { path: { id: detail.id }, query: page },
            signal,
          }),
        )}
        columns={columns}
        rowKey={(row) => String(row.version)}
        file="versions.csv"
      />
    </>
  );
}

function Stamp({ stamp }: { stamp: VersionNote['submitted'] | undefined }) {
  if (!stamp) return <span className="soft">—</span>;
  return (
    <>
      <Actor actor={stamp.by} />
      <br />
      <When ms={stamp.at_ms} />
    </>
  );
}

function Decide({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const may = useMay();
  const me = useMe();
  const { id, draft, making } = detail;
  if (draft?.review !== 'in_review' || !making) return null;
  const own = making.made.by.id === me.id || making.submitted?.by.id === me.id;
  if (!may('decideActivities') || own) {
    return (
      <Alert className="gap-bottom" type="info" showIcon title={t(own ? 'review.ownWork' : 'review.waits')} />
    );
  }
  const decide = (verdict: 'approve' | 'refuse') => async (values: { reason: string }, once: string) => {
    const params = { path: { id }, header: { 'Idempotency-Key': once } };
    const body = { reason: values.reason, version: draft.version, edition: draft.edition };
    await insist((signal) => api.POST(`/activities/{id}/${verdict}`, { params, body, signal }));
  };
  const refresh = [activityKeys.one(id), activityKeys.lists];
  return (
    <Alert
      className="gap-bottom"
      type="warning"
      showIcon
      title={t('review.yours', { n: draft.version })}
      action={
        <div className="row">
          <Act
            primary
            label={t('review.approve')}
            says={t('review.approveSays')}
            fields={[reasonField(t, true)]}
            run={decide('approve')}
            refresh={refresh}
            done={t('review.approved')}
          />
          <Act
            danger
            label={t('review.refuse')}
            says={t('review.refuseSays')}
            fields={[reasonField(t)]}
            run={decide('refuse')}
            refresh={refresh}
            done={t('review.refused')}
          />
        </div>
      }
    />
  );
}
