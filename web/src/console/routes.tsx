// Every page of the console by its address. Each is fetched when it is first looked at.
import { type ComponentType, Suspense } from 'react';
import { createBrowserRouter, type RouteObject, useLocation } from 'react-router';
import { RouterProvider } from 'react-router/dom';
import { lazyPage } from '../routing/lazyPage';
import { Frame } from './Frame';
import { Broken, NotHere } from './pages/Broken';
import { Loading } from './parts/states';

const PAGES: [path: string, fetch: () => Promise<{ default: ComponentType }>][] = [
  ['/', () => import('./pages/Dashboard')],
  ['statistics', () => import('./pages/Statistics')],
  ['search', () => import('./pages/Search')],
  ['activities', () => import('./pages/Activities')],
  ['activities/new', () => import('./activity/Wizard')],
  ['activities/:id', () => import('./activity/Activity')],
  ['activities/:id/edit', () => import('./activity/Wizard')],
  ['trees', () => import('./pages/Trees')],
  ['trees/new', () => import('./tree/TreePage')],
  ['trees/:id', () => import('./tree/TreePage')],
  ['grant-rules', () => import('./pages/GrantRules')],
  ['shop', () => import('./pages/Offers')],
  ['orders', () => import('./pages/Orders')],
  ['codes', () => import('./pages/Codes')],
  ['fulfilment', () => import('./pages/Fulfilment')],
  ['dead-letters', () => import('./pages/DeadLetters')],
  ['inventory', () => import('./pages/Inventory')],
  ['inventory/pool', () => import('./pages/Pool')],
  ['inventory/hold', () => import('./pages/Hold')],
  ['inventory/holds', () => import('./pages/Holds')],
  ['shop-orders', () => import('./pages/ShopOrders')],
  ['users', () => import('./pages/Users')],
  ['users/:id', () => import('./pages/User')],
  ['reports', () => import('./pages/Reports')],
  ['held', () => import('./pages/Held')],
  ['appeals', () => import('./pages/Appeals')],
  ['words', () => import('./pages/Words')],
  ['approvals', () => import('./pages/Approvals')],
  ['webhooks', () => import('./pages/Webhooks')],
  ['webhooks/:id', () => import('./pages/Webhook')],
  ['keys', () => import('./pages/Keys')],
  ['audit', () => import('./pages/Audit')],
  ['jobs', () => import('./pages/Jobs')],
  ['ledger', () => import('./pages/Ledger')],
  ['quarantine', () => import('./pages/Quarantine')],
  ['settings', () => import('./pages/Settings')],
  ['account', () => import('./pages/Account')],
];

/** A page that breaks takes nothing else with it, and another address is another try: the router forgets the error. */
const routes: RouteObject[] = [
  {
    element: <Frame />,
    errorElement: <Broken />,
    children: [
      {
        errorElement: <Broken />,
        children: [
          ...PAGES.map(([path, fetch]) => ({ path, element: <Fetched page={lazyPage(fetch)} /> })),
          { path: '*', element: <NotHere /> },
        ],
      },
    ],
  },
];

function Fetched({ page: Page }: { page: ComponentType }) {
  // Keyed: the same page at another address begins anew.
  const { pathname } = useLocation();
  return (
    <Suspense fallback={<Loading />} key={pathname}>
      <Page />
    </Suspense>
  );
}

const router = createBrowserRouter(routes, { basename: '/console' });

export function Addresses() {
  return <RouterProvider router={router} />;
}
