import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ask, read } from './client';
import { Lost } from './problem';

/** A request that ends only when its signal says so. */
const endless = (signal: AbortSignal) =>
  new Promise<never>((_, fail) => {
    if (signal.aborted) fail(signal.reason);
    signal.addEventListener('abort', () => fail(signal.reason));
  });

it('a request ends with the page that asked for it', async () => {
  const page = new AbortController();
  const asked = ask(endless, page.signal);
  page.abort();
  await expect(asked).rejects.toBeInstanceOf(Lost);
});

it('a request for a page that is gone already is not waited for', async () => {
  await expect(ask(endless, AbortSignal.abort())).rejects.toBeInstanceOf(Lost);
});

it('a query hands on its signal and its page', async () => {
  const page = new AbortController();
  const seen: unknown[] = [];
  const query = read((signal, after: string) => {
    seen.push(after);
    return endless(signal);
  });
  const asked = query({ signal: page.signal, pageParam: 'p2' });
  page.abort();
  await expect(asked).rejects.toBeInstanceOf(Lost);
  expect(seen).toEqual(['p2']);
});

it('every read takes the signal of its query', () => {
  const root = join(import.meta.dirname, '..');
  const takes = /^(read\(|\(\{[^}]*\bsignal\b)/;
  // They ask nobody themselves: one computes, one loads a part of the page, one adds up what other queries read.
  const free = ['play/pages/Check.tsx', 'play/address/RegionField.tsx', 'play/pages/Home.tsx'];
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('.test.') || free.includes(file)) continue;
    const text = readFileSync(join(root, file), 'utf8');
    for (const [, how = ''] of text.matchAll(/\bqueryFn: ([^\n]+)/g)) {
      expect(takes.test(how), `${file}: ${how}`).toBe(true);
    }
  }
});
