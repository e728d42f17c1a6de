import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { withClient } from '#testing/with-client.ts';
import { createTable, type Row, type WritePlan } from './driver.ts';
import { openPostgres } from './postgres.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

const table = { name: 'number', key: ['n'], onlyGrows: true, columns: { n: 'bigint' } } as const;
const allNumbers = { name: 'all', sql: 'SELECT n FROM number', values: [] };

it('survives a server that is killed while it writes, and goes on once it is back', { timeout: 60_000 }, async () => {
  const driver = await openPostgres(await server.createDatabase());
  await driver.define([createTable(table, driver.dialect)]);
  const acknowledged: number[] = [];
  let n = 0;
  const writeUntil = async (isOver: () => boolean): Promise<void> => {
    while (!isOver()) {
      n += 1;
      const number = n;
      await driver.write([{ table, rows: [[number]] }]).then(
        () => acknowledged.push(number),
        () => undefined,
      );
    }
  };
  for (let kill = 1; kill <= 5; kill++) {
    const before = acknowledged.length;
    await writeUntil(() => acknowledged.length > before + 20);
    let isKilled = false;
    const killing = server.kill().then(() => {
      isKilled = true;
    });
    await Promise.all([killing, writeUntil(() => isKilled)]);
    await server.restart();
  }
  await writeUntil(() => acknowledged.at(-1) === n && n > 100);
  const stored = await driver.read(allNumbers);
  expect(stored.map(([number]) => Number(number))).toEqual(expect.arrayContaining(acknowledged));
  await driver.close();
});

/** Rejects the first transactions that write a row with an error of this code. */
function refuseWrites(address: string, times: number, code: string): Promise<unknown> {
  const create = `CREATE SEQUENCE refusals;
    CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
      IF nextval('refusals') <= ${String(times)} THEN RAISE 'send it again' USING ERRCODE = '${code}'; END IF;
      RETURN NEW;
    END $$;
    CREATE TRIGGER refusing BEFORE INSERT ON number FOR EACH ROW EXECUTE FUNCTION refuse()`;
  return withClient(address, (client) => client.query(create));
}

it.each([
  [4, '40001', 'fulfilled'],
  [5, '40001', 'rejected'],
  // A deadlock.
  [4, '40P01', 'fulfilled'],
])('retries a transaction that conflicts: refused %d times with %s, it is %s', async (times, code, outcome) => {
  const address = await server.createDatabase();
  const driver = await openPostgres(address);
  await driver.define([createTable(table, driver.dialect)]);
  await refuseWrites(address, times, code);
  const [written] = await Promise.allSettled([driver.write([{ table, rows: [[1]] }])]);
  expect(written.status).toBe(outcome);
  expect(await driver.read(allNumbers)).toHaveLength(outcome === 'fulfilled' ? 1 : 0);
  await driver.close();
});

it('keeps the last of rows with the same key, however many there are', async () => {
  const driver = await openPostgres(await server.createDatabase());
  const named = { name: 'named', key: ['n'], columns: { n: 'bigint', name: 'text' } } as const;
  await driver.define([createTable(named, driver.dialect)]);
  const rows = Array.from({ length: 12_000 }, (_, at) => [at % 6_000, String(at)]);
  await driver.write([{ table: named, rows }]);
  const stored = await driver.read({ name: 'all', sql: 'SELECT name FROM named ORDER BY n', values: [] });
  expect(stored.map(([name]) => Number(name))).toEqual(Array.from({ length: 6_000 }, (_, n) => n + 6_000));
  await driver.close();
});

it('does not let a process that is stopped in a transaction keep its locks', async () => {
  const driver = await openPostgres(await server.createDatabase());
  const sql = 'SHOW idle_in_transaction_session_timeout';
  const timeout = await driver.transact(function* (): WritePlan<readonly Row[]> {
    return yield { name: 'timeout', sql, values: [] };
  });
  expect(timeout).toEqual([['10s']]);
  await driver.close();
});

it('does not wait for a server that hangs when it is closed', async () => {
  const driver = await openPostgres(await server.createDatabase());
  await driver.define([createTable(table, driver.dialect)]);
  server.suspend();
  onTestFinished(() => {
    server.resume();
  });
  const reading = driver.read(allNumbers);
  // The query is sent before this returns.
  await setImmediate();
  const [read] = await Promise.allSettled([reading, driver.close()]);
  // The connection was closed before the read took too long.
  expect(read).toMatchObject({ reason: { message: expect.stringContaining('closed the connection') as string } });
});
