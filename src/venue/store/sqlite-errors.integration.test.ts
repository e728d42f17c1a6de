import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { locationAt } from '#testing/store/store-location.ts';
import { openSqlite } from '#sql/sqlite.ts';
import { explainSqliteErrors } from './open-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'sqlite-errors-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

it('says that the disk is full, and what to do', async () => {
  const path = join(folder, 'full.sqlite');
  const driver = openSqlite(path, explainSqliteErrors(path));
  const table = { name: 'filler', key: ['id'], columns: { id: 'bigint', text: 'text' } } as const;
  await driver.define(['PRAGMA max_page_count = 8', 'CREATE TABLE filler (id INTEGER PRIMARY KEY, text TEXT)']);
  const rows = Array.from({ length: 50 }, (_, id) => [id, 'x'.repeat(10_000)]);
  await expect(driver.write([{ table, rows }])).rejects.toThrow(
    `The store ${path} cannot grow: the disk is full. Free some space, then start the exchange again.`,
  );
  await driver.close();
});

it('says that a path is a folder', async () => {
  const path = join(folder, 'folder');
  mkdirSync(path);
  await expect(locationAt(path).open()).rejects.toThrow(
    `The store ${path} cannot be opened. Check that its folder exists and that this user may write there.`,
  );
});

it('says that a part of the path is a file', async () => {
  writeFileSync(join(folder, 'file'), '');
  const path = join(folder, 'file', 'venue.sqlite');
  await expect(locationAt(path).open()).rejects.toThrow(
    `The store ${path} cannot be created: a part of its path is a file.`,
  );
});

it('says that a store is damaged', async () => {
  const path = join(folder, 'damaged.sqlite');
  const store = await locationAt(path).open();
  await store.commit({ facts: { some: 'thing' } });
  await store.close();
  writeFileSync(path, Buffer.alloc(16_384, 'damage'), { flag: 'r+', flush: true });
  await expect(locationAt(path).open()).rejects.toThrow(
    /^The store .*damaged\.sqlite is (?:damaged|not an SQLite database)\. /,
  );
});
