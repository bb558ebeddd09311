// The addresses of the console, with something that is there when the page is.

export function pagesOf(ids) {
  return [
    ['dashboard', '/console', '.card'],
    ['activities', '/console/activities', '.ant-table-row'],
    ['wizard', '/console/activities/new', '.panel'],
    ['running', `/console/activities/${ids.wheel}?tab=run`, '.plain-table'],
    ['says', `/console/activities/${ids.wheel}?tab=says`, '.plain-table'],
    ['review', `/console/activities/${ids.wheel}?tab=review`, '.ant-table-row'],
    ['block-list', `/console/activities/${ids.wheel}?tab=block`, '.table-tools'],
    ['proof', `/console/activities/${ids.wheel}?tab=proof`, '.plain-table'],
    ['raffle', `/console/activities/${ids.raffle}?tab=raffle`, '.facts'],
    ['edit', `/console/activities/${ids.wheel}/edit`, '.panel'],
    ['trees', '/console/trees', '.ant-table-row'],
    ['tree', '/console/trees/new', '.tree-node'],
    ['approvals', '/console/approvals', '.ant-table-row'],
    ['fulfilment', '/console/fulfilment', '.ant-table-row'],
    ['dead-letters', '/console/dead-letters', '.table-tools'],
    ['codes', '/console/codes', '.ant-table-row'],
    ['inventory', '/console/inventory', '.ant-table-row'],
    ['pool', '/console/inventory/pool?name=store-7%2Ftea%2Fgreen', '.ant-table-row'],
    ['users', '/console/users', '.ant-table-row'],
    ['user', `/console/users/${ids.player}`, '.plain-table'],
    ['webhooks', '/console/webhooks', '.ant-table-row'],
    ['webhook', `/console/webhooks/${ids.hook}`, '.table-tools'],
    ['keys', '/console/keys', '.ant-table-row'],
    ['audit', '/console/audit', '.ant-table-row'],
    ['jobs', '/console/jobs', '.ant-table-row'],
    ['ledger', '/console/ledger', '.tiles'],
    ['settings', '/console/settings', '.facts'],
    ['nowhere', '/console/no/such/page', '.nowhere'],
  ];
}
