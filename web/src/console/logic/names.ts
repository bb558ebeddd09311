// What people are called: everybody whom a page shows is asked for together, in one request.
import { api, ask } from '../../api/client';

/** Ids of one request at most, as the server has it. */
const IDS_MAX = 400;

interface Waiting {
  id: string;
  signal: AbortSignal;
  tell: (name: string | null) => void;
  fail: (error: unknown) => void;
}

let waiting: Waiting[] = [];

/** The name of a person; null for somebody who is not there. Those who ask in the same moment are asked for at once. */
export function nameOf(id: string, signal: AbortSignal): Promise<string | null> {
  return new Promise((tell, fail) => {
    if (waiting.length === 0) queueMicrotask(() => setTimeout(fetchAll));
    waiting.push({ id, signal, tell, fail });
  });
}

function fetchAll(): void {
  // Nobody is asked for whose page was left meanwhile.
  for (const { signal, fail } of waiting) if (signal.aborted) fail(signal.reason);
  const all = waiting.filter(({ signal }) => !signal.aborted);
  waiting = [];
  const ids = [...new Set(all.map(({ id }) => id))];
  for (let from = 0; from < ids.length; from += IDS_MAX) {
    const some = new Set(ids.slice(from, from + IDS_MAX));
    const asked = all.filter(({ id }) => some.has(id));
    ask((signal) =>
      api.GET('/admin/names', { params: { query: { ids: [...some].join(',') } }, signal }),
    ).then(
      ({ items }) => {
        const names = new Map(items.map((one) => [one.id, one.name ?? null]));
        for (const { id, tell } of asked) tell(names.get(id) ?? null);
      },
      (error) => {
        for (const { fail } of asked) fail(error);
      },
    );
  }
}
