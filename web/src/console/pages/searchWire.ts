// How each thing is looked up. What is not there, or not this person's to see, is no result and no error.
import { api, ask } from '../../api/client';
import { Problem } from '../../api/problem';
import type { Lookup } from '../logic/lookups';

/** What results are called, and where each leads. */
export interface SearchResult {
  what: 'activity' | 'person' | 'order' | 'prize' | 'letter' | 'tree' | 'codePool' | 'pool' | 'hold';
  id: string;
  name: string;
  to: string;
  note: string;
}

/** Of each kind, as many as a person reads. */
const EACH_MAX = 10;
const ABSENT = new Set([400, 403, 404, 422]);

type Finder = (text: string, signal: AbortSignal) => Promise<SearchResult[]>;

const person = (one: { id: string; name: string; external_id?: string | null }): SearchResult => ({
  what: 'person',
  id: one.id,
  name: one.name,
  to: `/users/${one.id}`,
  note: one.external_id ?? '',
});
const people =
  (field: 'name' | 'phone' | 'external_id'): Finder =>
  async (text, signal) => {
    const query = { [field]: text, limit: EACH_MAX };
    return (await ask(() => api.GET('/admin/users', { params: { query }, signal }))).items.map(person);
  };
const activity = (one: { id: string; name: string; state: string }): SearchResult => ({
  what: 'activity',
  id: one.id,
  name: one.name,
  to: `/activities/${one.id}`,
  note: '',
});

const FINDERS: Record<Lookup, Finder> = {
  activity: async (q, signal) => {
    const query = { q, limit: EACH_MAX };
    return (await ask(() => api.GET('/activities', { params: { query }, signal }))).items.map(activity);
  },
  activityId: async (id, signal) => [
    activity(await ask(() => api.GET('/activities/{id}', { params: { path: { id } }, signal }))),
  ],
  person: people('name'),
  phone: people('phone'),
  externalId: people('external_id'),
  personId: async (id, signal) => [
    person(await ask(() => api.GET('/admin/users/{id}', { params: { path: { id } }, signal }))),
  ],
  orderId: async (id, signal) => {
    const one = await ask(() => api.GET('/admin/orders/{id}', { params: { path: { id } }, signal }));
    const name = one.lines.map((line) => line.name).join(', ');
    return [{ what: 'order', id, name, to: `/orders?user=${one.user_id}`, note: '' }];
  },
  prizeId: async (id, signal) => {
    const one = await ask(() => api.GET('/fulfilments/{id}', { params: { path: { id } }, signal }));
    const to = `/fulfilment?state=${one.state}&kind=${one.kind}&activity=${one.activity ?? ''}`;
    return [{ what: 'prize', id, name: one.prize_name ?? id, to, note: '' }];
  },
  letterId: async (id, signal) => {
    const params = { path: { id } };
    const one = await ask(() => api.GET('/outbox/dead-letters/{id}', { params, signal }));
    return [{ what: 'letter', id, name: one.kind, to: `/dead-letters?lane=${one.lane}`, note: one.error }];
  },
  treeId: async (id, signal) => {
    const one = await ask(() => api.GET('/trees/{id}', { params: { path: { id } }, signal }));
    return [{ what: 'tree', id, name: one.name, to: `/trees/${id}`, note: '' }];
  },
  tree: async (name, signal) => {
    const query = { name, limit: EACH_MAX };
    const { items } = await ask(() => api.GET('/trees', { params: { query }, signal }));
    return items.map((one) => ({
      what: 'tree',
      id: one.id,
      name: one.name,
      to: `/trees/${one.id}`,
      note: '',
    }));
  },
  codePool: async (name, signal) => {
    const { items } = await ask(() => api.GET('/code-pools', { params: { query: { name } }, signal }));
    const to = `/codes?name=${encodeURIComponent(name)}`;
    return items.map((one) => ({ what: 'codePool', id: one.id, name: one.name, to, note: '' }));
  },
  pool: async (q, signal) => {
    const query = { q, limit: EACH_MAX };
    const { items } = await ask(() => api.GET('/inventory/pools', { params: { query }, signal }));
    return items.map(({ name }) => ({
      what: 'pool',
      id: '',
      name,
      to: `/inventory/pool?name=${encodeURIComponent(name)}`,
      note: '',
    }));
  },
  hold: async (id, signal) => {
    await ask(() => api.GET('/inventory/holds/{id}', { params: { path: { id } }, signal }));
    return [{ what: 'hold', id, name: id, to: `/inventory/hold?id=${encodeURIComponent(id)}`, note: '' }];
  },
};

/** All at once; each thing once, however it was found. */
export async function findAll(
  text: string,
  wanted: readonly Lookup[],
  signal: AbortSignal,
): Promise<SearchResult[]> {
  const found = await Promise.all(
    wanted.map((one) =>
      FINDERS[one](text, signal).catch((failure: unknown) => {
        if (failure instanceof Problem && ABSENT.has(failure.status)) return [];
        throw failure;
      }),
    ),
  );
  const each = new Map(found.flat().map((one) => [`${one.what} ${one.id} ${one.name}`, one]));
  return [...each.values()];
}
