import { writeFileSync } from 'node:fs';
import { Agent, request as send } from 'node:http';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startProcess } from '#testing/start-process.ts';
import { newFolder, openProvidedDesk, type ProvidedDesk } from '#testing/proxy/open-provided-desk.ts';

const POLITE = Array.from({ length: 9 }, (_, index) => `person-${String(index)}`);
const ROUNDS = 40;
const AT_ONCE = 100;

interface Responded {
  readonly status: number;
  readonly tookMs: number;
}

function openClient({ socket }: Pick<ProvidedDesk, 'socket'>, person: string) {
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  onTestFinished(() => {
    agent.destroy();
  });
  return (path: string): Promise<Responded> =>
    new Promise((resolve, reject) => {
      const begun = performance.now();
      send(
        {
          socketPath: socket,
          path,
          agent,
          headers: { 'host': 'localhost', 'remote-user': person, 'remote-groups': 'all' },
        },
        (response) => {
          response.resume().once('end', () => {
            resolve({ status: response.statusCode ?? 0, tookMs: performance.now() - begun });
          });
        },
      )
        .once('error', reject)
        .end();
    });
}

type Client = ReturnType<typeof openClient>;

async function openDesk(budget: string): Promise<ProvidedDesk> {
  const folder = newFolder();
  writeFileSync(join(folder, 'groups.json'), JSON.stringify({ all: { roles: ['operations', 'admin'], all: true } }));
  const socket = join(folder, 'desk.sock');
  return openProvidedDesk(
    {
      DESK_ACCESS: 'proxy',
      DESK_SOCKET: socket,
      DESK_PROXY_USER_HEADER: 'Remote-User',
      DESK_PROXY_GROUPS_HEADER: 'Remote-Groups',
      DESK_BUDGET: budget,
      DESK_LOG_LEVEL: 'error',
    },
    folder,
  );
}

/** Each polite person reads one thing after another, as a page does. */
async function readPolitely(clients: readonly Client[], path: string): Promise<readonly Responded[]> {
  const all = await Promise.all(
    clients.map(async (client) => {
      const answers: Responded[] = [];
      for (let round = 0; round < ROUNDS; round++) answers.push(await client(path));
      return answers;
    }),
  );
  return all.flat();
}

/** Sends as many concurrent requests as possible from a separate process, until stopped. */
async function flood({ socket }: ProvidedDesk, path: string) {
  const flooding = await startProcess('src/testing/flood/main.ts', [socket, 'hostile', String(AT_ONCE), path]);
  onTestFinished(() => flooding.kill());
  const client = openClient({ socket }, 'hostile');
  const isLimited = async (): Promise<boolean> => (await client(path.replace('#', '999999'))).status === 429;
  await expect.poll(isLimited).toBe(true);
  return flooding;
}

function shareOf(answers: readonly Responded[]): number {
  return answers.filter(({ status }) => status === 200).length / answers.length;
}

function medianOf(answers: readonly Responded[]): number {
  return answers.map(({ tookMs }) => tookMs).sort((a, b) => a - b)[Math.floor(answers.length / 2)] ?? NaN;
}

it('nine others get every response while one person floods the desk', async () => {
  const desk = await openDesk('0');
  const clients = POLITE.map((person) => openClient(desk, person));
  await readPolitely(clients, '/api/desk/status');
  const before = await readPolitely(clients, '/api/desk/status');
  const flooding = await flood(desk, '/api/desk/status');
  const during = await readPolitely(clients, '/api/desk/status');
  await flooding.stop();
  const ratio = medianOf(during) / medianOf(before);
  console.log(
    `nine others: share ${shareOf(before).toFixed(3)} before, ${shareOf(during).toFixed(3)} during; median latency × ${ratio.toFixed(2)}`,
  );
  expect([shareOf(before), shareOf(during)]).toEqual([1, 1]);
  // A polite request waits at most for all requests in progress for the flooder, and rejecting one costs less than
  // serving one.
  expect(ratio).toBeLessThan(AT_ONCE);
});

it('nine others can read from the exchange while one person reads all they can', async () => {
  const desk = await openDesk('200/300');
  const flooding = await flood(desk, '/api/web/charts/price/#?end_time=now');
  const shares: number[] = [];
  for (const [index, person] of POLITE.entries()) {
    const client = openClient(desk, person);
    const answers: Responded[] = [];
    for (let read = 0; read < 5; read++)
      answers.push(await client(`/api/web/charts/price/${String(5_000_000 + index * 10 + read)}?end_time=now`));
    shares.push(shareOf(answers));
  }
  await flooding.stop();
  console.log(`shares of nine others: ${shares.join(' ')}`);
  expect(shares).toEqual(POLITE.map(() => 1));
});
