import { readdirSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import { openBalancer } from '#desks/balancer.ts';
import { migrations } from '#server/store/open-store.ts';
import { withClient } from '../with-client.ts';
import { createLaterVersion } from './later-version.ts';
import { randomFrom } from './run-history.ts';
import { type DeskOfSet, type SetOfDesks, startSetOfDesks } from './set-of-desks.ts';
import { checkRecords, findSetBack, findWrong, openClients, type Watching } from './watching.ts';

const BUDGET = { requests: 120, seconds: 30 };
const KNOWN = migrations.length;
const STEPS = 'src/server/store/open-store.ts';
const JOINING = 'src/server/store/join-desks.ts';

/** The versions call a desk’s name its label: the first one after this one adds the column, the second drops the other. */
const expand = `{ statementsOf: () => ['ALTER TABLE desk_member ADD COLUMN label text',
  'ALTER TABLE desk_member ALTER COLUMN name DROP NOT NULL'], usableFrom: ${String(KNOWN)} }`;
const contract = `{ statementsOf: () => ['ALTER TABLE desk_member DROP COLUMN name'], usableFrom: ${String(KNOWN + 1)} }`;

function createVersion(version: string, ...steps: readonly string[]): string {
  const { tree, remove } = createLaterVersion(version, [
    [STEPS, 'export const migrations:', 'const earlier:'],
    [
      STEPS,
      'function creating(',
      `export const migrations: readonly Migration[] = [...earlier, ${steps.join(', ')}];\nfunction creating(`,
    ],
    [JOINING, '(id, name, body, beat)', '(id, label, body, beat)'],
    [JOINING, 'DELETE FROM desk_member WHERE name = $1', 'DELETE FROM desk_member WHERE label = $1'],
    [
      'src/server/store/tables.ts',
      "columns: { id: 'text', name: 'text', body: 'text', beat: 'bigint' }",
      "columns: { id: 'text', label: 'text', body: 'text', beat: 'bigint' }",
    ],
  ]);
  onTestFinished(remove);
  return tree;
}

/** How long a page repeats a request that was not served. */
const REPEATED_FOR_MS = 10_000;

/** Loads the page again and again, each file through a connection of its own, and reads orders as it does. */
function keepLoading(address: string, token: string) {
  const failures: string[] = [];
  let [loads, repeats, isOpen] = [0, 0, true];
  const load = async (path: string, headers: Readonly<Record<string, string>> = {}) => {
    const response = await fetch(new URL(path, address), { headers: { ...headers, connection: 'close' } });
    return { status: response.status, text: await response.text() };
  };
  /** No browser repeats these. */
  const loadFile = async (path: string): Promise<string> => {
    const { status, text } = await load(path).catch((error: unknown) => ({ status: String(error), text: '' }));
    if (status !== 200) failures.push(`${path}: ${String(status)}`);
    return text;
  };
  const readOrders = async (): Promise<void> => {
    const endsAt = performance.now() + REPEATED_FOR_MS;
    for (;;) {
      const { status } = await load('/api/desk/working', { authorization: `Bearer ${token}` }).catch(() => ({
        status: 503,
      }));
      if (status === 200) return;
      if (status !== 503 || performance.now() > endsAt) {
        failures.push(`orders: ${String(status)}`);
        return;
      }
      repeats += 1;
      await pause(250);
    }
  };
  const run = async (): Promise<void> => {
    while (isOpen) {
      const page = await loadFile('/');
      const files = new Set(Array.from(page.matchAll(/"(\/assets\/[^"]+)"/g), ([, path = '']) => path));
      await Promise.all([...Array.from(files, loadFile), readOrders()]);
      loads += 1;
      await pause(200);
    }
  };
  const running = run();
  return {
    loadFile,
    stop: async () => {
      isOpen = false;
      await running;
      return { failures, loads, repeats };
    },
  };
}

async function readVersions({ postgres }: SetOfDesks): Promise<readonly string[]> {
  const { rows } = await withClient(postgres().address, (client) =>
    client.query<{ version: string }>("SELECT body::json ->> 'version' AS version FROM desk_member"),
  );
  return rows.map(({ version }) => version).sort();
}

async function replace(desk: DeskOfSet, tree?: string): Promise<void> {
  expect(await desk.stop()).toBe(0);
  await desk.start(tree);
}

test(
  'desks are replaced one by one by those of a later version, and back, and what is left of a version too early ends',
  { timeout: 600_000 },
  async () => {
    const [later, last] = [createVersion('0.2.0', expand), createVersion('0.3.0', expand, contract)];
    const set = await startSetOfDesks({
      names: ['one', 'two', 'three'],
      environment: {
        DESK_ACCESS: 'users',
        DESK_BUDGET: `${String(BUDGET.requests)}/${String(BUDGET.seconds)}`,
        DESK_JOURNAL_SECONDS: '5',
      },
      isBehindOthers: false,
    });
    const balancer = await openBalancer(
      0,
      set.desks.map(({ address }) => Number(new URL(address).port)),
    );
    const watching: Watching[] = [];
    onTestFinished(async () => {
      for (const { client } of watching) client.close();
      await balancer.close();
      await set.stop();
    });
    const address = `http://127.0.0.1:${String(balancer.port)}/`;
    const behind = { ...set, addresses: () => [address] };
    const token = await openClients(behind, { clients: 40, random: randomFrom(1) }, watching);
    for (const { client } of watching) client.settle();
    const isRight = () =>
      expect.poll(() => findWrong(watching, set.exchange.books()), { timeout: 60_000, interval: 500 }).toEqual([]);
    await isRight();

    // While pages are loaded, each desk becomes one of the later version, and one of them an earlier one again.
    const pages = keepLoading(address, token);
    for (const desk of set.desks) await replace(desk, later);
    expect(await readVersions(set)).toEqual(['0.2.0', '0.2.0', '0.2.0']);
    await isRight();
    // A page that was opened before still finds the rest of its code.
    for (const name of readdirSync('dist/assets').filter((each) => each.endsWith('.js')))
      await pages.loadFile(`/assets/${name}`);
    const [one, two, three] = set.desks as readonly [DeskOfSet, DeskOfSet, DeskOfSet];
    await replace(three);
    await isRight();
    const { failures, loads, repeats } = await pages.stop();
    expect(failures).toEqual([]);

    // What the earlier version needs is not taken away while it runs.
    await one.stop();
    await expect(one.start(last)).rejects.toThrow('these still run: "three" (0.1.0)');
    // Once it counts as dead, it is; and when it goes on, it ends.
    process.kill(three.process().pid, 'SIGSTOP');
    await expect.poll(() => one.start(last).catch(String), { timeout: 60_000, interval: 1_000 }).toBeUndefined();
    await replace(two, last);
    process.kill(three.process().pid, 'SIGCONT');
    await expect
      .poll(three.process().printed, { timeout: 20_000 })
      .toContain(
        'perpdesk: A later version of Perpdesk has changed the store so that this version can no longer use it.',
      );
    expect(await three.stop()).toBe(1);
    await expect(three.start()).rejects.toThrow('The store was written by a later version of Perpdesk');
    await three.start(last);
    expect(await readVersions(set)).toEqual(['0.3.0', '0.3.0', '0.3.0']);

    await isRight();
    for (const { client } of watching) {
      expect(findSetBack(client.readAt())).toEqual([]);
      expect(client.losses()).toBe(0);
    }
    expect(set.exchange.mostWithin(BUDGET.seconds)).toBeLessThanOrEqual(BUDGET.requests);
    const records = await checkRecords(set, '', last);
    console.log(
      `${String(loads)} loads of the page, ${String(repeats)} repeated reads; at most ` +
        `${String(set.exchange.mostWithin(BUDGET.seconds))} requests within ${String(BUDGET.seconds)} s; ${records}`,
    );
  },
);
