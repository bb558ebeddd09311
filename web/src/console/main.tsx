// The console: for operators, reviewers and admins. An entry of its own, so that nothing of it reaches the players'
// pages; antd comes with the shell.
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from '../api/queries';
import { startI18n } from '../i18n';
import { startTheme } from '../theme/theme';
import { keepClock } from '../time/clock';
import '../theme/theme.css';

const Shell = lazy(() => import('./Shell'));

async function start(): Promise<void> {
  startTheme();
  keepClock();
  await startI18n({ en: () => import('./words/console.en'), zh: () => import('./words/console.zh') });
  const root = document.getElementById('root');
  if (!root) return;
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={makeQueryClient()}>
        <Suspense>
          <Shell />
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
