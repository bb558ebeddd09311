// Drawing and entering: under an id of our own that survives a reload, so that a draw whose answer got lost is asked for
// again and never made twice. And the receipts that this device keeps, to hold against the chain later.
import { api, freshId, insist } from '../api/client';
import { hasCode, isFinalRefusal } from '../api/problem';
import type { DrawResponse } from '../api/wire';

export interface Pending {
  id: string;
  draws: number;
  clientValue: string | undefined;
}

/** Whose, and of which activity: whoever signs in next on this tab has begun nothing. */
export interface Drawer {
  activity: string;
  user: string;
  /** The rule tree that picked the activity, where one did. */
  tree?: string | undefined;
}

const pendingKey = ({ activity, user }: Drawer) => `windfall.pending.${user}.${activity}`;
const RECEIPTS = 'windfall.receipts';
const RECEIPTS_MAX = 500;

/** A draw, or an entry, that was begun here and whose answer nobody has seen yet. */
export function pendingDraw(who: Drawer): Pending | undefined {
  try {
    const kept = sessionStorage.getItem(pendingKey(who));
    return kept ? (JSON.parse(kept) as Pending) : undefined;
  } catch {
    return undefined;
  }
}

function remember(who: Drawer, pending: Pending | undefined): void {
  try {
    if (pending) sessionStorage.setItem(pendingKey(who), JSON.stringify(pending));
    else sessionStorage.removeItem(pendingKey(who));
  } catch {
    // A browser that keeps nothing: the draw itself is safe on the server.
  }
}

/** What is needed of the world; tests bring their own. */
export interface DrawWorld {
  draw(who: Drawer, asked: Pending, failed: (error: unknown) => void): Promise<DrawResponse>;
}

export const drawWorld: DrawWorld = {
  draw: ({ activity, tree }, asked, failed) => {
    const body = {
      id: asked.id,
      draws: asked.draws,
      ...(asked.clientValue && { client_value: asked.clientValue }),
    };
    return insist(
      (signal) =>
        tree === undefined
          ? api.POST('/play/activities/{id}/draws', { signal, params: { path: { id: activity } }, body })
          : api.POST('/play/trees/{id}/draws', { signal, params: { path: { id: tree } }, body }),
      failed,
    );
  },
};

/**
 * Draws, or finishes what was begun. Before the first draw of a round the player's own share of the luck is made here
 * and sent along, so that nobody could have prepared a secret against it. `failed` hears of every answer that did not
 * come.
 */
export async function drawOnce(
  who: Drawer,
  draws: number,
  first: boolean,
  failed: (error: unknown) => void,
  world: DrawWorld = drawWorld,
): Promise<DrawResponse> {
  const pending = pendingDraw(who) ?? {
    id: freshId(),
    draws,
    clientValue: first ? freshId() : undefined,
  };
  const told = await finish(who, pending, () => send(who, pending, failed, world));
  keepReceipt(told);
  return told;
}

/** Enters a raffle so many times, or finishes what was begun. */
export async function enterOnce(who: Drawer, entries: number) {
  const pending = pendingDraw(who) ?? { id: freshId(), draws: entries, clientValue: undefined };
  const body = { id: pending.id, entries: pending.draws };
  return finish(who, pending, () =>
    insist((signal) =>
      api.POST('/play/activities/{id}/entries', { signal, params: { path: { id: who.activity } }, body }),
    ),
  );
}

async function finish<T>(who: Drawer, pending: Pending, sent: () => Promise<T>): Promise<T> {
  remember(who, pending);
  try {
    const told = await sent();
    remember(who, undefined);
    return told;
  } catch (error) {
    // Refused for good: nothing was done and nothing is open. After anything else the id stays for the next try.
    if (isFinalRefusal(error)) remember(who, undefined);
    throw error;
  }
}

async function send(
  who: Drawer,
  pending: Pending,
  failed: (error: unknown) => void,
  world: DrawWorld,
): Promise<DrawResponse> {
  try {
    return await world.draw(who, pending, failed);
  } catch (error) {
    if (!pending.clientValue || !hasCode(error, 'client_value_fixed')) throw error;
    // Drawn before on another device: the share that was given there stays. From here on the draw is asked for without
    // one, after a reload too: the same id with another body would be refused.
    const without = { ...pending, clientValue: undefined };
    remember(who, without);
    return world.draw(who, without, failed);
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

function keepReceipt(told: DrawResponse): void {
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
