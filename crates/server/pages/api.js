// Talking to the server: one wrapper for every request, the three ways it can go wrong, and the retrying.

import { t, tag } from './i18n.js';

const ROOT = '/api/v1';
const PATIENCE_MS = 20_000;
const PAUSES_S = [1, 2, 4, 8, 15, 30];

/** The server said no, in its own words. */
export class Problem extends Error {
  constructor(body) {
    super(body.title);
    Object.assign(this, { title: body.title, status: body.status, code: body.code, field: body.field ?? null,
      retryAfterS: body.retry_after_s ?? null, requestId: body.request_id ?? null });
  }
}

/** No answer came, and asking again by ourselves could do the thing twice. */
export class Unsure extends Error {
  constructor() { super(t('lost.unsure')); }
}

/** The page moved on and nobody waits for this answer any more. */
export class Left extends Error {}

/** A key for a request that creates. randomUUID exists in secure contexts only, and demos run on plain http. */
export function freshKey() {
  if (crypto.randomUUID) return crypto.randomUUID();
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Who wants to know: `ended` when the session is no longer good, `link` when the connection is lost or back. */
export const watchers = { ended: () => {}, link: () => {} };

/**
 * Sends a request and answers its JSON, or null when there is none.
 *
 * What can be repeated safely — reads, replacements, removals, and posts with an idempotency key — is repeated by
 * itself until an answer comes. Anything else throws Unsure, because only a person can check what happened.
 */
export async function call(method, path, { body, key, signal } = {}) {
  const repeatable = method !== 'POST' || key !== undefined;
  for (let attempt = 0; ; attempt += 1) {
    if (signal?.aborted) throw new Left();
    const response = await attemptOnce(method, path, body, key, signal);
    if (response) {
      settle();
      return read(response, method, attempt);
    }
    if (signal?.aborted) throw new Left();
    if (!repeatable) throw new Unsure();
    await pause(PAUSES_S[Math.min(attempt, PAUSES_S.length - 1)], signal);
  }
}

export const get = (path, signal) => call('GET', path, { signal });

/** A path with the parts of a query that are set. */
export function query(path, parts) {
  const set = Object.entries(parts).filter(([, value]) => value !== '' && value !== null && value !== undefined && value !== false);
  return set.length ? `${path}?${new URLSearchParams(set)}` : path;
}

/** One try: the response, or null when none came. */
async function attemptOnce(method, path, body, key, signal) {
  const headers = { 'Accept': 'application/json', 'Accept-Language': tag() };
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  if (key !== undefined) headers['Idempotency-Key'] = key;
  const stop = new AbortController();
  const timer = setTimeout(() => stop.abort(), PATIENCE_MS);
  const leave = () => stop.abort();
  signal?.addEventListener('abort', leave);
  try {
    const text = body === undefined ? undefined : JSON.stringify(body);
    const response = await fetch(ROOT + path, { method, headers, body: text, signal: stop.signal, credentials: 'same-origin' });
    // A proxy in front answers for a server that is gone; its pages are not the server's word.
    const fromProxy = [502, 503, 504].includes(response.status) && !isProblem(response);
    // The body is read here, so that a connection that breaks half-way counts as lost.
    return fromProxy ? null : { status: response.status, problem: isProblem(response), text: await response.text() };
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', leave);
  }
}

const isProblem = (response) => (response.headers.get('Content-Type') ?? '').startsWith('application/problem+json');

function read({ status, problem, text }, method, attempt) {
  let body = null;
  try {
    body = text ? JSON.parse(text) : null;
  } catch {
    throw new Problem({ title: t('lost.strange', { status }), status, code: 'strange' });
  }
  if (status < 400) return body;
  // The first try may have removed it before its answer was lost.
  if (status === 404 && method === 'DELETE' && attempt > 0) return null;
  if (!problem) throw new Problem({ title: t('lost.strange', { status }), status, code: 'strange' });
  const error = new Problem(body);
  if (error.code === 'unauthenticated' || error.code === 'banned') watchers.ended(error);
  throw error;
}

const wake = new EventTarget();
let lost = false;

/** Ends every pause at once: the reader asked, or the network is back. */
export function tryNow() {
  wake.dispatchEvent(new Event('now'));
}
addEventListener('online', tryNow);

function settle() {
  if (!lost) return;
  lost = false;
  watchers.link({ lost: false });
  tryNow();
}

async function pause(seconds, signal) {
  lost = true;
  for (let left = seconds; left > 0; left -= 1) {
    watchers.link({ lost: true, left });
    const woken = await new Promise((resolve) => {
      const timer = setTimeout(() => done(false), 1000);
      const now = () => done(true);
      const done = (value) => {
        clearTimeout(timer);
        wake.removeEventListener('now', now);
        signal?.removeEventListener('abort', now);
        resolve(value);
      };
      wake.addEventListener('now', now);
      signal?.addEventListener('abort', now);
    });
    if (woken) break;
  }
  watchers.link({ lost: true, left: 0 });
}
