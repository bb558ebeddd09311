// The real program with demo data, on a free port and in a folder of its own, for as long as a journey lasts.
import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
export const binary = process.env.WINDFALL_BIN ?? join(root, 'target/debug/windfall');
const PATIENCE_MS = 60_000;

/** With a `folder`, on the data that is in it: one that was restored. `env` has settings of its own. */
export async function startServer({ folder, env = {} } = {}) {
  const data = mkdtempSync(join(tmpdir(), 'windfall-journey-'));
  const inside = folder ?? join(data, 'd');
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
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
  const child = spawn(
    binary,
    [folder ? 'serve' : 'demo', '--listen', `127.0.0.1:${port}`, '--data', inside],
    {
      cwd: data,
      // Receivers of webhooks are on this machine.
      env: { ...process.env, WINDFALL__WEBHOOKS__ALLOW_PRIVATE: 'true', WINDFALL_TEST_CLOCK: clock, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (part) => (said += part));
  const ended = new Promise((resolve) => child.once('exit', resolve));
  const until = Date.now() + PATIENCE_MS;
  while (!(await answers(`${url}/readyz`))) {
    if (child.exitCode !== null || Date.now() > until) throw new Error(`the server did not start:\n${said}`);
    await new Promise((resolve) => setTimeout(resolve, 50));
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

function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address();
      probe.close(() => resolve(port));
    });
  });
}
