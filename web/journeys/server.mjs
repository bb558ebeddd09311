// The real program with demo data, on a free port and in a folder of its own, for as long as a journey lasts.
import { spawn } from 'node:child_process';
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const root = join(import.meta.dirname, '../..');
export const binary = process.env.WINDFALL_BIN ?? join(root, 'target/debug/windfall');
const PATIENCE_MS = 60_000;

export async function startServer() {
  const data = mkdtempSync(join(tmpdir(), 'windfall-journey-'));
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const clock = join(data, 'clock');
  let ahead_ms = 0;
  // Written in one step, so that the server never reads half of it. The clock never goes back.
  const advance = (ms) => {
    ahead_ms += ms;
    writeFileSync(`${clock}.next`, String(ahead_ms));
    renameSync(`${clock}.next`, clock);
  };
  advance(0);
  const child = spawn(binary, ['demo', '--listen', `127.0.0.1:${port}`, '--data', join(data, 'd')], {
    cwd: data,
    // Receivers of webhooks are on this machine.
    env: { ...process.env, WINDFALL__WEBHOOKS__ALLOW_PRIVATE: 'true', WINDFALL_TEST_CLOCK: clock },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
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
