// Drawing and entering: under an id of our own that survives a reload, so that a draw whose answer got lost is asked for
// again and never made twice. And the receipts that this device keeps, to hold against the chain later.
import { api, freshId, insist } from '../api/client';
import { hasCode } from '../api/problem';
import type { ToldBody } from '../api/wire';

interface Pending {
  id: string;
  draws: number;
  clientValue: string | undefined;
}

const pendingKey = (activity: string) => `windfall.pending.${activity}`;
const RECEIPTS = 'windfall.receipts';
const RECEIPTS_MAX = 500;

/** A draw, or an entry, that was begun here and whose answer nobody has seen yet. */
export function pendingDraw(activity: string): Pending | undefined {
  try {
    const kept = sessionStorage.getItem(pendingKey(activity));
    return kept ? (JSON.parse(kept) as Pending) : undefined;
  } catch {
    return undefined;
  }
}

function remember(activity: string, pending: Pending | undefined): void {
  try {
    if (pending) sessionStorage.setItem(pendingKey(activity), JSON.stringify(pending));
    else sessionStorage.removeItem(pendingKey(activity));
  } catch {
    // A browser that keeps nothing: the draw itself is safe on the server.
  }
}

/**
 * Draws, or finishes what was begun. Before the first draw of a round the player's own share of the luck is made here
 * and sent along, so that nobody could have prepared a secret against it. `failed` hears of every answer that did not
 * come.
 */
export async function drawOnce(
  activity: string,
  draws: number,
  first: boolean,
  failed: (error: unknown) => void,
): Promise<ToldBody> {
  const pending = pendingDraw(activity) ?? {
    id: freshId(),
    draws,
    clientValue: first ? freshId() : undefined,
  };
  const told = await finish(activity, pending, () => send(activity, pending, failed));
  keepReceipt(told);
  return told;
}

/** Enters a raffle so many times, or finishes what was begun. */
export async function enterOnce(activity: string, entries: number) {
  const pending = pendingDraw(activity) ?? { id: freshId(), draws: entries, clientValue: undefined };
  const body = { id: pending.id, entries: pending.draws };
  return finish(activity, pending, () =>
    insist((signal) =>
      api.POST('/play/activities/{id}/entries', { signal, params: { path: { id: activity } }, body }),
    ),
  );
}

async function finish<T>(activity: string, pending: Pending, sent: () => Promise<T>): Promise<T> {
  remember(activity, pending);
  try {
    const told = await sent();
    remember(activity, undefined);
    return told;
  } catch (error) {
    // Refused: nothing was done and nothing is open. Lost: the id stays for the next try.
    if (error instanceof Error && error.name === 'Problem') remember(activity, undefined);
    throw error;
  }
}

async function send(
  activity: string,
  { id, draws, clientValue }: Pending,
  failed: (error: unknown) => void,
): Promise<ToldBody> {
  const ask = (value: string | undefined) =>
    insist(
      (signal) =>
        api.POST('/play/activities/{id}/draws', {
          signal,
          params: { path: { id: activity } },
          body: { id, draws, ...(value && { client_value: value }) },
        }),
      failed,
    );
  try {
    return await ask(clientValue);
  } catch (error) {
    // Drawn before on another device: the share that was given there stays.
    if (clientValue && hasCode(error, 'client_value_fixed')) return ask(undefined);
    throw error;
  }
}

type Receipts = Array<[ticket: string, link: string]>;

function receipts(): Receipts {
  try {
    return JSON.parse(localStorage.getItem(RECEIPTS) ?? '[]') as Receipts;
  } catch {
    return [];
  }
}

function keepReceipt(told: ToldBody): void {
  if (!told.receipt) return;
  const kept = receipts().filter(([ticket]) => ticket !== told.ticket);
  kept.push([told.ticket, told.receipt.link]);
  try {
    localStorage.setItem(RECEIPTS, JSON.stringify(kept.slice(-RECEIPTS_MAX)));
  } catch {
    // Full or forbidden: the server still has it.
  }
}

/** The link that this device noted when the ticket was drawn. */
export function keptReceipt(ticket: string): string | undefined {
  return receipts().find(([kept]) => kept === ticket)?.[1];
}
