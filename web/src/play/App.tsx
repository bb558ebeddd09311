// The first page, and the way to all others: what a phone needs before it can show anything is kept small.
import { Suspense } from 'react';
import { Route, Routes, useLocation } from 'react-router';
import { lazyPage } from '../routing/lazyPage';
import { Home } from './pages/Home';
import { Fence } from './parts/Fence';
import { Shell } from './parts/Shell';
import { Loading } from './parts/states';

const fetchPages = () => import('./Pages');
const Pages = lazyPage(fetchPages);
// Opened at another address, the list of pages is wanted at once: it comes beside the words and not after them.
if (location.pathname !== '/') fetchPages().catch(() => {});

export function App() {
  // Keyed: a page that breaks stays broken only until another address is asked for.
  const { pathname } = useLocation();
  return (
    <Shell>
      <Fence key={pathname}>
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route path="/" element={<Home />} />
            <Route path="*" element={<Pages />} />
          </Routes>
        </Suspense>
      </Fence>
    </Shell>
  );
}
