// A name is styled in one file: what a page looks like does not depend on which pages were looked at before it.
//
// A rule belongs to the name that its selector begins with: `.stage .views` is a rule of the stage. Styles of something new
// go into a CSS module beside it, whose names are its own.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** The names that the rules of a style sheet belong to: classes, ids and elements. */
function ownersIn(css: string): Set<string> {
  const plain = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/@keyframes[^{]*\{(?:[^{}]*\{[^{}]*\})*[^{}]*\}/g, '');
  const owners = new Set<string>();
  for (const [, selectors = ''] of plain.matchAll(/([^{};]+)\{/g)) {
    if (selectors.trim().startsWith('@')) continue;
    // A comma within brackets separates no selectors.
    for (const selector of selectors.replace(/\([^()]*\)/g, '').split(',')) {
      const [owner] = /[.#]?[a-zA-Z][\w-]*/.exec(selector.trim()) ?? [];
      if (owner) owners.add(owner);
    }
  }
  return owners;
}

/** Names with the files that style them, of those that several do. */
function shared(files: Record<string, string>): Record<string, string[]> {
  const by = new Map<string, string[]>();
  for (const [file, css] of Object.entries(files)) {
    for (const owner of ownersIn(css)) by.set(owner, [...(by.get(owner) ?? []), file]);
  }
  return Object.fromEntries([...by].filter(([, places]) => places.length > 1));
}

it.each(['play', 'console'])('no name is styled in several files of %s', (entry) => {
  const root = import.meta.dirname;
  const sheets = readdirSync(join(root, entry), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.css') && !file.endsWith('.module.css'))
    .map((file) => [file, readFileSync(join(root, entry, file), 'utf8')]);
  expect(sheets.length).toBeGreaterThan(0);
  expect(shared(Object.fromEntries(sheets))).toEqual({});
});

it('the test finds a name that two files style, and only such', () => {
  const a = '.verify, .x > .y { top: 0 } @media (width < 5px) { .only-a:is(.b, .c) { top: 0 } }';
  const b =
    '/* .only-a {} */ .y .x { top: 0 } @keyframes only { from { top: 0 } } .b.verify, .verify:hover { top: 0 }';
  expect(shared({ a, b })).toEqual({ '.verify': ['a', 'b'] });
});
