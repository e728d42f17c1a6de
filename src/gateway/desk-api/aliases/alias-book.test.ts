import { DatabaseSync } from 'node:sqlite';
import { expect, it } from 'vitest';
import { createDisk } from '../../disk.ts';
import { createAliasBook, type AliasBookParts } from './alias-book.ts';

const KEY = '5a'.repeat(32);

function openBook(parts: Partial<AliasBookParts> = {}) {
  const disk = createDisk(new DatabaseSync(':memory:'), { elapsed: () => 0, report: () => undefined });
  return createAliasBook({ disk, key: KEY, scope: 'venue key', ...parts });
}

const order = (account: unknown, firm = 'NORD', connection = '3f') => ({ account_id: account, clearing_firm_code: firm, connection_id: connection });

it('gives each code of an order an alias by which nobody finds the code', () => {
  const book = openBook();
  book.add([order('HALC-101'), order('HALC-101'), order('NORD')]);
  const aliases = book.list();
  expect(aliases.map(({ kind, code }) => [kind, code])).toEqual([['account', 'HALC-101'], ['account', 'NORD'], ['firm', 'NORD'], ['connection', '3f']]);
  for (const { kind, alias } of aliases) expect(alias).toMatch(new RegExp(`^${kind.slice(0, 1)}-[\\w-]{16}$`));
  expect(new Set(aliases.map(({ alias }) => alias.slice(2))).size).toBe(4);
});

it('gives the same aliases after a restart, and others with another key', () => {
  const disk = createDisk(new DatabaseSync(':memory:'), { elapsed: () => 0, report: () => undefined });
  const first = openBook({ disk });
  first.add([order('HALC-101')]);
  expect(openBook({ disk }).list()).toEqual(first.list());
  const other = openBook({ disk, key: '5b'.repeat(32) }).list();
  expect(other.map(({ code }) => code)).toEqual(first.list().map(({ code }) => code));
  expect(other.some(({ alias }) => first.list().some((one) => one.alias === alias))).toBe(false);
});

it('lists no code that another key has seen', () => {
  const disk = createDisk(new DatabaseSync(':memory:'), { elapsed: () => 0, report: () => undefined });
  openBook({ disk }).add([order('HALC-101')]);
  expect(openBook({ disk, scope: 'venue other' }).list()).toEqual([]);
});

it('takes no code that is empty, endless or not a text, and no more than its bound', () => {
  const book = openBook();
  book.add([order(''), order(17), order(null), order('x'.repeat(201)), {}]);
  expect(book.list().map(({ kind }) => kind)).toEqual(['firm', 'connection']);
  book.add(Array.from({ length: 10_005 }, (_, n) => order(`A${String(n)}`)));
  expect(book.list()).toHaveLength(10_000);
});

it('is still of use on a full disk', () => {
  const database = new DatabaseSync(':memory:');
  const disk = createDisk(database, { elapsed: () => 0, report: () => undefined });
  const book = openBook({ disk });
  database.exec('pragma query_only = 1');
  book.add([order('HALC-101')]);
  expect(book.list()).toHaveLength(3);
  expect(disk.failedWrites()).toBe(3);
});
