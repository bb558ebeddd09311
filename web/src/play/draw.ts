// Drawing and entering: under an id of our own that survives the page, so that a draw whose answer got lost is asked for
// again and never made twice, and what came of it is kept until its player has seen it. And the receipts that this device
// keeps, to hold against the chain later.
import { api, freshId, insist } from '../api/client';
import { hasCode, isFinalRefusal } from '../api/problem';
import type { DrawResponse } from '../api/wire';

export interface Pending {
  id: string;
  draws: number;
  clientValue: string | undefined;
  /** When it was begun, by this device's clock. */
  at: number;
}

/** What was begun longer ago is not asked for by itself: nobody wants a draw today because of a press last week. */
const PENDING_MS = 24 * 3_600_000;

/** Whose, and of which activity: whoever signs in next on this device has begun nothing. */
export interface Drawer {
  activity: string;
  user: string;
  /** The rule tree that picked the activity, where one did. */
  tree?: string | undefined;
}

const pendingKey = ({ activity, user }: Drawer) => `windfall.pending.${user}.${activity}`;
const unseenKey = ({ activity, user }: Drawer) => `windfall.unseen.${user}.${activity}`;
const RECEIPTS = 'windfall.receipts';
const RECEIPTS_MAX = 500;

/** A draw, or an entry, that was begun here and whose answer nobody has seen yet. */
export function pendingDraw(who: Drawer): Pending | undefined {
  const pending = kept<Pending>(pendingKey(who));
  return pending && pending.at > Date.now() - PENDING_MS ? pending : undefined;
}

/** What came of a draw while its player was elsewhere: the page was left before it could show it. */
export function unseenDraw(who: Drawer): DrawResponse | undefined {
  return kept<DrawResponse>(unseenKey(who));
}

/** The player has seen what came of it. */
export function drawSeen(who: Drawer, told: DrawResponse): void {
  seenTickets.add(told.ticket);
  keep(unseenKey(who), undefined);
}

/** Of this page: a draw that two parts of it asked for is shown by the first that hears of it. */
const seenTickets = new Set<string>();

function kept<T>(key: string): T | undefined {
  try {
    const text = localStorage.getItem(key);
    return text ? (JSON.parse(text) as T) : undefined;
  } catch {
    return undefined;
  }
}

function keep(key: string, value: unknown): void {
  try {
    if (value) localStorage.setItem(key, JSON.stringify(value));
    else localStorage.removeItem(key);
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
    at: Date.now(),
  };
  const told = await finish(who, pending, () => send(who, pending, failed, world));
  if (!seenTickets.has(told.ticket)) keep(unseenKey(who), told);
  keepReceipt(told);
  return told;
}

/** Enters a raffle so many times, or finishes what was begun. */
export async function enterOnce(who: Drawer, entries: number) {
  const pending = pendingDraw(who) ?? {
    id: freshId(),
    draws: entries,
    clientValue: undefined,
    at: Date.now(),
  };
  const body = { id: pending.id, entries: pending.draws };
  return finish(who, pending, () =>
    insist((signal) =>
      api.POST('/play/activities/{id}/entries', { signal, params: { path: { id: who.activity } }, body }),
    ),
  );
}

async function finish<T>(who: Drawer, pending: Pending, sent: () => Promise<T>): Promise<T> {
  keep(pendingKey(who), pending);
  try {
    const told = await sent();
    keep(pendingKey(who), undefined);
    return told;
  } catch (error) {
    // Refused for good: nothing was done and nothing is open. After anything else the id stays for the next try.
    if (isFinalRefusal(error)) keep(pendingKey(who), undefined);
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
    keep(pendingKey(who), without);
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
