// What needs an operator: a list with the act that mends each, and a badge that is seen from every page.

import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Link } from 'react-router';
import { api, ask, insist, read } from '../../api/client';
import type { AttentionBody, AttentionKind, AttentionLevel, PrizeKind } from '../../api/wire';
import { formatNumber } from '../../i18n';
import { codePoolKeys, fulfilmentKeys, outboxKeys, siteKeys, webhookKeys } from '../keys';
import { CodesImport } from '../pages/CodesImport';
import { useMay } from '../session/session';
import { useText, type Word } from '../text';
import { Act, reasonField } from './Act';
import { When } from './bits';
import { Read } from './states';

const LOOK_MS = 15_000;
/** Messages that are put back by one press, as many as the server takes. */
const REDRIVE_MAX = 1000;
/** Prizes that are tried again by one press: each is a request. */
const PRIZES_MAX = 100;
const LOOKS = { urgent: 'bad', soon: 'wait', todo: 'busy' } as const satisfies Record<AttentionLevel, string>;

export function useAttention() {
  return useQuery({
    queryKey: siteKeys.attention,
    queryFn: read((signal) => api.GET('/admin/attention', { signal })),
    refetchInterval: LOOK_MS,
  });
}

/** How many there are that are not ordinary work; in the frame of every page. */
export function AttentionBadge() {
  const { t, language } = useText();
  const { data } = useAttention();
  if (!data || data.alerts === 0) return null;
  const urgent = data.items.some((item) => item.level === 'urgent');
  return (
    <Link
      to="/#attention"
      className={urgent ? 'attention-badge urgent' : 'attention-badge'}
      aria-label={t('att.badge', { count: data.alerts, n: formatNumber(data.alerts, language) })}
    >
      {formatNumber(data.alerts, language)}
    </Link>
  );
}

/** What somebody has begun to mend stays on the list, also when it is over: its dialog still has something to say. */
export function AttentionList() {
  const { t } = useText();
  const query = useAttention();
  const [touched, setTouched] = useState<Record<string, AttentionBody>>({});
  return (
    <section className="panel" id="attention" aria-labelledby="attention-title">
      <h2 className="section-title" id="attention-title">
        {t('att.title')}
      </h2>
      <Read from={query}>
        {({ items }) => {
          const there = new Set(items.map(keyOf));
          const over = Object.values(touched).filter((item) => !there.has(keyOf(item)));
          const rows = [
            ...items.map((item) => ({ item, done: false })),
            ...over.map((item) => ({ item, done: true })),
          ];
          return rows.length === 0 ? (
            <p className="soft">{t('att.none')}</p>
          ) : (
            <ul className="attention">
              {rows.map(({ item, done }) => (
                <Item
                  key={keyOf(item)}
                  item={item}
                  done={done}
                  touch={() => setTouched((old) => ({ ...old, [keyOf(item)]: item }))}
                />
              ))}
            </ul>
          );
        }}
      </Read>
    </section>
  );
}

const keyOf = ({ kind, subject }: AttentionBody) => `${kind} ${subject}`;

function Item({ item, done, touch }: { item: AttentionBody; done: boolean; touch: () => void }) {
  const { t } = useText();
  const look = done ? 'good' : LOOKS[item.level];
  return (
    <li className={item.level}>
      <span className={`tag tag-${look}`}>{t(done ? 'att.done' : `att.${item.level}`)}</span>
      <span className="grow">
        {item.text}
        {item.since_ms && (
          <span className="soft fine">
            {' '}
            {t('att.since')} <When ms={item.since_ms} />
          </span>
        )}
      </span>
      <span className="row" onClickCapture={touch}>
        <Mend item={item} />
      </span>
    </li>
  );
}

/** Where each kind is looked at. */
const PLACES: Record<AttentionKind, (item: AttentionBody) => [string, Word]> = {
  codes_missing: ({ subject }) => [`/fulfilment?state=ready&kind=code&pool=${subject}`, 'att.seePrizes'],
  issuer_missing: () => ['/webhooks', 'att.subscribe'],
  prizes_failed: ({ subject }) => [`/fulfilment?state=failed&kind=${subject}`, 'att.seePrizes'],
  prizes_stuck: ({ subject }) => [`/fulfilment?state=ready&kind=${subject}`, 'att.seePrizes'],
  dead_letters: ({ subject }) => [`/dead-letters?lane=${encodeURIComponent(subject)}`, 'att.seeLetters'],
  quarantine: () => ['/quarantine', 'att.look'],
  ledger_stopped: () => ['/ledger', 'att.look'],
  ledger_behind: () => ['/ledger', 'att.look'],
  ledger_differs: () => ['/ledger', 'att.look'],
  clock_behind: () => ['/ledger', 'att.look'],
  disk_low: () => ['/settings', 'att.look'],
  webhook_off: ({ subject }) => [`/webhooks/${subject}`, 'att.look'],
  webhook_failing: ({ subject }) => [`/webhooks/${subject}`, 'att.look'],
  codes_short: ({ name }) => [`/codes?name=${encodeURIComponent(name)}`, 'att.seeCodes'],
  codes_low: ({ name }) => [`/codes?name=${encodeURIComponent(name)}`, 'att.seeCodes'],
  stock_low: ({ subject }) => [`/activities/${subject.split('/')[0]}`, 'att.restock'],
  job_failing: () => ['/jobs', 'att.look'],
  job_paused: () => ['/jobs', 'att.look'],
  second_factor_missing: () => ['/users', 'att.seeStaff'],
  refunds_due: () => ['/orders?state=refund_due', 'att.seeOrders'],
  to_release: () => ['/fulfilment?state=waiting', 'att.seePrizes'],
  to_ship: () => ['/fulfilment?state=to_ship', 'att.seePrizes'],
};

function Mend({ item }: { item: AttentionBody }) {
  const { t } = useText();
  const [to, word] = PLACES[item.kind](item);
  return (
    <>
      <MendAct item={item} />
      <Link to={to}>{t(word)}</Link>
    </>
  );
}

/** What mends it at once, for whoever may. */
function MendAct({ item }: { item: AttentionBody }): ReactNode {
  const { t } = useText();
  const may = useMay();
  const { kind, subject, name } = item;
  switch (kind) {
    case 'codes_missing':
    case 'codes_short':
    case 'codes_low':
      return may('codes') && <CodesImport pool={{ id: subject, name }} refresh={codePoolKeys.all} />;
    case 'dead_letters':
      return may('fulfil') && <RedriveLane lane={subject} />;
    case 'prizes_failed':
      return may('fulfil') && <RedrivePrizes kind={subject as PrizeKind} />;
    case 'webhook_off':
      return (
        may('webhooks') && (
          <Act
            small
            label={t('att.hookOn')}
            says={t('att.hookOnSays', { name })}
            run={() =>
              insist((signal) => api.POST('/webhooks/{id}/on', { params: { path: { id: subject } }, signal }))
            }
            refresh={[siteKeys.attention, webhookKeys.all]}
            done={t('saved')}
          />
        )
      );
    case 'job_paused':
      return (
        may('changeJobs') && (
          <Act
            small
            label={t('att.jobOn')}
            says={t('att.jobOnSays', { name })}
            run={() =>
              insist((signal) =>
                api.PATCH('/admin/jobs/{name}', {
                  params: { path: { name: subject } },
                  body: { paused: false },
                  signal,
                }),
              )
            }
            refresh={[siteKeys.attention, siteKeys.jobs]}
            done={t('saved')}
          />
        )
      );
    case 'job_failing':
      return (
        may('changeJobs') && (
          <Act
            small
            label={t('att.jobRun')}
            says={t('att.jobRunSays', { name })}
            run={() =>
              insist((signal) =>
                api.POST('/admin/jobs/{name}/run', { params: { path: { name: subject } }, signal }),
              )
            }
            refresh={[siteKeys.attention, siteKeys.jobs]}
            done={t('saved')}
          />
        )
      );
    default:
      return null;
  }
}

function RedriveLane({ lane }: { lane: string }) {
  const { t } = useText();
  return (
    <Act
      small
      label={t('att.redrive')}
      says={t('att.redriveLane', { lane, n: REDRIVE_MAX })}
      fields={[reasonField(t)]}
      run={({ reason }) =>
        ask((signal) =>
          api.POST('/outbox/dead-letters/redrive', { body: { lane, limit: REDRIVE_MAX, reason }, signal }),
        )
      }
      refresh={[siteKeys.attention, outboxKeys.letters, fulfilmentKeys.all]}
      outcome={({ redriven }) => <p>{t('att.redriven', { count: redriven, n: redriven })}</p>}
    />
  );
}

/** One by one, each under an id of its own: pressed again after a lost answer, nothing is tried twice. */
function RedrivePrizes({ kind }: { kind: PrizeKind }) {
  const { t } = useText();
  return (
    <Act
      small
      label={t('att.redrive')}
      says={t('att.redrivePrizes', { kind: t(`kind.${kind}`), n: PRIZES_MAX })}
      fields={[reasonField(t)]}
      run={async ({ reason }, once) => {
        const query = { state: 'failed', kind, limit: PRIZES_MAX } as const;
        const { items } = await ask((signal) => api.GET('/fulfilments', { params: { query }, signal }));
        for (const { id } of items) {
          const params = { path: { id }, header: { 'Idempotency-Key': `${once}-${id}` } };
          await insist((signal) =>
            api.POST('/fulfilments/{id}/redrive', { params, body: { reason }, signal }),
          );
        }
        return items.length;
      }}
      refresh={[siteKeys.attention, fulfilmentKeys.all, outboxKeys.letters]}
      outcome={(count) => <p>{t('att.redriven', { count, n: count })}</p>}
    />
  );
}
