// Which address shows which page. Everything but the first page is fetched when it is needed.
import { lazy, Suspense } from 'react';
import { Route, Routes } from 'react-router';
import { Home } from './pages/Home';
import { Fence } from './parts/Fence';
import { Shell } from './parts/Shell';
import { Loading } from './parts/states';
import { NeedsSession } from './session';

const Play = lazy(() => import('./pages/Play'));
const Odds = lazy(() => import('./pages/Odds'));
const Draws = lazy(() => import('./pages/Draws'));
const Check = lazy(() => import('./pages/Check'));
const Wins = lazy(() => import('./pages/Wins'));
const Points = lazy(() => import('./pages/Points'));
const Me = lazy(() => import('./pages/Me'));
const Addresses = lazy(() => import('./pages/Addresses'));
const Security = lazy(() => import('./pages/Security'));
const SignIn = lazy(() => import('./pages/SignIn'));
const Register = lazy(() => import('./pages/Register'));
const Reset = lazy(() => import('./pages/Reset'));
const Enter = lazy(() => import('./pages/Enter'));
const Lost = lazy(() => import('./pages/Lost'));

export function App() {
  return (
    <Shell>
      <Fence>
        <Suspense fallback={<Loading />}>
          <Routes>
            <Route path="/" element={<Home />} />
            <Route path="/sign-in" element={<SignIn />} />
            <Route path="/register" element={<Register />} />
            <Route path="/reset" element={<Reset />} />
            <Route path="/enter" element={<Enter />} />
            <Route path="/activities/:id" element={<Play />} />
            <Route path="/activities/:id/odds" element={<Odds />} />
            <Route element={<NeedsSession />}>
              <Route path="/activities/:id/draws" element={<Draws />} />
              <Route path="/activities/:id/check/:ticket" element={<Check />} />
              <Route path="/me" element={<Me />} />
              <Route path="/me/wins" element={<Wins />} />
              <Route path="/me/points" element={<Points />} />
              <Route path="/me/addresses" element={<Addresses />} />
              <Route path="/me/security" element={<Security />} />
            </Route>
            <Route path="*" element={<Lost />} />
          </Routes>
        </Suspense>
      </Fence>
    </Shell>
  );
}
