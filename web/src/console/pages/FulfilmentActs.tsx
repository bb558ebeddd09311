import type { ReactNode } from 'react';
import { api, ask, insist } from '../../api/client';
import { needsAddress } from '../../api/kinds';
import { reportOutcomeValues } from '../../api/schema.gen';
import type { FulfilmentBody, FulfilmentState } from '../../api/wire';
import { approvalKeys, fulfilmentKeys, outboxKeys } from '../keys';
import { Act, reasonField } from '../parts/Act';
import { Copy } from '../parts/Copy';
import { useText } from '../text';

/** States from which a prize may be voided: it has not left, and no message about it is under way. */
const VOIDABLE: ReadonlySet<FulfilmentState> = new Set<FulfilmentState>([
  'waiting',
  'claimable',
  'to_ship',
  'handed_over',
  'failed',
]);

/** The steps that a prize in this state takes. */
export function FulfilmentActs({ row }: { row: FulfilmentBody }) {
  const { t } = useText();
  const params = (once: string) => ({ path: { id: row.id }, header: { 'Idempotency-Key': once } });
  const refresh = [fulfilmentKeys.all, outboxKeys.letters];
  const acts: ReactNode[] = [];
  const won = row.source === 'win';
  if (won && row.state === 'waiting') {
    acts.push(
      <Act
        key="release"
        link
        label={t('ful.release')}
        says={t('ful.releaseSays')}
        fields={[reasonField(t)]}
        refresh={refresh}
        done={t('saved')}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/fulfilments/{id}/release', {
              params: params(once),
              body: { reason: values.reason },
              signal,
            }),
          )
        }
      />,
    );
  }
  if (needsAddress(row.kind) && (row.state === 'to_ship' || row.state === 'shipped')) {
    acts.push(
      <Act
        key="ship"
        link
        label={t(row.state === 'to_ship' ? 'ful.ship' : 'ful.correct')}
        says={t('ful.shipSays')}
        refresh={refresh}
        done={t('saved')}
        fields={[
          { name: 'carrier', label: t('ful.carrier'), initial: row.carrier ?? undefined, max: 100 },
          { name: 'tracking', label: t('ful.tracking'), initial: row.tracking ?? undefined, max: 100 },
        ]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/fulfilments/{id}/ship', {
              params: params(once),
              body: { carrier: values.carrier, tracking: values.tracking },
              signal,
            }),
          )
        }
      />,
    );
  }
  if (row.state === 'shipped') {
    acts.push(
      <Act
        key="deliver"
        link
        label={t('ful.deliver')}
        says={t('ful.deliverSays')}
        fields={[reasonField(t, true)]}
        refresh={refresh}
        done={t('saved')}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/fulfilments/{id}/deliver', {
              params: params(once),
              body: { reason: values.reason },
              signal,
            }),
          )
        }
      />,
    );
  }
  if (row.state === 'handed_over') {
    acts.push(
      <Act
        key="report"
        link
        label={t('ful.report')}
        says={t('ful.reportSays')}
        refresh={refresh}
        done={t('saved')}
        fields={[
          {
            name: 'outcome',
            label: t('ful.outcome'),
            kind: 'select',
            initial: 'given',
            options: reportOutcomeValues.map((name) => ({ value: name, label: t(`state.${name}`) })),
          },
          { name: 'note', label: t('ful.note'), optional: true },
        ]}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/fulfilments/{id}/report', {
              params: params(once),
              body: { outcome: values.outcome, note: values.note },
              signal,
            }),
          )
        }
      />,
    );
  }
  if (row.state === 'failed') {
    acts.push(
      <Act
        key="redrive"
        link
        label={t('ful.redrive')}
        says={t('ful.redriveSays')}
        fields={[reasonField(t)]}
        refresh={refresh}
        done={t('saved')}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/fulfilments/{id}/redrive', {
              params: params(once),
              body: { reason: values.reason },
              signal,
            }),
          )
        }
      />,
    );
  }
  if (row.kind === 'code' && row.state === 'given') {
    acts.push(
      <Act
        key="code"
        link
        label={t('ful.code')}
        says={t('ful.codeSays')}
        fields={[reasonField(t)]}
        run={(values) =>
          ask((signal) =>
            api.GET('/fulfilments/{id}/code', {
              params: { path: { id: row.id }, query: { reason: values.reason } },
              signal,
            }),
          )
        }
        outcome={(told) => (
          <p>
            <code>{told.code}</code> <Copy text={told.code} />
          </p>
        )}
      />,
    );
  }
  // Points and chances can be taken back even after they were given; what was bought goes back with its order, by a refund.
  const back = row.state === 'given' && (row.kind === 'points' || row.kind === 'chances');
  if (won && (VOIDABLE.has(row.state) || back)) {
    acts.push(
      <Act
        key="void"
        link
        danger
        label={t('ful.void')}
        says={t('ful.voidSays')}
        fields={[reasonField(t)]}
        refresh={[...refresh, approvalKeys.all]}
        done={t('ful.voidAsked')}
        run={(values, once) =>
          insist((signal) =>
            api.POST('/fulfilments/{id}/void', {
              params: params(once),
              body: { reason: values.reason },
              signal,
            }),
          )
        }
      />,
    );
  }
  return <span className="row">{acts.length > 0 ? acts : '—'}</span>;
}
