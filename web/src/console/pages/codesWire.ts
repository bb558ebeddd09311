// The client of the API document speaks JSON; codes go as text.
import { API_ROOT, ask } from '../../api/client';
import type { CodesImportBody, CodesPreviewBody } from '../../api/wire';
import { currentLanguage } from '../../i18n';

function post<Answer>(path: string, text: string): Promise<Answer> {
  return ask(async (signal) => {
    const response = await fetch(`${API_ROOT}${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'text/csv', 'Accept-Language': currentLanguage() },
      body: text,
      signal,
    });
    const answer = await response.json();
    return response.ok ? { data: answer as Answer, response } : { error: answer, response };
  });
}

export function importPiece(pool: string, text: string): Promise<CodesImportBody> {
  return post(`/code-pools/${pool}/codes`, text);
}

export function previewPiece(pool: string, text: string): Promise<CodesPreviewBody> {
  return post(`/code-pools/${pool}/codes/preview`, text);
}
