// The real program with demo data, on a free port and in a folder of its own, for as long as a journey lasts.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PATIENCE_MS, pause } from './patience.mjs';

const root = join(import.meta.dirname, '../..');
export const binary = process.env.WINDFALL_BIN ?? join(root, 'target/debug/windfall');

/** However slow the machine is, the server gives nothing up by the clock. */
const UNHURRIED = {
  WINDFALL__HTTP__HEADER_TIMEOUT_MS: '600000',
  WINDFALL__HTTP__REQUEST_TIMEOUT_MS: '600000',
  WINDFALL__HTTP__WRITE_TIMEOUT_MS: '600000',
  WINDFALL__SQLITE__BUSY_TIMEOUT_MS: '600000',
  WINDFALL__SQLITE__READ_WAIT_MS: '600000',
  WINDFALL__LEDGER__ROWS_WAIT_MS: '600000',
  WINDFALL__LEDGER__RECONCILE_WAIT_MS: '600000',
  WINDFALL__WEBHOOKS__CONNECT_TIMEOUT_MS: '10000',
  WINDFALL__WEBHOOKS__TIMEOUT_MS: '15000',
  // Whoever waits for the index looks often.
  WINDFALL__LIMITS__SEARCH_PER_MINUTE: '1000000',
};

/**
 * With a `folder`, on the data that is in it: one that was restored. `env` has settings of its own.
 *
 * @param {{ folder?: string, env?: Record<string, string> }} [options]
 */
export async function startServer({ folder, env = {} } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'windfall-journey-'));
  const inside = folder ?? join(data, 'd');
  const clock = join(data, 'clock');
  let ahead_ms = 0;
  let standing_ms;
  // Written in one step, so that the server never reads half of it. The clock never goes back.
  const set = () => {
    writeFileSync(`${clock}.next`, standing_ms === undefined ? String(ahead_ms) : `=${standing_ms}`);
    renameSync(`${clock}.next`, clock);
  };
  const advance = (ms) => {
    ahead_ms += ms;
    if (standing_ms !== undefined) standing_ms += ms;
    set();
  };
  advance(0);
  const child = spawn(binary, [folder ? 'serve' : 'demo', '--listen', '127.0.0.1:0', '--data', inside], {
    cwd: data,
    // Receivers of webhooks are on this machine.
    env: {
      ...process.env,
      ...UNHURRIED,
      WINDFALL__WEBHOOKS__ALLOW_PRIVATE: 'true',
      WINDFALL_TEST_CLOCK: clock,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const until = Date.now() + PATIENCE_MS;
  let url;
  while (!url || !(await answers(`${url}/readyz`))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start:\n${said}`);
    await pause();
    // It takes a free port and tells which.
    url ??= said.match(/^ *Page +(http:\/\/\S+?)\/$/m)?.[1];
  }
  return {
    url,
    data,
    /** Moves the server's clock on: what has an end reaches it, however slow the machine is. */
    advance,
    /** Lets the server's clock stand still until it is told to go on; answers where. Only `advance` moves it. */
    stand() {
      standing_ms = Date.now() + ahead_ms;
      set();
      return standing_ms;
    },
    goOn() {
      standing_ms = undefined;
      set();
    },
    /** What a command says that is run on this server's machine. */
    run: (args, input = '') =>
      execFileSync(binary, [...args, '--data', inside], { cwd: data, input, stdio: 'pipe' })
        .toString()
        .trim(),
    async stop() {
      child.kill('SIGTERM');
      await ended;
      rmSync(data, { recursive: true, force: true });
    },
  };
}

async function answers(url) {
  try {
    return (await fetch(url)).ok;
  } catch {
    return false;
  }
}
