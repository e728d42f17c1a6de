import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { buildApp } from '#testing/build-app.ts';
import { runProgram } from '#testing/run-program.ts';
import { createDatabase } from '#testing/shared-postgres.ts';
import { startProcess } from '#testing/start-process.ts';
import { openBalancer } from './balancer.ts';

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-desks-'));
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** A desk that says its name, and whether it is ready. */
async function openDesk(name: string) {
  let isReady = true;
  const server = createServer(({ url }, response) => {
    response.writeHead(url === '/readyz' && !isReady ? 503 : 200, { connection: 'close' }).end(name);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => stop(server));
  return {
    port: (server.address() as AddressInfo).port,
    stop: () => stop(server),
    setReady: (next: boolean) => {
      isReady = next;
    },
  };
}

async function stop(server: Server): Promise<void> {
  if (!server.listening) return;
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
}

test('the balancer sends nobody to a desk that is not ready or gone, and all of them are asked before nobody is', async () => {
  const [one, two] = [await openDesk('one'), await openDesk('two')];
  const balancer = await openBalancer(0, [one.port, two.port]);
  onTestFinished(balancer.close);
  const ask = async (): Promise<string> =>
    (await fetch(`http://127.0.0.1:${String(balancer.port)}/`, { headers: { connection: 'close' } })).text();
  const askOften = async (): Promise<readonly string[]> => {
    const names = new Set<string>();
    for (let count = 0; count < 6; count += 1) names.add(await ask());
    return [...names].sort();
  };
  one.setReady(false);
  await expect.poll(askOften, { timeout: 10_000 }).toEqual(['two']);
  // A desk is not ready while the exchange does not respond either, but its screens say so.
  two.setReady(false);
  await expect.poll(async () => (await askOften()).length, { timeout: 10_000 }).toBeGreaterThan(0);
  await two.stop();
  expect(await askOften()).toEqual(['one']);
  await one.stop();
  await expect(ask()).rejects.toThrow();
});

test(
  '"desks" starts them on one database, outlives one of them, and stops them all',
  { timeout: 240_000 },
  async () => {
    await buildApp();
    const environment = { DESK_DATABASE_URL: await createDatabase(), DESK_DATA_DIR: newFolder(), DESK_PORT: '0' };
    const desks = await startProcess('src/desks/main.ts', ['2'], environment);
    onTestFinished(async () => {
      await desks.stop();
    });
    const own = Array.from(desks.printed().matchAll(/desk \d at (\S+)/g), ([, address = '']) => address);
    expect(own).toHaveLength(2);
    const orders = async (address: string): Promise<number> => (await fetch(`${address}api/desk/working`)).status;
    for (const address of [desks.address, ...own]) expect(await orders(address)).toBe(200);
    const children = spawnSync('ps', ['-o', 'pid=', '--ppid', String(desks.pid)], { encoding: 'utf8' }).stdout;
    process.kill(Number(children.trim().split('\n')[0]), 'SIGKILL');
    await expect.poll(desks.printed).toContain('desk 1 has ended (SIGKILL)');
    for (let count = 0; count < 5; count += 1) expect(await orders(desks.address)).toBe(200);
    expect(await desks.stop()).toBe(0);
    await expect(orders(own[1] ?? '')).rejects.toThrow();
  },
);

test.each([
  ['without a database', {}, [], 'DESK_DATABASE_URL is missing'],
  ['with a number that is none', { DESK_DATABASE_URL: 'postgres://desk@localhost/desk' }, ['many'], 'from 1 to 16'],
  [
    'on a socket',
    { DESK_DATABASE_URL: 'postgres://desk@localhost/desk', DESK_SOCKET: '/run/desk.sock' },
    ['2'],
    'remove DESK_SOCKET',
  ],
])('"desks" says what is missing or wrong: %s', async (_, environment, args, sentence) => {
  const { code, stderr } = await runProgram('src/desks/main.ts', args, { DESK_DATA_DIR: newFolder(), ...environment });
  expect([code, stderr]).toEqual([1, expect.stringContaining(sentence)]);
});
