import { hasCode, Problem } from '../api/problem';
import type { PostDraft } from './useKeptDraft';

/** The same refusal, said beside the field that is to blame: a link that comes too soon names no field of its own. */
export function draftProblem(error: unknown, draft: PostDraft): unknown {
  if (!hasCode(error, 'links_too_soon')) return error;
  return new Problem({
    title: error.message,
    status: error.status,
    code: error.code,
    field: draft.link.trim() ? 'link' : 'body',
    request_id: error.requestId ?? null,
  });
}

/** How many characters the server counts. */
export function charactersIn(text: string): number {
  return Array.from(text.trim()).length;
}
