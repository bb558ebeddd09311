// Every page of the console by its address. Each is fetched when it is first looked at.
import { Component, type ComponentType, lazy, type ReactNode, Suspense } from 'react';
import { BrowserRouter, Route, Routes, useLocation } from 'react-router';
import { Frame } from './Frame';
import { Broken, NotHere } from './pages/Broken';
import { Loading } from './parts/states';
import { guardBack } from './parts/useGuard';

const PAGES: [path: string, fetch: () => Promise<{ default: ComponentType }>][] = [
  ['/', () => import('./pages/Dashboard')],
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

guardBack();

const SHOWN = PAGES.map(([path, fetch]) => ({ path, Page: lazy(fetch) }));

export function Addresses() {
  return (
    <BrowserRouter basename="/console">
      <Routes>
        <Route element={<Frame />}>
          {SHOWN.map(({ path, Page }) => (
            <Route key={path} path={path} element={<Guarded page={<Page />} />} />
          ))}
          <Route path="*" element={<NotHere />} />
        </Route>
      </Routes>
    </BrowserRouter>
  );
}

/** A page that breaks takes nothing else with it, and another address is another try. */
function Guarded({ page }: { page: ReactNode }) {
  const { pathname } = useLocation();
  return (
    <Fence key={pathname}>
      <Suspense fallback={<Loading />}>{page}</Suspense>
    </Fence>
  );
}

class Fence extends Component<{ children: ReactNode }, { broken: boolean }> {
  override state = { broken: false };

  static getDerivedStateFromError() {
    return { broken: true };
  }

  override render() {
    return this.state.broken ? <Broken /> : this.props.children;
  }
}
