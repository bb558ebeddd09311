// No two reads have the same key, whatever is typed into a filter, and no page writes a key of its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hashKey } from '@tanstack/react-query';
import { describe, expect, it } from 'vitest';
import * as communityKeys from '../community/keys';
import * as consoleKeys from '../console/keys';
import * as playKeys from '../play/keys';

type Key = readonly unknown[];
type Maker = Key | ((...given: never[]) => Key);

/** Names that other keys are made of: what an id, a state or a filter could be at worst. */
const HOSTILE = ['list', 'rows', 'one', 'count', 'choice', 'running', 'names', 'mine', 'all', ''];

/** Every key that a factory makes out of hostile names, with the name of its maker. */
function made(factories: Record<string, Record<string, Maker>>): Map<string, string> {
  const seen = new Map<string, string>();
  for (const [feature, factory] of Object.entries(factories)) {
    for (const [name, maker] of Object.entries(factory)) {
      const keys =
        typeof maker === 'function'
          ? [...HOSTILE, { q: 'list' }, ['one']].map((word) =>
              maker(...(Array(maker.length).fill(word) as never[])),
            )
          : [maker];
      for (const key of keys) {
        const before = seen.get(hashKey(key));
        expect(before ?? `${feature}.${name}`, hashKey(key)).toBe(`${feature}.${name}`);
        seen.set(hashKey(key), `${feature}.${name}`);
      }
    }
  }
  return seen;
}

describe.each([
  ['the console', consoleKeys],
  ['the players’ pages', { ...playKeys, ...communityKeys }],
])('the keys of %s', (_, factories) => {
  it('never meet', () => {
    expect(made(factories as unknown as Record<string, Record<string, Maker>>).size).toBeGreaterThan(50);
  });
});

it('the test finds two reads that share a key', () => {
  const list = (state: string) => ['activities', state];
  expect(() => made({ activities: { list, choice: ['activities', 'choice'] } })).toThrow();
});

it('no page writes a key of its own', () => {
  const root = join(import.meta.dirname, '..');
  const written = /(queryKey(=\{|: )\[|refresh=\{\[\[|(Queries|QueryData)(<[^>]*>)?\(\[)/;
  for (const file of readdirSync(root, { recursive: true, encoding: 'utf8' })) {
    if (!/\.tsx?$/.test(file) || file.includes('.test.')) continue;
    const found = readFileSync(join(root, file), 'utf8')
      .split('\n')
      .filter((line) => written.test(line));
    expect(found, file).toEqual([]);
  }
});
