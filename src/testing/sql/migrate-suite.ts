import { describe, expect, it } from 'vitest';
import { createTable, type Driver, type ReadPlan, type Row } from '#sql/driver.ts';
import { migrate, schemaSteps, type Migration } from '#sql/migrate.ts';

/** An empty database, and the content of a backup of it. */
export interface NewDatabase {
  readonly open: () => Promise<Driver>;
  /** Returns the rows of a table in the backup of this name; null if there is no backup. */
  readonly readBackup: (name: string, table: string) => Promise<readonly Row[] | null>;
}

const fruit = { name: 'fruit', key: ['id'], columns: { id: 'bigint', name: 'text' } } as const;
const first: Migration = { statementsOf: (dialect) => [createTable(fruit, dialect)] };
const second: Migration = {
  statementsOf: () => [
    "ALTER TABLE fruit ADD COLUMN colour text DEFAULT 'green'",
    "UPDATE fruit SET colour = 'red' WHERE id = 2",
  ],
};
const failing: Migration = {
  statementsOf: () => ['DELETE FROM fruit', 'ALTER TABLE no_such_table ADD COLUMN colour text'],
};
/** Versions that know the first step go on after the second one, but not after the third. */
const expanding: Migration = { ...second, usableFrom: 1 };
const contracting: Migration = { statementsOf: () => ['ALTER TABLE fruit DROP COLUMN name'], usableFrom: 2 };

async function readFruit(driver: Driver): Promise<readonly (readonly string[])[]> {
  const rows = await driver.read({ name: 'all fruit', sql: 'SELECT * FROM fruit ORDER BY id', values: [] });
  return rows.map((row) => row.map(String));
}

const twoRows = {
  table: fruit,
  rows: [
    [1, 'apple'],
    [2, 'cherry'],
  ],
};

export function migrateSuite(newDatabase: () => Promise<NewDatabase>): void {
  describe('migrations', () => {
    it('take each step once, in order, and keep a backup of what a step changes', async () => {
      const { open, readBackup } = await newDatabase();
      const before = await open();
      await before.define(['CREATE TABLE of_another_program (id bigint)']);
      await migrate(before, [first]);
      await before.write([twoRows]);
      await before.close();
      expect(await readBackup('before_step_1', 'of_another_program')).toBeNull();
      expect(await readBackup('before_step_2', 'fruit')).toBeNull();
      const after = await open();
      await migrate(after, [first, second]);
      await migrate(after, [first, second]);
      expect(await readFruit(after)).toEqual([
        ['1', 'apple', 'green'],
        ['2', 'cherry', 'red'],
      ]);
      expect((await readBackup('before_step_2', 'fruit'))?.map((row) => row.map(String))).toEqual([
        ['1', 'apple'],
        ['2', 'cherry'],
      ]);
      await after.close();
    });

    it('adopt a store from before the steps were recorded as it is, and keep a backup of it', async () => {
      const { open, readBackup } = await newDatabase();
      const driver = await open();
      await driver.define(first.statementsOf(driver.dialect));
      await driver.write([twoRows]);
      await migrate(driver, [first]);
      expect((await readBackup('before_step_1', 'fruit'))?.map((row) => row.map(String))).toEqual([
        ['1', 'apple'],
        ['2', 'cherry'],
      ]);
      expect(await readFruit(driver)).toEqual([
        ['1', 'apple'],
        ['2', 'cherry'],
      ]);
      await driver.close();
    });

    it('change nothing where a step fails, and are taken once it is mended', async () => {
      const { open } = await newDatabase();
      const driver = await open();
      await migrate(driver, [first]);
      await driver.write([twoRows]);
      await expect(migrate(driver, [first, second, failing])).rejects.toThrow('no_such_table');
      expect(await readFruit(driver)).toEqual([
        ['1', 'apple'],
        ['2', 'cherry'],
      ]);
      await driver.close();
      const mended = await open();
      await migrate(mended, [first, second]);
      expect(await readFruit(mended)).toEqual([
        ['1', 'apple', 'green'],
        ['2', 'cherry', 'red'],
      ]);
      await mended.close();
    });

    it('keep a backup of the rows as they were before the update that succeeded, not before one that failed', async () => {
      const { open, readBackup } = await newDatabase();
      const before = await open();
      await migrate(before, [first]);
      await before.write([twoRows]);
      await expect(migrate(before, [first, failing])).rejects.toThrow('no_such_table');
      await before.write([
        {
          table: fruit,
          rows: [
            [1, 'pear'],
            [3, 'plum'],
          ],
        },
      ]);
      await before.close();
      const after = await open();
      await migrate(after, [first, second]);
      expect((await readBackup('before_step_2', 'fruit'))?.map((row) => row.map(String))).toEqual([
        ['1', 'pear'],
        ['2', 'cherry'],
        ['3', 'plum'],
      ]);
      await after.close();
    });

    it('refuse a store of a later version with a sentence, and leave it alone', async () => {
      const { open } = await newDatabase();
      const driver = await open();
      await migrate(driver, [first, second]);
      await expect(migrate(driver, [first])).rejects.toThrow(
        'The store was written by a later version of Perpdesk (schema 2; this version reads up to 1). Update Perpdesk, or choose another store.',
      );
      expect(
        await driver
          .read({ name: 'steps', sql: `SELECT count(*) FROM ${schemaSteps.name}`, values: [] })
          .then(([row]) => Number(row?.[0])),
      ).toBe(2);
      await driver.close();
    });

    it('let earlier versions go on after a step that only adds, until one that takes away', async () => {
      const { open } = await newDatabase();
      const driver = await open();
      await migrate(driver, [first, expanding]);
      await migrate(driver, [first]);
      await driver.write([twoRows]);
      await migrate(driver, [first, expanding, contracting]);
      await migrate(driver, [first, expanding]);
      await expect(migrate(driver, [first])).rejects.toThrow('(schema 3; this version reads up to 1)');
      await driver.close();
    });

    it('take no step while processes run that could not go on', async () => {
      const { open, readBackup } = await newDatabase();
      const driver = await open();
      await migrate(driver, [first]);
      await driver.write([twoRows]);
      const excluded: number[] = [];
      const take = (migrations: readonly Migration[], known: number) =>
        migrate(driver, migrations, function* (usableFrom): ReadPlan<string | null> {
          yield { name: 'others', sql: 'SELECT count(*) FROM fruit', values: [] };
          if (usableFrom <= known) return null;
          excluded.push(usableFrom);
          return 'An earlier one runs.';
        });
      await expect(take([first, expanding, contracting], 1)).rejects.toThrow('An earlier one runs.');
      expect([await readBackup('before_step_2', 'fruit'), excluded]).toEqual([null, [2]]);
      await take([first, expanding], 1);
      await take([first, expanding, contracting], 2);
      expect(await readFruit(driver)).toEqual([
        ['1', 'green'],
        ['2', 'red'],
      ]);
      await driver.close();
    });

    it('keep the backup from before the steps where several processes take them together', async () => {
      const { open, readBackup } = await newDatabase();
      const driver = await open();
      await migrate(driver, [first]);
      await driver.write([twoRows]);
      // Another one has found the same steps to take, and is slower.
      const slower: Driver = {
        ...driver,
        backUp: async (...backup) => {
          await migrate(driver, [first, second]);
          await driver.backUp(...backup);
        },
      };
      await migrate(slower, [first, second]);
      expect((await readBackup('before_step_2', 'fruit'))?.map((row) => row.map(String))).toEqual([
        ['1', 'apple'],
        ['2', 'cherry'],
      ]);
      await driver.close();
    });
  });
}
