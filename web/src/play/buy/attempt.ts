// One attempt to buy, at one sale or a whole cart: sent under a key of its own that survives a reload, so that an attempt
// whose answer got lost is asked for again and never made twice; then waited for until its one final answer is there.
import { api, ask, freshId, insist } from '../../api/client';
import { hasCode, isFinalRefusal, mayRepeat, Problem, pauseMs } from '../../api/problem';
import type { AttemptBody, CaptchaAnswer } from '../../api/wire';

/** Less than a request's own patience. */
const WAIT_MS = 20_000;
/** Where the server does not say when. */
const ASK_AGAIN_MS = 1000;

/** So many of one sale, with the right to try, at the price that its buyer was shown. */
export interface TokenLine {
  sale: string;
  quantity: number;
  token: string;
  price_minor: number;
}

/** An attempt that was begun here and whose answer nobody has seen yet. */
export interface Pending {
  key: string;
  lines: TokenLine[];
  /** Once it was taken in. */
  id?: string;
}

/** Where an attempt is kept: under its sale, or as that of the cart. */
export const CART = 'cart';

const pendingKey = (place: string) => `windfall.attempt.${place}`;

export function pendingAttempt(place: string): Pending | undefined {
  try {
    const kept = JSON.parse(sessionStorage.getItem(pendingKey(place)) ?? 'null') as Pending | null;
    return kept?.lines ? kept : undefined;
  } catch {
    return undefined;
  }
}

function remember(place: string, pending: Pending | undefined): void {
  try {
    if (pending) sessionStorage.setItem(pendingKey(place), JSON.stringify(pending));
    else sessionStorage.removeItem(pendingKey(place));
  } catch {
    // A browser that keeps nothing: the attempt itself is safe on the server.
  }
}

/** What is needed of the world; tests bring their own. */
export interface AttemptWorld {
  send(pending: Pending): Promise<AttemptBody>;
  look(id: string, waitMs: number): Promise<AttemptBody>;
  pause(ms: number): Promise<void>;
}

export const attemptWorld: AttemptWorld = {
  send: ({ key, lines }) => {
    const header = { 'Idempotency-Key': key };
    const [one, ...others] = lines;
    if (!one || others.length > 0)
      return insist((signal) => api.POST('/attempts', { signal, params: { header }, body: { lines } }));
    const { sale, ...body } = one;
    return insist((signal) =>
      api.POST('/sales/{id}/attempts', {
        signal,
        params: { path: { id: sale }, header },
        body,
      }),
    );
  },
  look: (id, wait_ms) =>
    ask((signal) =>
      api.GET('/attempts/{id}', { signal, params: { path: { id }, query: wait_ms > 0 ? { wait_ms } : {} } }),
    ),
  pause: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
};

/** How waiting goes: how many wait, and whether the server is heard. */
export interface Queued {
  waiting: number | undefined;
  lost: boolean;
}

/** Waits until an attempt is decided. A server that is not heard is asked for as long as somebody is interested. */
export async function answerOf(
  taken: AttemptBody,
  world: AttemptWorld,
  told: (queued: Queued) => void,
  isOver: () => boolean = () => false,
): Promise<AttemptBody> {
  let latest = taken;
  let failures = 0;
  while (latest.state === 'queued' && !isOver()) {
    told({ waiting: latest.waiting ?? undefined, lost: failures > 0 });
    try {
      latest = await world.look(taken.id, WAIT_MS);
      failures = 0;
    } catch (error) {
      if (!mayRepeat(error)) throw error;
      await world.pause(pauseMs(failures, error));
      failures += 1;
      continue;
    }
    if (latest.state === 'queued') await world.pause(latest.ask_again_ms ?? ASK_AGAIN_MS);
  }
  return latest;
}

/** The right to one attempt at a sale, with the picture read where there is one. */
export async function tokenFor(sale: string, captcha: CaptchaAnswer | undefined): Promise<string> {
  const body = captcha ? { captcha } : {};
  const { token } = await insist((signal) =>
    api.POST('/sales/{id}/token', { signal, params: { path: { id: sale } }, body }),
  );
  return token;
}

/** Whether another picture has to be read before a token is given. */
export const pictureIsToBlame = (error: unknown): boolean =>
  hasCode(error, 'captcha_wrong', 'captcha_expired', 'captcha_spent', 'captcha_needed');

/** Begins an attempt, or goes on with the one that was begun here. The order's id, or nothing if nobody waits. */
export async function attempt(
  place: string,
  begin: TokenLine[] | undefined,
  told: (queued: Queued) => void,
  isOver: () => boolean = () => false,
  world: AttemptWorld = attemptWorld,
): Promise<string | undefined> {
  const pending = pendingAttempt(place) ?? (begin && { lines: begin, key: freshId() });
  if (!pending) throw new Error('nothing was begun');
  remember(place, pending);
  const taken = await takenIn(place, pending, world);
  remember(place, { ...pending, id: taken.id });
  const answer = await answerOf(taken, world, told, isOver);
  if (answer.state === 'queued') return undefined;
  // Final, one way or the other: nothing is open any more.
  remember(place, undefined);
  if (answer.order) return answer.order;
  throw answer.problem ? new Problem(answer.problem) : new Error('refused without a reason');
}

/** The same key is answered with the same attempt, also when its token is spent. */
async function takenIn(place: string, pending: Pending, world: AttemptWorld): Promise<AttemptBody> {
  try {
    return pending.id ? await world.look(pending.id, 0) : await world.send(pending);
  } catch (error) {
    // Refused for good: no attempt was made. Anything else leaves the key for the next try.
    if (isFinalRefusal(error)) remember(place, undefined);
    throw error;
  }
}
