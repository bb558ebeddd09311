import { expect, it, vi } from 'vitest';
import { nameOf } from './names';

const { asked } = vi.hoisted(() => ({ asked: [] as string[] }));

vi.mock('../../api/client', () => ({
  ask: (call: (signal: AbortSignal) => unknown) => call(new AbortController().signal),
  api: {
    GET: (_: string, { params }: { params: { query: { ids: string } } }) => {
      const { ids } = params.query;
      asked.push(ids);
      const named = (id: string) => (id === '9' ? { id } : { id, name: `name ${id}` });
      return Promise.resolve({ items: ids.split(',').map(named) });
    },
  },
}));

const here = new AbortController().signal;
const ask = (id: string) => nameOf(id, here);

it('asks for everybody on a page in one request', async () => {
  const names = await Promise.all(['7', '8', '7', '9'].map(ask));
  expect(names).toEqual(['name 7', 'name 8', 'name 7', null]);
  expect(asked).toEqual(['7,8,9']);
});

it('asks for no more people at once than the server answers', async () => {
  asked.length = 0;
  const ids = Array.from({ length: 401 }, (_, n) => String(1000 + n));
  const names = await Promise.all(ids.map(ask));
  expect(names.at(-1)).toBe('name 1400');
  expect(asked.map((some) => some.split(',').length)).toEqual([400, 1]);
});

it('asks for nobody whose page was left', async () => {
  asked.length = 0;
  const left = new AbortController();
  const gone = nameOf('7', left.signal);
  const stays = ask('8');
  left.abort();
  await expect(gone).rejects.toThrow();
  expect(await stays).toBe('name 8');
  expect(asked).toEqual(['8']);
});
