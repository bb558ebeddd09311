// No file imports itself by way of others. What is fetched later (`import()`) does not count: it is no cycle at the start.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';

type Graph = Map<string, string[]>;

/** Every file of a folder with those that it imports, types included: they belong together as much. */
function graphOf(root: string): Graph {
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  const there = new Set(files);
  return new Map(
    files.map((file) => {
      const text = readFileSync(join(root, file), 'utf8');
      const named = [...text.matchAll(/^(?:import|export)\b[^'";]*?(?:\bfrom )?'(\.[^']+)';/gm)];
      const found = named.flatMap(([, path = '']) => {
        const base = join(dirname(file), path);
        return (
          [base, `${base}.ts`, `${base}.tsx`, join(base, 'index.ts')].find((one) => there.has(one)) ?? []
        );
      });
      return [file, found];
    }),
  );
}

/** The first way from a file back to itself. */
function cycleIn(graph: Graph): string[] | undefined {
  const done = new Set<string>();
  const walk = (file: string, way: readonly string[]): string[] | undefined => {
    if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
    if (done.has(file)) return undefined;
    for (const next of graph.get(file) ?? []) {
      const found = walk(next, [...way, file]);
      if (found) return found;
    }
    done.add(file);
    return undefined;
  };
  for (const file of graph.keys()) {
    const found = walk(file, []);
    if (found) return found;
  }
  return undefined;
}

it('no file imports itself by way of others', () => {
  const graph = graphOf(import.meta.dirname);
  expect(graph.get('console/main.tsx')).toContain('i18n/index.ts');
  expect(cycleIn(graph)).toBeUndefined();
});

it('the test finds a cycle', () => {
  const graph: Graph = new Map([
    ['a', ['b']],
    ['b', ['c', 'd']],
    ['c', []],
    ['d', ['b']],
  ]);
  expect(cycleIn(graph)).toEqual(['b', 'd', 'b']);
});
