import { createTable, type Dialect, type Driver, type Read, type ReadPlan, type Table } from './driver.ts';
import { StoreFailure } from './store-failure.ts';

/**
 * One step of a store’s schema. Its number is its place in the list, from 1: a released step is neither changed nor
 * removed. The first one only creates missing tables, because stores from before steps were recorded already have them.
 */
export interface Migration {
  readonly statementsOf: (dialect: Dialect) => readonly string[];
  /**
   * The number of steps that a version must know to use a store that has taken this one. By default, it must know this
   * step. A step that only adds what earlier versions need not know names the last one that they must know: processes of
   * both versions then use the store side by side. What a later step takes away, the versions that it names must not use
   * any more.
   */
  readonly usableFrom?: number;
}

/**
 * The steps that a store has taken.
 *
 * @internal Exported for tests of stores.
 */
export const schemaSteps = { name: 'schema_step', key: ['step'], columns: { step: 'bigint' } } as const satisfies Table;

/** The steps after which versions can go on that do not know them. */
const schemaUses = {
  name: 'schema_use',
  key: ['step'],
  columns: { step: 'bigint', usable_from: 'bigint' },
} as const satisfies Table;

/** The number of steps that a version must know to use the store, for a select. */
export const USABLE_FROM = `(SELECT max(coalesce(usable_from, step))
  FROM ${schemaSteps.name} LEFT JOIN ${schemaUses.name} USING (step))`;

/** Returns a sentence if processes that know fewer steps than this use the store at present. */
type FindOlder = (usableFrom: number) => ReadPlan<string | null>;

/**
 * Updates a store to the newest schema: forward only, all steps in one transaction, after a backup of the tables. Steps
 * that processes of earlier versions could not go on with are not taken while there are any.
 */
export async function migrate(driver: Driver, migrations: readonly Migration[], findOlder?: FindOlder): Promise<void> {
  await driver.define([createTable(schemaSteps, driver.dialect), createTable(schemaUses, driver.dialect)]);
  const findFirst = (): ReadPlan<number | null> => findFirstStep(migrations, findOlder);
  const first = await driver.readTogether(findFirst());
  if (first === null) return;
  if (first > 1 || (await hasUnnumbered(driver, migrations[0])))
    await driver.backUp(`before_step_${String(first)}`, function* () {
      // Another process may have taken the steps meanwhile: the copy would be of the tables after them.
      return (yield* findFirst()) === first;
    });
  await driver.changeTogether(takeSteps(migrations, driver.dialect, findFirst));
}

/** Returns the number of the first step to take; null if there is none. Throws a sentence if it cannot be taken. */
function* findFirstStep(migrations: readonly Migration[], findOlder?: FindOlder): ReadPlan<number | null> {
  const [[found, usableFrom] = []] = yield taken;
  const [last, newest] = [Number(found ?? 0), migrations.length];
  if (Number(usableFrom ?? 0) > newest) throw new StoreFailure(writtenLater(last, newest));
  if (last >= newest) return null;
  const needed = migrations.slice(last).map((migration, index) => migration.usableFrom ?? last + index + 1);
  const problem = findOlder && (yield* findOlder(Math.max(...needed)));
  if (problem) throw new StoreFailure(problem);
  return last + 1;
}

/** Returns whether a store has tables although it has taken no step: it is from before steps were recorded. */
async function hasUnnumbered({ dialect, read }: Driver, first: Migration | undefined): Promise<boolean> {
  const statements = first?.statementsOf(dialect) ?? [];
  const tables = await read({ name: 'tables', sql: dialect.listTables, values: [] });
  return tables.some(([name]) =>
    statements.some((sql) => sql.startsWith(`CREATE TABLE IF NOT EXISTS ${String(name)} (`)),
  );
}

function* takeSteps(
  migrations: readonly Migration[],
  dialect: Dialect,
  findFirst: () => ReadPlan<number | null>,
): ReadPlan<void> {
  const first = yield* findFirst();
  if (first === null) return;
  for (const [index, { statementsOf, usableFrom }] of migrations.entries()) {
    const step = index + 1;
    if (step < first) continue;
    for (const [place, sql] of statementsOf(dialect).entries()) {
      yield { name: `step ${String(step)}.${String(place)}`, sql, values: [] };
    }
    yield { name: 'record step', sql: `INSERT INTO ${schemaSteps.name} (step) VALUES ($1)`, values: [step] };
    if (usableFrom !== undefined) yield { name: 'record use', sql: RECORD_USE, values: [step, usableFrom] };
  }
}

const RECORD_USE = `INSERT INTO ${schemaUses.name} (step, usable_from) VALUES ($1, $2)`;

const taken: Read = {
  name: 'steps taken',
  sql: `SELECT max(step), ${USABLE_FROM} FROM ${schemaSteps.name}`,
  values: [],
};

function writtenLater(found: number, newest: number): string {
  return (
    `The store was written by a later version of Perpdesk (schema ${String(found)}; this version ` +
    `reads up to ${String(newest)}). Update Perpdesk, or choose another store.`
  );
}
