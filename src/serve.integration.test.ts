import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { DeskStatus } from '#contract/desk/status.ts';
import { sendRequest } from '#testing/http-client.ts';
import { clearedSettings } from '#testing/cleared-settings.ts';

const root = join(import.meta.dirname, '..');
const running: ChildProcessWithoutNullStreams[] = [];
/** Shared: the exchange generates its history once. */
const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-'));

afterAll(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

function start(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const settings = {
    ...clearedSettings(),
    DESK_PORT: '0',
    DESK_DATA_DIR: dataDir,
    DESK_LOG_LEVEL: 'error',
    ...environment,
  };
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...settings } });
  running.push(child);
  const finished = Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')]).then(
    ([stdout, stderr, [code]]) => ({ stdout, stderr, code: code as number | null }),
  );
  return { child, finished };
}

const readyLine = /^perpdesk: ready at (http:\/\/127\.0\.0\.1:\d+\/)$/;

/** The launcher may print something before the server does. */
async function startReady(args: readonly string[], environment: Readonly<Record<string, string>> = {}) {
  const started = start(args, environment);
  for await (const line of createInterface(started.child.stdout)) {
    const address = readyLine.exec(line)?.[1];
    if (address !== undefined) return { ...started, address };
  }
  throw new Error(`It ended before it was ready: ${(await started.finished).stderr}`);
}

const serve = ['src/serve.ts'];

/** Runs a command in a terminal of its own, closes it once the command is ready, and prints what was in it and the exit code. */
const CLOSE_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0: os.execv(sys.argv[1], sys.argv[1:])
output = b''
while b'ready at' not in output or output[-1:] != b'\\n': output += os.read(terminal, 4096)
os.close(terminal)
print(output.decode(), end='', flush=True)
print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
`;

beforeAll(async () => {
  const { finished } = start(['src/tools/launch.mjs', 'build']);
  expect((await finished).code).toBe(0);
}, 60_000);

describe('a start', () => {
  it('prints one line with the address of the app', async () => {
    const { child, address, finished } = await startReady(serve);
    const { status, headers, body } = await sendRequest(address);
    expect(status).toBe(200);
    expect(headers['content-security-policy']).toContain("default-src 'none'");
    expect(body.toString()).toContain('<title>Perpdesk</title>');
    child.kill('SIGTERM');
    const { stdout, stderr } = await finished;
    expect(stdout).toBe(`perpdesk: ready at ${address}\n`);
    expect(stderr).toBe('');
  });

  it('serves every file that the page names, compressed by the build', async () => {
    const { address } = await startReady(serve);
    const page = (await sendRequest(address)).body.toString();
    const named = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path);
    expect(named.length).toBeGreaterThanOrEqual(2);
    for (const path of named) {
      const { status, headers } = await sendRequest(address, { path, headers: { 'accept-encoding': 'br' } });
      expect(status).toBe(200);
      expect(headers['content-encoding']).toBe('br');
      expect(headers['cache-control']).toContain('immutable');
    }
  });

  it('serves what was built for production, although this very test runs under another name', async () => {
    expect(process.env['NODE_ENV']).not.toBe('production');
    const { address } = await startReady(serve);
    const paths = [...(await sendRequest(address)).body.toString().matchAll(/src="(\/assets\/[^"]+\.js)"/g)].map(
      ([, path = '']) => path,
    );
    const scripts = await Promise.all(
      paths.map(async (path) => (await sendRequest(address, { path })).body.toString()),
    );
    expect(scripts.join('\n')).toContain('Minified React error');
  });

  it('follows a file of settings, and warns of a variable that is none', async () => {
    const file = join(dataDir, 'desk.env');
    writeFileSync(file, 'DESK_LOG_LEVEL=warn\nDESK_BUDGET=150/300\n');
    const { child, address, finished } = await startReady(serve, {
      DESK_CONFIG: file,
      DESK_LOG_LEVEL: '',
      DESK_PROT: '8081',
    });
    const status = JSON.parse((await sendRequest(address, { path: '/api/desk/status' })).body.toString()) as DeskStatus;
    expect(status.budget.limit).toMatchObject({ requests: 150, seconds: 300 });
    child.kill('SIGTERM');
    const warnings = (await finished).stderr.split('\n').filter((line) => line.includes('unknown setting'));
    expect(warnings).toEqual([expect.stringContaining('DESK_PROT is not a setting of Perpdesk')]);
  });

  it('answers to no foreign name', async () => {
    const { address } = await startReady(serve);
    expect((await sendRequest(address, { headers: { host: 'evil.example' } })).status).toBe(421);
  });
});

describe('the embedded exchange', () => {
  it('grants what the desk may spend, be it more than usual', async () => {
    const { child, address, finished } = await startReady(serve, {
      DESK_BUDGET: '600/300',
      DESK_DATA_DIR: join(dataDir, 'granted'),
    });
    const ranges = Array.from({ length: 240 }, (_, day) => new Date(Date.UTC(2024, 0, 1 + day)).toISOString());
    const statuses = new Set<number | undefined>();
    for (const end of ranges)
      statuses.add((await sendRequest(address, { path: `/api/web/charts/voi?end_time=${end}` })).status);
    expect([...statuses]).toEqual([200]);
    const { budget } = JSON.parse(
      (await sendRequest(address, { path: '/api/desk/status' })).body.toString(),
    ) as DeskStatus;
    expect(budget.used).toBeGreaterThan(200);
    child.kill('SIGTERM');
    await finished;
  });
});

describe('a start after another', () => {
  const interval = () => Math.floor(Date.now() / (8 * 3_600_000));

  /** Counts the requests to the exchange for the settled funding of each perpetual. */
  async function readFunding(address: string): Promise<readonly number[]> {
    await sendRequest(address, { path: '/api/desk/funding' });
    const { funding } = JSON.parse(
      (await sendRequest(address, { path: '/api/desk/status' })).body.toString(),
    ) as DeskStatus;
    return (funding ?? []).map(({ reads }) => reads ?? 0);
  }

  it('reads only recent settled funding again, although the embedded exchange is on another port', async () => {
    const before = interval();
    const first = await startReady(serve);
    const reads = await readFunding(first.address);
    expect(reads).toHaveLength(17);
    first.child.kill('SIGTERM');
    await first.finished;

    const second = await startReady(serve);
    const readAgain = await readFunding(second.address);
    // All of it, what precedes it, each new interval, and after the second start the last 30 days, to compare them.
    const mostReads = 3 + interval() - before;
    expect(readAgain).toHaveLength(17);
    expect(Math.max(...readAgain)).toBeLessThanOrEqual(mostReads);
  });
});

describe('a failed start', () => {
  it('on a port in use prints one sentence that names the variable', async () => {
    const { address } = await startReady(serve);
    const { port } = new URL(address);
    const { stdout, stderr, code } = await start(serve, { DESK_PORT: port }).finished;
    expect(stderr).toMatch(new RegExp(`^perpdesk: Port ${port} of 127\\.0\\.0\\.1 is in use[^\n]*DESK_PORT[^\n]*\n$`));
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('with invalid settings names all of them', async () => {
    const { stdout, stderr, code } = await start(serve, { DESK_HOST: '0.0.0.0', DESK_PORT: 'web' }).finished;
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(/^perpdesk: DESK_HOST is "0\.0\.0\.0"/),
      expect.stringMatching(/^perpdesk: DESK_PORT is "web"/),
      '',
    ]);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });

  it('names the mistakes of a file of settings with those of the environment', async () => {
    const file = join(dataDir, 'desk.env');
    writeFileSync(file, 'DESK_HOST=0.0.0.0\nDESK_PROT=8081\n');
    const { stderr, code } = await start(serve, { DESK_CONFIG: file, DESK_LOG_LEVEL: 'loud' }).finished;
    expect(stderr.split('\n')).toEqual([
      expect.stringMatching(
        /^perpdesk: DESK_CONFIG is ".*desk\.env", which sets DESK_PROT in line 2, which is not a setting\.$/,
      ),
      expect.stringMatching(/^perpdesk: DESK_HOST is "0\.0\.0\.0"/),
      expect.stringMatching(/^perpdesk: DESK_LOG_LEVEL is "loud"/),
      '',
    ]);
    expect(code).toBe(1);
  });

  it('that may not share its socket prints one sentence, removes the socket and ends', async () => {
    const socket = join(dataDir, 'shared.sock');
    // As in a user namespace that lacks the group, such as that of PrivateUsers=yes in a systemd unit.
    const unmapped =
      "import fs from 'node:fs'; import { syncBuiltinESMExports } from 'node:module'; fs.chownSync = () => " +
      "{ throw Object.assign(new Error('EINVAL'), { code: 'EINVAL' }); }; syncBuiltinESMExports();";
    const { finished } = start(['--import', `data:text/javascript,${unmapped}`, ...serve], {
      DESK_PORT: '',
      DESK_SOCKET: socket,
      DESK_SOCKET_GROUP: '0',
    });
    const { stdout, stderr, code } = await finished;
    expect(stderr).toMatch(/^perpdesk: The socket .*shared\.sock cannot be given to .*DESK_SOCKET_GROUP.*\n$/);
    expect([stdout, code, existsSync(socket)]).toEqual(['', 1, false]);
  });

  it('on an older Node prints one sentence', async () => {
    const older = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '22.18.0' } });";
    const { stdout, stderr, code } = await start(['--import', `data:text/javascript,${older}`, ...serve]).finished;
    expect(stderr).toMatch(/^perpdesk: Node\.js 24 or newer is required; this is 22\.18\.0\.[^\n]*\n$/);
    expect(stdout).toBe('');
    expect(code).toBe(1);
  });
});

describe('a stop', () => {
  /** A server whose exchange opens only after the server got its signal. */
  const opening = `
    import { openDesk } from './src/server/main/open-desk.ts';
    import { readSettings } from './src/server/ops/process/settings.ts';
    const { settings } = readSettings(process.env);
    await openDesk(settings, async () => {
      console.log('opening');
      await new Promise((resolve) => process.once('SIGINT', () => setTimeout(resolve, 100)));
      const profile = { ...settings.server.profile, baseUrl: 'http://127.0.0.1:9' };
      return { profile, credential: null, close: async () => console.log('venue closed') };
    });`;

  /** As a browser does: a used connection, one opened in advance, one with half a request. */
  async function leaveConnections(address: string): Promise<void> {
    const port = Number(new URL(address).port);
    const sockets = [1, 2, 3].map(() => connect(port, '127.0.0.1').on('error', () => undefined));
    await Promise.all(sockets.map((socket) => once(socket, 'connect')));
    sockets[1]?.write('GET / HTTP/1.1\r\nhost: localhost\r\nconn');
    sockets[2]?.write('GET / HTTP/1.1\r\nhost: localhost\r\n\r\n');
    if (sockets[2] !== undefined) await once(sockets[2], 'data');
  }

  it.each(['SIGTERM', 'SIGINT'] as const)('by %s is clean and prompt despite open connections', async (signal) => {
    const { child, address, finished } = await startReady(serve);
    await leaveConnections(address);
    const before = performance.now();
    child.kill(signal);
    const { code, stderr } = await finished;
    expect(code).toBe(0);
    expect(stderr).toBe('');
    expect(performance.now() - before).toBeLessThan(5_000);
  });

  it('is what closing its terminal means, in which only the address stood', { timeout: 60_000 }, () => {
    const inTerminal = ['-c', CLOSE_TERMINAL, process.execPath, ...serve];
    const { stdout, stderr } = spawnSync('python3', inTerminal, {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, ...clearedSettings(), DESK_PORT: '0', DESK_DATA_DIR: dataDir },
    });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^perpdesk: ready at http:\/\/127\.0\.0\.1:\d+\/\s+0\n$/);
  });

  it('during the start closes what has opened so far, without reporting ready', async () => {
    const { child, finished } = start(['--input-type=module', '--eval', opening]);
    await once(createInterface(child.stdout), 'line');
    child.kill('SIGINT');
    expect(await finished).toEqual({ code: 0, stdout: 'opening\nvenue closed\n', stderr: '' });
  });

  it('by two signals, as Ctrl-C under npm sends, is one stop', async () => {
    const { child, finished } = await startReady(serve);
    child.kill('SIGINT');
    child.kill('SIGINT');
    expect((await finished).code).toBe(0);
  });

  it('works through the command that npm start runs', async () => {
    const { child, finished } = await startReady(['src/tools/launch.mjs', 'serve']);
    child.kill('SIGINT');
    const { code, stderr } = await finished;
    expect(code).toBe(0);
    expect(stderr).toBe('');
  });
});
