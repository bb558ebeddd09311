// Every page of the console by its address. Each is fetched when it is first looked at.
import type { ComponentType } from 'react';
import { createBrowserRouter } from 'react-router';
import { Frame } from './Frame';
import { Broken, NotHere } from './pages/Broken';

const page = (fetch: () => Promise<{ default: ComponentType }>) => async () => ({
  Component: (await fetch()).default,
});

export const router = createBrowserRouter(
  [
    {
      Component: Frame,
      ErrorBoundary: Broken,
      HydrateFallback: () => null,
      children: [
        {
          ErrorBoundary: Broken,
          children: [
            { index: true, lazy: page(() => import('./pages/Dashboard')) },
            { path: 'activities', lazy: page(() => import('./pages/Activities')) },
            { path: 'activities/new', lazy: page(() => import('./activity/Wizard')) },
            { path: 'activities/:id', lazy: page(() => import('./activity/Activity')) },
            { path: 'activities/:id/edit', lazy: page(() => import('./activity/Wizard')) },
            { path: 'trees', lazy: page(() => import('./pages/Trees')) },
            { path: 'trees/new', lazy: page(() => import('./tree/TreePage')) },
            { path: 'trees/:id', lazy: page(() => import('./tree/TreePage')) },
            { path: 'codes', lazy: page(() => import('./pages/Codes')) },
            { path: 'fulfilment', lazy: page(() => import('./pages/Fulfilment')) },
            { path: 'dead-letters', lazy: page(() => import('./pages/DeadLetters')) },
            { path: 'inventory', lazy: page(() => import('./pages/Inventory')) },
            { path: 'inventory/pool', lazy: page(() => import('./pages/Pool')) },
            { path: 'users', lazy: page(() => import('./pages/Users')) },
            { path: 'users/:id', lazy: page(() => import('./pages/User')) },
            { path: 'approvals', lazy: page(() => import('./pages/Approvals')) },
            { path: 'webhooks', lazy: page(() => import('./pages/Webhooks')) },
            { path: 'webhooks/:id', lazy: page(() => import('./pages/Webhook')) },
            { path: 'keys', lazy: page(() => import('./pages/Keys')) },
            { path: 'audit', lazy: page(() => import('./pages/Audit')) },
            { path: 'jobs', lazy: page(() => import('./pages/Jobs')) },
            { path: 'ledger', lazy: page(() => import('./pages/Ledger')) },
            { path: 'settings', lazy: page(() => import('./pages/Settings')) },
            { path: '*', Component: NotHere },
          ],
        },
      ],
    },
  ],
  { basename: '/console' },
);
