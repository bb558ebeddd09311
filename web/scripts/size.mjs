// The first players' page must stay small: what a phone fetches before it can show anything, compressed.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

const LIMIT_BYTES = 120 * 1024;
const dist = join(import.meta.dirname, '../dist');
const page = readFileSync(join(dist, 'index.html'), 'utf8');
const linked = [...page.matchAll(/(?:src|href)="\/(assets\/[^"]+)"/g)].map(([, name]) => name);
// The words of one language come right after; of the two, the larger.
const words = readdirSync(join(dist, 'assets')).filter((name) => /^(en|zh)-.*\.js$/.test(name));
const size = (name) => gzipSync(readFileSync(join(dist, name)), { level: 9 }).length;
/** @type {[name: string, bytes: number][]} */
const sizes = linked.map((name) => [name, size(name)]);
const languages = ['en', 'zh'].map((language) =>
  words.filter((name) => name.startsWith(language)).reduce((sum, name) => sum + size(`assets/${name}`), 0),
);
const total = size('index.html') + sizes.reduce((sum, [, bytes]) => sum + bytes, 0) + Math.max(...languages);
if (linked.some((name) => /Shell|antd|echarts/.test(name)))
  throw new Error('the console is part of the first page');
console.log(`the first page takes ${(total / 1024).toFixed(1)} kB of ${LIMIT_BYTES / 1024} kB`);
if (total > LIMIT_BYTES) {
  for (const [name, bytes] of sizes.sort((a, b) => b[1] - a[1]))
    console.log(`  ${(bytes / 1024).toFixed(1)} kB ${name}`);
  process.exit(1);
}
