import { afterAll, beforeAll, expect, it } from 'vitest';
import { startPostgres, type PostgresServer } from '#testing/postgres-server.ts';
import { createTable } from './tables.ts';
import { openPostgres } from './postgres.ts';

let server: PostgresServer;

beforeAll(async () => {
  server = await startPostgres();
});

afterAll(() => server.stop());

const table = { name: 'number', key: ['n'], onlyGrows: true, columns: { n: 'bigint' } } as const;

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
  const stored = await driver.read({ name: 'all', sql: 'SELECT n FROM number', values: [] });
  expect(stored.map(([number]) => Number(number))).toEqual(expect.arrayContaining(acknowledged));
  await driver.close();
});
