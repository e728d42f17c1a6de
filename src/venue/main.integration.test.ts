import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { once } from 'node:events';
import { afterAll, describe, expect, it } from 'vitest';
import { startProcess } from '#testing/start-process.ts';
import { sign } from '#testing/http/open-venue-api.ts';
import { parseCredential } from './credentials.ts';

const PROGRAM = join(import.meta.dirname, 'main.ts');
const SMALL = ['--store', ':memory:', '--orders', '50', '--working', '20', '--history-days', '2'];
const ONE_KEY = { VENUE_CREDENTIAL: `3f:${'ab'.repeat(32)}` };

const folder = mkdtempSync(join(tmpdir(), 'venue-main-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

/** Runs the program to its end, in its own folder. */
async function run(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd: folder, env: { ...process.env, ...environment } });
  const exit = once(child, 'exit') as Promise<[number | null]>;
  const [stdout, stderr, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exit]);
  return { stdout, stderr, code };
}

describe('npm run venue', () => {
  it('prints its address in one line, responds there, and ends cleanly on SIGTERM', async () => {
    const venue = await startProcess('src/venue/main.ts', ['--port', '0', ...SMALL], ONE_KEY);
    expect(venue.address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/exchange\/api$/);
    const reply = await fetch(`${venue.address}/web/market/stats/trailing/all-products`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toHaveLength(71);
    expect(await venue.stop()).toBe(0);
  });

  it('runs on the given clock, at the given speed', async () => {
    const begun = performance.now();
    const clock = ['--clock', '2026-08-17T12:00:00Z', '--speed', '1000'];
    const venue = await startProcess('src/venue/main.ts', ['--port', '0', ...SMALL, ...clock], ONE_KEY);
    const dateOf = async (): Promise<number> => {
      const reply = await fetch(`${venue.address}/v1/funding-rates/estimated/BTCUC`);
      return Date.parse(reply.headers.get('date') ?? '');
    };
    const before = await dateOf();
    const wall = performance.now();
    while (performance.now() - wall < 300) await dateOf();
    const passed = (await dateOf()) - before;
    const sinceStart = before - Date.parse('2026-08-17T12:00:00Z');
    expect(sinceStart).toBeGreaterThanOrEqual(0);
    expect(sinceStart).toBeLessThanOrEqual((wall - begun) * 1_000);
    expect(passed).toBeGreaterThanOrEqual(300_000);
    expect(await venue.stop()).toBe(0);
  });

  it('reports all mistakes in its options, a sentence each, and does not start', async () => {
    const { stdout, stderr, code } = await run(['--port', 'x', '--hots', '127.0.0.1', '--speed', '-1']);
    expect(code).toBe(1);
    expect(stdout).toBe('');
    const lines = stderr.trim().split('\n');
    expect(lines.some((line) => line.startsWith('venue: Unknown option "--hots".'))).toBe(true);
    expect(lines.some((line) => line.startsWith('venue: --port is "x"'))).toBe(true);
    expect(lines.some((line) => line.startsWith('venue: --speed is "-1"'))).toBe(true);
  });

  it('reports a port that is in use, and what to do', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const address = other.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const { stderr, code } = await run(['--port', String(port), ...SMALL], ONE_KEY);
    other.close();
    expect(code).toBe(1);
    expect(stderr).toMatch(new RegExp(`^venue: Port ${port} is in use: .*--port.*\\n$`));
  });

  it('reports why a store cannot be opened', async () => {
    const { stderr, code } = await run(['--port', '0', '--store', '/dev/null/venue.sqlite'], ONE_KEY);
    expect(code).toBe(1);
    expect(stderr).toMatch(/^venue: The store \S+ cannot be created: .*\n$/);
  });

  it('keeps its data in DESK_DATA_DIR', async () => {
    const data = join(folder, 'data');
    const venue = await startProcess('src/venue/main.ts', ['--port', '0', ...SMALL.slice(2)], { DESK_DATA_DIR: data });
    await venue.stop();
    expect(readdirSync(data).sort()).toEqual(['venue-credential', 'venue.sqlite']);
  });

  it('makes a credential that only its owner can read, prints its connection but not its token, and finds it again', async () => {
    const options = ['--port', '0', ...SMALL, '--budget', '0'];
    const first = await startIn(folder, options);
    const file = join(folder, '.perpdesk', 'venue-credential');
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const credential = parseCredential(readFileSync(file, 'utf8').trim());
    if (credential === undefined) throw new Error('no credential in the file');
    expect(first.stdout).toContain(credential.connectionId);
    expect(first.stdout).not.toContain(credential.token);
    const headers = sign('/v1/prod/orders?limit=5', credential, 'GET', Date.now() * 1000);
    expect((await fetch(`${first.address}/v1/prod/orders?limit=5`, { headers })).status).toBe(200);
    await first.stop();
    const second = await startIn(folder, options);
    expect(parseCredential(readFileSync(file, 'utf8').trim())).toEqual(credential);
    await second.stop();
  });
});

/** Starts the program in a working directory, where it keeps its credential. */
async function startIn(cwd: string, args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, ...args], { cwd, stdio: ['ignore', 'pipe', 'inherit'] });
  const exit = once(child, 'exit');
  let stdout = '';
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding('utf8').on('data', (more: string) => {
      stdout += more;
      const found = /ready at (\S+)\n/.exec(stdout)?.[1];
      if (found !== undefined) resolve(found);
    });
    void exit.then(() => {
      reject(new Error(`ended before it was ready: ${stdout}`));
    });
  });
  const stop = async (): Promise<void> => {
    child.kill('SIGTERM');
    await exit;
  };
  return { address, stdout, stop };
}
