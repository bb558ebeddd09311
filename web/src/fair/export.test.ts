// The verifier agrees with `windfall verify` on exports that the program itself makes.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { fromHex, toHex } from './bytes';
import { checkExport } from './export';
import { firstFit, keyOf, message, sha256, wordsOf } from './numbers';
import { drawRaffle } from './raffle';
import type { TicketRecord } from './record';

const root = join(import.meta.dirname, '../../..');
/** `cargo build` makes it. */
const binary = process.env.WINDFALL_BIN ?? join(root, 'target/debug/windfall');
const folder = mkdtempSync(join(tmpdir(), 'windfall-web-'));
afterAll(() => rmSync(folder, { recursive: true }));

function simulated(example: string): string[] {
  const file = join(folder, `${example}.txt`);
  execFileSync(binary, [
    'simulate',
    ...['--file', join(root, 'examples', `${example}.toml`)],
    ...['--users', '40', '--draws', '600', '--export', file],
  ]);
  return readFileSync(file, 'utf8').split('\n');
}

/** What the program itself says: 0 all reproduce, 1 one does not, 2 unknown. */
function verdictOfTheProgram(lines: string[]): string {
  const file = join(folder, 'judged.txt');
  writeFileSync(file, lines.join('\n'));
  try {
    execFileSync(binary, ['verify', '--file', file], { stdio: 'pipe' });
    return 'good';
  } catch (error) {
    return (error as { status: number }).status === 1 ? 'bad' : 'unknown';
  }
}

const tampered: Array<[string, (lines: string[]) => string[]]> = [
  ['as it was made', (lines) => lines],
  ['a record dropped', (lines) => lines.filter((line) => !line.startsWith('record 7 '))],
  ['the secret changed', (lines) => lines.map((line) => (line.startsWith('secret ') ? flip(line) : line))],
  [
    'the strategy changed',
    (lines) => lines.map((line) => (line.startsWith('strategy ') ? flip(line) : line)),
  ],
  ['a record changed', (lines) => lines.map((line) => (line.startsWith('record 9 ') ? flip(line) : line))],
  ['cut off', (lines) => lines.filter((line) => !line.startsWith('total'))],
  ['two records exchanged', swap],
  ['not an export', () => ['hello', 'world']],
  ['nothing in it', () => ['windfall-export 1', 'total 0 0 0', '']],
];

function flip(line: string): string {
  return line.slice(0, -1) + (line.endsWith('0') ? '1' : '0');
}

function swap(lines: string[]): string[] {
  const at = lines.findIndex((line) => line.startsWith('record 3 '));
  const [a, b] = [lines[at] ?? '', lines[at + 1] ?? ''];
  return lines.map((line, place) => (place === at ? b : place === at + 1 ? a : line));
}

describe('an export', () => {
  for (const example of ['wheel', 'blind-box', 'nine-grid']) {
    it(`of ${example} has the verdict of the program`, async () => {
      const made = simulated(example);
      expect((await checkExport(made)).verdict, 'untouched').toBe('good');
      for (const [name, change] of tampered) {
        const lines = change(made);
        expect((await checkExport(lines)).verdict, name).toBe(verdictOfTheProgram(lines));
      }
    });
  }
});

it('gives the known answer of docs/fairness.md', async () => {
  const secret = Uint8Array.from({ length: 32 }, (_, at) => at);
  const record = {
    activity: 7n,
    round: 1,
    version: 1,
    player: 42,
    clientValue: Uint8Array.from({ length: 16 }, (_, at) => 0xa0 + at),
  } as TicketRecord;
  const value = await crypto.subtle.sign('HMAC', await keyOf(secret), message(1, record, 0, 0));
  expect(toHex(new Uint8Array(value))).toBe(
    '662d11aec441d2065e3e88bb51e30503e536cf127b77b0b75c4dadbba9a849a3',
  );
  expect(firstFit(wordsOf(new Uint8Array(value)), 1_000_000n)?.number).toBe(258_630n);
});

it('takes no word of the uneven rest', () => {
  const span = 1n << 64n;
  const limit = span - (span % 10n);
  expect(firstFit([limit, limit + 3n, 17n], 10n)).toEqual({ word: 17n, number: 7n });
  expect(firstFit([limit], 10n)).toBeUndefined();
});

it('draws the example of docs/raffle.md', async () => {
  const roll = fromHex(
    '77696e6466616c6c2e726f6c6c2e3031000000000000000700000001000d64696365206f6e207374616765000000020000000100000002' +
      '00000004000000000000000b00000001000000000000001600000002000000000000002100000003000000000000002c00000004',
  );
  expect(toHex(await sha256(roll))).toBe('cfe527cf23d51e6e8199e1ba8402c3e9cace20bf717ef253318f589df4b5319c');
  const secret = Uint8Array.from({ length: 32 }, (_, at) => at);
  const winners = await drawRaffle(roll, secret, new TextEncoder().encode('6 2 5'));
  expect(winners.map(({ prize, place, player }) => [prize, place, player])).toEqual([
    [0, 0, 44],
    [1, 0, 22],
    [1, 1, 11],
  ]);
});
