// The keys of everything the console reads, one factory per feature. Nothing else writes a key; a test holds pages to it.
//
// A key begins with its feature and then names the kind of read, so that what somebody types into a filter can never make
// the key of another read. Acts refresh a whole branch: `lists` of a feature, or `one` of it with all that hangs on it.
import type { ActivityState, OrderState, TreePurpose } from '../api/wire';

type Filter = Readonly<Record<string, string | undefined>>;

export const activityKeys = {
  lists: ['activities', 'list'],
  rows: (filter: Filter) => ['activities', 'list', 'rows', filter],
  choice: (state?: ActivityState) => ['activities', 'list', 'choice', state ?? null],
  running: ['activities', 'list', 'running'],
  count: (state: ActivityState) => ['activities', 'list', 'count', state],
  reviews: ['activities', 'list', 'reviews'],
  one: (id: string) => ['activities', 'one', id],
  detail: (id: string) => ['activities', 'one', id, 'detail'],
  version: (id: string, number: number) => ['activities', 'one', id, 'version', number],
  versions: (id: string) => ['activities', 'one', id, 'versions'],
  diff: (id: string, number: number, edition: number) => ['activities', 'one', id, 'diff', number, edition],
  reports: (id: string) => ['activities', 'report', id],
  report: (id: string) => ['activities', 'report', id, 'whole'],
  reportHead: (id: string) => ['activities', 'report', id, 'head'],
  day: (ids: readonly string[]) => ['activities', 'day', ids],
  raffle: (id: string) => ['activities', 'raffle', id],
  secrets: (id: string) => ['activities', 'secrets', id],
  blocked: (id: string) => ['activities', 'blocked', id],
  timeline: (id: string) => ['activities', 'one', id, 'timeline'],
  funnel: (id: string) => ['activities', 'funnel', id],
  endedToday: (from: number) => ['activities', 'list', 'ended', from],
} as const;

export const saleKeys = {
  units: (id: string) => ['sales', 'units', id],
  report: (id: string) => ['sales', 'report', id],
} as const;

export const treeKeys = {
  lists: ['trees', 'list'],
  rows: (filter: Filter) => ['trees', 'list', 'rows', filter],
  choice: (purpose: TreePurpose) => ['trees', 'list', 'choice', purpose],
  newest: (id: string) => ['trees', 'one', id, 'newest'],
  uses: (id: string) => ['trees', 'uses', id],
  version: (id: string, version: number) => ['trees', 'one', id, 'version', version],
} as const;

export const grantKeys = {
  rules: ['grants', 'rules'],
  ruleRows: (filter: Filter) => ['grants', 'rules', 'rows', filter],
  given: (rule: string) => ['grants', 'given', rule],
} as const;

export const orderKeys = {
  all: ['orders'],
  rows: (filter: Filter) => ['orders', 'rows', filter],
  one: (id: string) => ['orders', 'one', id],
  count: (state: OrderState) => ['orders', 'count', state],
} as const;

export const shopKeys = {
  offers: ['shop', 'offers'],
  offerRows: (filter: Filter) => ['shop', 'offers', 'rows', filter],
  orders: ['shop', 'orders'],
  orderRows: (filter: Filter) => ['shop', 'orders', 'rows', filter],
} as const;

export const codePoolKeys = {
  all: ['code-pools'],
  rows: (filter: Filter) => ['code-pools', 'rows', filter],
  choice: ['code-pools', 'choice'],
  one: (id: string) => ['code-pools', 'one', id],
} as const;

export const fulfilmentKeys = {
  all: ['fulfilments'],
  rows: (filter: Filter) => ['fulfilments', 'rows', filter],
  one: (id: string) => ['fulfilments', 'one', id],
} as const;

export const outboxKeys = {
  letters: ['outbox', 'letters'],
  letterRows: (filter: Filter) => ['outbox', 'letters', 'rows', filter],
  letterCount: ['outbox', 'letters', 'count'],
  letter: (id: string) => ['outbox', 'letter', id],
  quarantine: ['outbox', 'quarantine'],
  quarantined: ['outbox', 'quarantine', 'sums'],
  quarantinedRows: (filter: Filter) => ['outbox', 'quarantine', 'rows', filter],
} as const;

export const inventoryKeys = {
  pools: ['inventory', 'pools'],
  poolRows: (filter: Filter) => ['inventory', 'pools', 'rows', filter],
  pool: (name: string) => ['inventory', 'pool', name],
  counters: (name: string) => ['inventory', 'pool', name, 'counters'],
  movements: (name: string) => ['inventory', 'pool', name, 'movements'],
  holdRows: (filter: Filter) => ['inventory', 'holds', 'rows', filter],
  hold: (id: string) => ['inventory', 'hold', id],
} as const;

export const userKeys = {
  lists: ['users', 'list'],
  rows: (filter: Filter) => ['users', 'list', 'rows', filter],
  all: ['users', 'one'],
  one: (id: string) => ['users', 'one', id],
  support: (id: string) => ['users', 'one', id, 'support'],
  statement: (id: string) => ['users', 'one', id, 'statement'],
  profile: (id: string) => ['users', 'profile', id],
} as const;

export const approvalKeys = {
  all: ['approvals'],
  rows: (filter: Filter) => ['approvals', 'rows', filter],
  waiting: ['approvals', 'waiting'],
} as const;

export const reportKeys = {
  rows: ['reports', 'rows'],
  list: (filter: Filter) => ['reports', 'rows', filter],
} as const;

export const wordKeys = {
  all: ['words'],
  list: (filter: Filter) => ['words', 'rows', filter],
  changes: ['words', 'changes'],
} as const;

export const heldKeys = {
  rows: ['held', 'rows'],
} as const;

export const appealKeys = {
  rows: ['appeals', 'rows'],
  list: (filter: Filter) => ['appeals', 'rows', filter],
} as const;

export const statisticsKeys = {
  days: (days: Filter) => ['statistics', 'days', days],
  range: (days: Filter) => ['statistics', 'range', days],
  retention: (days: Filter) => ['statistics', 'retention', days],
} as const;

export const webhookKeys = {
  all: ['webhooks'],
  rows: ['webhooks', 'rows'],
  names: ['webhooks', 'names'],
  one: (id: string) => ['webhooks', 'one', id],
  deliveries: (id: string) => ['webhooks', 'deliveries', id],
  deliveryRows: (id: string, filter: Filter) => ['webhooks', 'deliveries', id, 'rows', filter],
} as const;

export const siteKeys = {
  keys: ['site', 'keys'],
  auditRows: (filter: Filter) => ['site', 'audit', filter],
  attention: ['site', 'attention'],
  search: (text: string, codes: boolean) => ['site', 'search', text, codes],
  jobs: ['site', 'jobs'],
  jobRows: ['site', 'jobs', 'rows'],
  jobRuns: (name: string) => ['site', 'jobs', 'runs', name],
  ledger: ['site', 'ledger'],
  halt: ['site', 'halt'],
  problems: ['site', 'problems'],
  ready: ['site', 'ready'],
} as const;

export const accountKeys = {
  me: ['account', 'me'],
  secondFactor: ['account', 'second-factor'],
} as const;
