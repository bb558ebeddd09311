import { QueryClientProvider } from '@tanstack/react-query';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { BrowserRouter } from 'react-router';
import { shapeAnswers } from '../api/client';
import { makeQueryClient } from '../api/queries';
import { currentLanguage, onLanguage, startI18n } from '../i18n';
import { inLanguage } from '../i18n/texts';
import { reloadWhenBack } from '../routing/whenBack';
import { startTheme } from '../theme/theme';
import { keepClock } from '../time/clock';
import { App } from './App';
import { SessionKeeper } from './session';
import '../theme/theme.css';
import './style/base.css';
import './style/shell.css';
import './style/parts.css';

async function start(): Promise<void> {
  startTheme();
  keepClock();
  const root = document.getElementById('root');
  if (!root) return;
  try {
    await startI18n({ en: () => import('./words/en'), zh: () => import('./words/zh') });
  } catch {
    // Opened without a connection: there are no words yet to say so in one language.
    root.textContent = '网络未连接，恢复后自动继续。 Waiting for the connection…';
    reloadWhenBack();
    return;
  }
  const client = makeQueryClient();
  shapeAnswers((answer) => inLanguage(answer, currentLanguage()));
  onLanguage(() => client.setQueriesData({}, (kept: unknown) => inLanguage(kept, currentLanguage())));
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <BrowserRouter>
          <SessionKeeper>
            <App />
          </SessionKeeper>
        </BrowserRouter>
      </QueryClientProvider>
    </StrictMode>,
  );
}

void start();
