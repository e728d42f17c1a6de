import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { createDatabase } from '#testing/shared-postgres.ts';
import { migrateSuite } from '#testing/sql/migrate-suite.ts';
import { withClient } from '#testing/with-client.ts';
import { migrate } from './migrate.ts';
import { openPostgres } from './postgres.ts';
import { openSqlite } from './sqlite.ts';
import { StoreFailure } from './store-failure.ts';

const explain = (error: unknown): StoreFailure => new StoreFailure(String(error));

describe('in a file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'perpdesk-migrate-'));
  let files = 0;
  afterAll(() => {
    rmSync(folder, { recursive: true });
  });

  migrateSuite(() => {
    files += 1;
    const path = join(folder, `${String(files)}.sqlite`);
    return Promise.resolve({
      open: () => Promise.resolve(openSqlite(path, explain)),
      readBackup: async (name, table) => {
        if (!existsSync(`${path}.${name}`)) return null;
        const backup = openSqlite(`${path}.${name}`, explain);
        const rows = await backup.read({ name: 'all', sql: `SELECT * FROM ${table}`, values: [] });
        await backup.close();
        return rows;
      },
    });
  });
});

describe('in PostgreSQL', () => {
  const newDatabase = async () => {
    const address = await createDatabase();
    return {
      address,
      open: () => openPostgres(address),
      readBackup: (name: string, table: string) =>
        withClient(address, async (client) => {
          const copy = `${name}_${table}`;
          const { rows: found } = await client.query<{ copy: string | null }>('SELECT to_regclass($1) AS copy', [copy]);
          if (found[0]?.copy === null) return null;
          const { rows } = await client.query<(string | number)[]>({
            text: `SELECT * FROM ${copy} ORDER BY 1`,
            rowMode: 'array',
          });
          return rows;
        }),
    };
  };

  migrateSuite(newDatabase);

  it('gives up soon where a program reads a table for long, so that others can go on with it', async () => {
    const { address, open } = await newDatabase();
    const driver = await open();
    await driver.define(['CREATE TABLE fruit (id bigint)']);
    await withClient(address, async (client) => {
      await client.query('BEGIN; SELECT * FROM fruit');
      await expect(
        migrate(driver, [{ statementsOf: () => ['ALTER TABLE fruit ADD COLUMN name text'] }]),
      ).rejects.toThrow('is in use by a program that reads it for long');
    });
    await driver.close();
  });
});
