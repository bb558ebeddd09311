// Talking to the server. One client, typed by the API document; every failure becomes a `Problem` or `Lost`.
//
// There is no CSRF token: the server judges writes by what the browser itself says of their origin (`Sec-Fetch-Site`),
// and the session is an HttpOnly cookie that these pages never see.
import createClient from 'openapi-fetch';
import { currentLanguage } from '../i18n';
import { Lost, mayRepeat, Problem, pauseMs } from './problem';
import type { paths } from './schema.gen';
import type { ProblemBody, ProblemCode } from './wire';

export const API_ROOT = '/api/v1';
/** Longer than the server's own time limit, so that its word comes first. */
const PATIENCE_MS = 30_000;
/** How often a write is sent again by itself before the page says that it is not known what came of it. */
export const ATTEMPTS_MAX = 5;

export const api = createClient<paths>({ baseUrl: API_ROOT, credentials: 'same-origin' });

api.use({
  onRequest({ request }) {
    request.headers.set('Accept-Language', currentLanguage());
    return request;
  },
});

let shape: <T>(answer: T) => T = (answer) => answer;

/** What every good answer passes on its way to the pages. */
export function shapeAnswers(by: <T>(answer: T) => T): void {
  shape = by;
}

/** For an answer that did not come by [`read`], such as one of a stream. */
export function shapeAnswer<T>(answer: T): T {
  return shape(answer);
}

type Listener = () => void;
const signedOutListeners = new Set<Listener>();

/** Called whenever an answer says that the session is not good any more. */
export function onSignedOut(listener: Listener): () => void {
  signedOutListeners.add(listener);
  return () => signedOutListeners.delete(listener);
}

interface Answered<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/**
 * What `call` answers, or the failure as an exception. Nobody waits for ever; `given` ends the wait earlier, when nobody
 * wants the answer any more.
 */
export async function ask<T>(
  call: (signal: AbortSignal) => Promise<Answered<T>>,
  given?: AbortSignal,
): Promise<T> {
  const over = new AbortController();
  const end = () => over.abort();
  const timer = setTimeout(end, PATIENCE_MS);
  if (given?.aborted) end();
  given?.addEventListener('abort', end);
  let answered: Answered<T>;
  try {
    answered = await call(over.signal);
  } catch (error) {
    throw new Lost('no answer', { cause: error });
  } finally {
    clearTimeout(timer);
    given?.removeEventListener('abort', end);
  }
  const { data, error, response } = answered;
  if (response.ok) return shape(data as T);
  const problem = asProblem(error, response);
  if (problem.code === 'unauthenticated') for (const listener of signedOutListeners) listener();
  throw problem;
}

/** How a query asks: with its own signal, so that a page that nobody looks at any more stops its request. */
export function read<T, P = undefined>(
  call: (signal: AbortSignal, page: P) => Promise<Answered<T>>,
): (context: { signal: AbortSignal; pageParam?: P }) => Promise<T> {
  return ({ signal, pageParam }) => ask((over) => call(over, pageParam as P), signal);
}

/**
 * The same for a write that carries its own id: sent again while it is not known whether it was done. `failed` hears of
 * every time that it was not.
 */
export async function insist<T>(
  call: (signal: AbortSignal) => Promise<Answered<T>>,
  failed?: (error: unknown) => void,
): Promise<T> {
  for (let failures = 0; ; failures += 1) {
    try {
      return await ask(call);
    } catch (error) {
      if (!mayRepeat(error) || failures + 1 >= ATTEMPTS_MAX) throw error;
      failed?.(error);
      const pause = pauseMs(failures, error);
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }
}

/** What a proxy's answer comes to; anything else from it is no word of ours, and `internal`. */
const FROM_A_PROXY: Record<number, ProblemCode> = { 502: 'overloaded', 503: 'overloaded', 504: 'timed_out' };

function asProblem(error: unknown, response: Response): Problem {
  const requestId = response.headers.get('x-request-id');
  if (typeof error === 'object' && error !== null && 'code' in error && 'title' in error) {
    const body = error as ProblemBody;
    return new Problem({ ...body, request_id: body.request_id ?? requestId });
  }
  // Not ours: a proxy in between. Its page says nothing that helps.
  const code = FROM_A_PROXY[response.status] ?? 'internal';
  return new Problem({
    title: `HTTP ${response.status}`,
    status: response.status,
    code,
    request_id: requestId,
  });
}

/** An id for a write that must not happen twice; see `once.ts`. `randomUUID` exists over TLS only, and demos run without. */
export function freshId(): string {
  return hex(crypto.getRandomValues(new Uint8Array(16)));
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
