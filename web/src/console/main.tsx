// The console: for operators, reviewers and admins. An entry of its own, so that nothing of it reaches the players'
// pages; antd comes with the shell.
import { QueryClientProvider } from '@tanstack/react-query';
import { lazy, StrictMode, Suspense } from 'react';
import { createRoot } from 'react-dom/client';
import { makeQueryClient } from '../api/queries';
import { startI18n } from '../i18n';
import { startTheme } from '../theme/theme';
import '../theme/theme.css';

const Shell = lazy(() => import('./Shell'));

startTheme();
await startI18n({ en: () => import('./words/en'), zh: () => import('./words/zh') });

const root = document.getElementById('root');
if (root) {
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={makeQueryClient()}>
        <Suspense fallback={null}>
          <Shell />
        </Suspense>
      </QueryClientProvider>
    </StrictMode>,
  );
}
