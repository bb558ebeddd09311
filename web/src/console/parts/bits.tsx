// Small things that stand in many tables: moments, people, states, money.

import { useQuery } from '@tanstack/react-query';
import { Tooltip } from 'antd';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import type {
  ActivityState,
  ActorBody,
  ApprovalState,
  DeliveryOutcome,
  FulfilmentState,
  GrantState,
  HoldState,
  OfferState,
  OrderState,
  PaymentState,
  PoolState,
  RunOutcome,
  ShopOrderState,
  VersionState,
} from '../../api/wire';
import { formatMoment, formatNumber, formatShort, type Language } from '../../i18n';
import { formatMoney } from '../../i18n/money';
import { siteCurrency } from '../../time/clock';
import { userKeys } from '../keys';
import { nameOf } from '../logic/names';
import { type Say, useText, type Word } from '../text';

/** A moment in the reader's own zone, which the frame names. `exact` where things happen within seconds. */
export function When({ ms, exact = false }: { ms: number | null | undefined; exact?: boolean }) {
  const { language } = useText();
  if (ms === null || ms === undefined) return <span className="soft">—</span>;
  const thisYear = new Date(ms).getFullYear() === new Date().getFullYear();
  const short = thisYear ? formatShort(ms, language) : formatMoment(ms, language);
  const whole = formatExact(ms, language);
  return (
    <time dateTime={new Date(ms).toISOString()} title={whole} className="nowrap">
      {exact ? whole : short}
    </time>
  );
}

/** To the second. */
export function formatExact(ms: number, language: Language): string {
  return new Intl.DateTimeFormat(language === 'zh' ? 'zh-CN' : 'en', {
    year: 'numeric',
    month: 'short',
    day: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  }).format(ms);
}

export function Count({ n }: { n: number | null | undefined }) {
  const { language } = useText();
  return <span className="number">{n === null || n === undefined ? '—' : formatNumber(n, language)}</span>;
}

/** A cost or a budget: in the smallest unit of the site's currency, which does not always have cents. */
export function Money({ minor }: { minor: number }) {
  const { language } = useText();
  return <span className="number">{money(minor, language)}</span>;
}

export function money(minor: number, language: Language): string {
  return formatMoney(minor, siteCurrency(), language);
}

/** Everything that has a state here, and what pages themselves call one. */
export type StateName =
  | ActivityState
  | ApprovalState
  | DeliveryOutcome
  | FulfilmentState
  | GrantState
  | HoldState
  | OfferState
  | OrderState
  | PaymentState
  | PoolState
  | RunOutcome
  | ShopOrderState
  | VersionState
  | 'paying';

/** How a state looks: well, under way, waiting for somebody, wrong, or over. */
const LOOKS = {
  running: 'good',
  open: 'good',
  given: 'good',
  shipped: 'good',
  handed_over: 'good',
  done: 'good',
  approved: 'good',
  on: 'good',
  paid: 'good',
  fulfilled: 'good',
  used: 'good',
  ready: 'busy',
  frozen: 'busy',
  more: 'busy',
  reopened: 'busy',
  paying: 'busy',
  arrived: 'busy',
  in_review: 'wait',
  waiting: 'wait',
  claimable: 'wait',
  to_ship: 'wait',
  again: 'wait',
  paused: 'wait',
  editing: 'wait',
  draft: 'wait',
  unpaid: 'wait',
  refund_due: 'wait',
  back_due: 'wait',
  refused: 'bad',
  failed: 'bad',
  dead: 'bad',
  off: 'bad',
  back: 'over',
  cancelled: 'over',
  closed: 'over',
  confirmed: 'over',
  expired: 'over',
  held: 'over',
  placed: 'over',
  refunded: 'over',
  reversed: 'over',
  unclaimed: 'over',
  voided: 'over',
  withdrawn: 'over',
} as const satisfies Record<StateName, string>;

/** A state by its word. A state this page does not know yet is shown as the server wrote it. */
export function State({ name }: { name: StateName }) {
  const { t } = useText();
  return <span className={`tag tag-${LOOKS[name] ?? 'over'}`}>{stateWord(t, name)}</span>;
}

export function stateWord(t: Say, name: StateName): string {
  return wordFor(t, 'state', name);
}

/**
 * The word for a name of the API document. Every name has one, or the compiler says so; a name that is newer than this page
 * is shown as it is.
 */
export function wordFor<Shelf extends string, Name extends string>(
  t: Say,
  shelf: Shelf,
  name: [`${Shelf}.${Name}`] extends [Word] ? Name : never,
): string {
  return openWord(t, shelf, name);
}

/** The word for a name of a list that anybody may add to, or that name itself. */
export function openWord(t: Say, shelf: string, name: string): string {
  const key = `${shelf}.${name}`;
  const word = t(key as Word);
  return word === key ? name : word;
}

/** A person by name, leading to their page. */
export function Person({ id }: { id: string }) {
  const { data } = useQuery({
    queryKey: userKeys.profile(id),
    queryFn: ({ signal }) => nameOf(id, signal),
    staleTime: 300_000,
    retry: false,
  });
  return <Link to={`/users/${id}`}>{data ?? id}</Link>;
}

export function Actor({ actor }: { actor: ActorBody | null | undefined }) {
  const { t } = useText();
  if (!actor) return <span className="soft">—</span>;
  if (actor.kind === 'person' && actor.id) return <Person id={actor.id} />;
  return (
    <span>
      {wordFor(t, 'actor', actor.kind)}
      {actor.id ? ` ${actor.id}` : ''}
    </span>
  );
}

/** A long id that need not be read whole. */
export function Short({ text, length = 10 }: { text: string; length?: number }) {
  if (text.length <= length) return <code>{text}</code>;
  return (
    <Tooltip title={text}>
      <code>{text.slice(0, length)}…</code>
    </Tooltip>
  );
}

export function Title({
  children,
  extra,
  back,
}: {
  children: ReactNode;
  extra?: ReactNode;
  back?: ReactNode;
}) {
  return (
    <header className="page-head">
      {back}
      <div className="row-between">
        <h1 className="page-title">{children}</h1>
        {extra && <div className="row">{extra}</div>}
      </div>
    </header>
  );
}
