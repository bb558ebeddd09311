// The keys of everything the players' pages read, one factory per feature. Nothing else writes a key; a test holds pages to
// it. What belongs to whoever is signed in begins with `mine` and is forgotten at sign-out.

export const activityKeys = {
  list: ['activities', 'list'],
  one: (id: string) => ['activities', 'one', id],
  leaders: (id: string) => ['activities', 'leaders', id],
  winners: (id: string) => ['activities', 'winners', id],
  raffle: (id: string) => ['activities', 'raffle', id],
  raffleWinners: (id: string, round: number) => ['activities', 'raffle-winners', id, round],
} as const;

export const saleKeys = {
  list: ['sales', 'list'],
  all: ['sales', 'one'],
  one: (id: string) => ['sales', 'one', id],
} as const;

export const siteKeys = {
  texts: ['site', 'texts'],
} as const;

export const regionKeys = {
  all: ['regions'],
} as const;

export const shopKeys = {
  offers: ['shop', 'offers'],
} as const;

export const myKeys = {
  all: ['mine'],
  chances: (activity: string) => ['mine', 'chances', activity],
  chancesLeft: (activities: string) => ['mine', 'chances-left', activities],
  draws: (activity: string) => ['mine', 'draws', activity],
  proof: (activity: string, ticket: string) => ['mine', 'proof', activity, ticket],
  checked: (activity: string, ticket: string, secret: string) => [
    'mine',
    'checked',
    activity,
    ticket,
    secret,
  ],
  wins: ['mine', 'wins'],
  waitingWins: ['mine', 'waiting-wins'],
  raffleWin: (activity: string, round: number) => ['mine', 'raffle-win', activity, round],
  points: ['mine', 'points'],
  statement: ['mine', 'statement'],
  grants: ['mine', 'grants'],
  route: (tree: string) => ['mine', 'route', tree],
  addresses: ['mine', 'addresses'],
  sessions: ['mine', 'sessions'],
  shopOrders: ['mine', 'shop-orders'],
  reminders: ['mine', 'reminders'],
  orders: ['mine', 'orders'],
  unpaidOrders: ['mine', 'unpaid-orders'],
  order: (id: string) => ['mine', 'order', id],
  items: ['mine', 'items'],
} as const;

/** Not among `mine`: signing in writes it before what is mine is forgotten. */
export const sessionKeys = {
  me: ['me'],
} as const;
