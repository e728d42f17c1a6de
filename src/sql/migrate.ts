import { createTable, type Dialect, type Driver, type Read, type ReadPlan, type Table } from './driver.ts';
import { StoreFailure } from './store-failure.ts';

/**
 * The statements of one step of a store’s schema. Its number is its place in the list, from 1: a released step is
 * neither changed nor removed. The first one only creates missing tables, because stores from before steps were
 * recorded already have them.
 */
export type Migration = (dialect: Dialect) => readonly string[];

/**
 * The steps that a store has taken.
 *
 * @internal Exported for tests of stores.
 */
export const schemaSteps = { name: 'schema_step', key: ['step'], columns: { step: 'bigint' } } as const satisfies Table;

/** Updates a store to the newest schema: forward only, all steps in one transaction, after a backup of the tables. */
export async function migrate(driver: Driver, migrations: readonly Migration[]): Promise<void> {
  await driver.define([createTable(schemaSteps, driver.dialect)]);
  const found = toStep(await driver.read(lastStep));
  const newest = migrations.length;
  if (found > newest) throw new StoreFailure(writtenLater(found, newest));
  if (found === newest) return;
  if (found > 0) await driver.backUp(`before_step_${String(found + 1)}`);
  await driver.changeTogether(takeSteps(migrations, driver.dialect));
}

function* takeSteps(migrations: readonly Migration[], dialect: Dialect): ReadPlan<void> {
  const found = toStep(yield lastStep);
  for (const [index, statementsOf] of migrations.entries()) {
    const step = index + 1;
    if (step <= found) continue;
    for (const [place, sql] of statementsOf(dialect).entries()) {
      yield { name: `step ${String(step)}.${String(place)}`, sql, values: [] };
    }
    yield { name: 'record step', sql: `INSERT INTO ${schemaSteps.name} (step) VALUES ($1)`, values: [step] };
  }
}

const lastStep: Read = { name: 'last step', sql: `SELECT max(step) FROM ${schemaSteps.name}`, values: [] };

function toStep(rows: Awaited<ReturnType<Driver['read']>>): number {
  return Number(rows[0]?.[0] ?? 0);
}

function writtenLater(found: number, newest: number): string {
  return (
    `The store was written by a later version of Perpdesk (schema ${String(found)}; this version ` +
    `reads up to ${String(newest)}). Update Perpdesk, or choose another store.`
  );
}
