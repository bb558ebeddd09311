// The steps of an activity's life, as buttons. Each asks once and says what will happen.

import { Button } from 'antd';
import type { ReactNode } from 'react';
import { useNavigate } from 'react-router';
import { api, insist } from '../../api/client';
import type { ActivityState, DetailBody } from '../../api/wire';
import { activityKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { useMay, useMe } from '../session/session';
import { useText } from '../text';

/** States from which an activity can be closed. */
const CLOSABLE: ReadonlySet<ActivityState> = new Set<ActivityState>([
  'running',
  'paused',
  'approved',
  'reopened',
]);

type Step = 'close' | 'pause' | 'resume' | 'reopen' | 'withdraw';

export function Acts({ detail }: { detail: DetailBody }) {
  const { t } = useText();
  const may = useMay();
  const me = useMe();
  const go = useNavigate();
  const { id, state, draft } = detail;
  const refresh = [activityKeys.one(id), activityKeys.lists, activityKeys.reports(id)];
  const step =
    (name: Step) =>
    async ({ reason = '' }: { reason?: string }, once: string) => {
      const params = { path: { id }, header: { 'Idempotency-Key': once } };
      const body = { reason };
      await insist((signal) => api.POST(`/activities/{id}/${name}`, { params, body, signal }));
    };
  const says = (name: Exclude<Step, 'withdraw'>) =>
    t(detail.kind === 'sale' ? `act.${name}Sale` : `act.${name}Says`);
  const buttons: ReactNode[] = [];
  if (may('runActivities')) {
    if (state === 'running') {
      buttons.push(
        <Act
          key="pause"
          danger
          label={t('act.pause')}
          says={says('pause')}
          fields={[reasonField(t, true)]}
          run={step('pause')}
          refresh={refresh}
          done={t('act.paused')}
        />,
      );
    }
    if (state === 'paused') {
      buttons.push(
        <Act
          key="resume"
          primary
          label={t('act.resume')}
          says={says('resume')}
          fields={[reasonField(t, true)]}
          run={step('resume')}
          refresh={refresh}
          done={t('act.resumed')}
        />,
      );
    }
    if (CLOSABLE.has(state)) {
      buttons.push(
        <Act
          key="close"
          danger
          label={t('act.close')}
          says={says('close')}
          fields={[reasonField(t)]}
          run={step('close')}
          refresh={refresh}
          done={t('act.closed')}
        />,
      );
    }
    if (state === 'closed') {
      buttons.push(
        <Act
          key="reopen"
          label={t('act.reopen')}
          says={says('reopen')}
          fields={[reasonField(t)]}
          run={step('reopen')}
          refresh={refresh}
          done={t('act.reopened')}
        />,
      );
    }
  }
  if (may('writeActivities')) {
    if (draft?.review === 'in_review' && detail.making?.made.by.id === me.id) {
      buttons.push(
        <Act
          key="withdraw"
          label={t('act.withdraw')}
          says={t('act.withdrawSays')}
          run={step('withdraw')}
          refresh={refresh}
          done={t('act.withdrawn')}
        />,
      );
    } else if (draft?.review !== 'in_review') {
      buttons.push(
        <Button key="edit" onClick={() => void go(`/activities/${id}/edit`)}>
          {t(detail.version && !draft ? 'act.nextVersion' : 'act.edit')}
        </Button>,
      );
    }
    if (draft && draft.review !== 'in_review') {
      buttons.push(
        <Act
          key="discard"
          danger
          label={t('act.discard')}
          says={t(detail.version ? 'act.discardSays' : 'act.discardNewSays')}
          fields={[reasonField(t, true)]}
          run={async ({ reason = '' }, once) => {
            const params = { path: { id }, header: { 'Idempotency-Key': once } };
            const body = { edition: draft.edition, reason };
            await insist((signal) => api.POST('/activities/{id}/discard', { params, body, signal }));
            if (!detail.version) await go('/activities');
          }}
          refresh={detail.version ? refresh : [activityKeys.lists]}
          done={t('act.discarded')}
        />,
      );
    }
    buttons.push(
      <Act
        key="clone"
        label={t('act.clone')}
        says={t('act.cloneSays')}
        run={async (_, once) => {
          const params = { path: { id }, header: { 'Idempotency-Key': once } };
          const made = await insist((signal) =>
            api.POST('/activities/{id}/clone', { params, body: {}, signal }),
          );
          await go(`/activities/${made.id}/edit`);
        }}
        refresh={[activityKeys.lists]}
      />,
    );
  }
  return <>{buttons}</>;
}
