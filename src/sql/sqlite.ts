import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { backup, DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import { makeFilePrivate } from '#files/private-folder.ts';
import {
  passed,
  replaceClause,
  type Dialect,
  type Driver,
  type Read,
  type Row,
  type Step,
  type Table,
  type Value,
} from './driver.ts';
import { explained, type Explain } from './store-failure.ts';

/** How long to wait for another process that is about to end and still has the file open. */
const BUSY_TIMEOUT_MS = 2_000;
const MEMORY = ':memory:';
const PAGE_BYTES = 16_384;
const CACHE_KIB = 32_768;

const dialect: Dialect = {
  isAmong: (column, n) => `${column} IN (SELECT value FROM json_each($${n}))`,
  types: { 'bigint': 'INTEGER', 'text': 'TEXT', 'double precision': 'REAL', 'bytes': 'BLOB' },
  // Only one process can have the file open, and it runs one transaction at a time.
  forUpdate: '',
  now: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
  listTables: "SELECT name FROM sqlite_schema WHERE type = 'table'",
  // Rows are stored in key order, so that a page is read from one place.
  tableEnd: ' STRICT, WITHOUT ROWID',
};

/** A driver whose database can be copied. */
export interface FileDriver extends Driver {
  readonly copyTo: NonNullable<Driver['copyTo']>;
}

/**
 * Opens SQLite in a file, or in memory (`:memory:`). Only one process at a time can open the file. `explain` knows what
 * the file holds.
 */
export function openSqlite(path: string, explain: Explain): FileDriver {
  const database = openDatabase(path, explain);
  const prepare = preparedBy(database);
  const read = ({ sql, values, wide }: Read): readonly Row[] => {
    const statement = prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(wide === true);
    return statement.all(...values.map(toInput)) as unknown as readonly Row[];
  };
  return {
    dialect,
    define: (statements) =>
      explained(explain, () => {
        for (const statement of statements) database.exec(statement);
      }),
    read: (statement) => explained(explain, () => read(statement)),
    readTogether: (plan) => explained(explain, () => runPlan(plan, read)),
    write: (steps, options) =>
      explained(explain, () => {
        // Without waiting for the disk, a power cut may undo this transaction, but never half of it, nor an earlier
        // one.
        database.exec(options?.lazy === true ? 'PRAGMA synchronous = NORMAL' : 'PRAGMA synchronous = FULL');
        transact(database, () => {
          for (const step of steps) runStep(step, { prepare, read });
        });
      }),
    transact: (plan) =>
      explained(explain, () => {
        database.exec('PRAGMA synchronous = FULL');
        return transact(database, () => runPlan(plan(), (step) => runStep(step, { prepare, read })));
      }),
    changeTogether: (plan) => explained(explain, () => transact(database, () => runPlan(plan, read))),
    backUp: (name, isNeeded) =>
      explained(explain, () => {
        if (path !== MEMORY && runPlan(isNeeded(), read)) vacuumInto(database, `${path}.${name}`);
      }),
    // Copies in small steps, between which other reads and writes run; the copy includes those writes.
    copyTo: (target) =>
      explained(explain, async () => {
        await backup(database, target);
      }),
    close: async () => {
      database.close();
      return Promise.resolve();
    },
  };
}

function openDatabase(path: string, explain: Explain): DatabaseSync {
  try {
    if (path !== MEMORY) mkdirSync(dirname(path), { recursive: true });
    const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS });
    // Done before anything is written: the files that SQLite adds inherit the permissions of this one.
    if (path !== MEMORY) for (const file of [path, `${path}-wal`].filter(existsSync)) makeFilePrivate(file);
    return configured(database);
  } catch (error) {
    throw explain(error);
  }
}

function configured(database: DatabaseSync): DatabaseSync {
  try {
    database.exec(`
      PRAGMA locking_mode = EXCLUSIVE;
      PRAGMA page_size = ${PAGE_BYTES};
      PRAGMA journal_mode = WAL;
      PRAGMA cache_size = -${CACHE_KIB};
    `);
    return database;
  } catch (error) {
    database.close();
    throw error;
  }
}

/** Replaces a copy from an earlier attempt, which may be incomplete. */
function vacuumInto(database: DatabaseSync, path: string): void {
  rmSync(path, { force: true });
  database.prepare('VACUUM INTO ?').run(path);
}

function preparedBy(database: DatabaseSync): (sql: string) => StatementSync {
  const statements = new Map<string, StatementSync>();
  return (sql) => {
    const known = statements.get(sql);
    if (known) return known;
    const statement = database.prepare(sql.replaceAll(/\$(\d+)/g, '?$1'));
    statements.set(sql, statement);
    return statement;
  };
}

/** Runs a plan synchronously, so that all reads see the same snapshot. */
function runPlan<Planned, Result>(
  plan: Generator<Planned, Result, readonly Row[]>,
  run: (step: Planned) => readonly Row[],
): Result {
  let step = plan.next();
  while (step.done !== true) step = plan.next(run(step.value));
  return step.value;
}

function transact<Result>(database: DatabaseSync, work: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

interface Running {
  readonly prepare: (sql: string) => StatementSync;
  readonly read: (read: Read) => readonly Row[];
}

function runStep(step: Read | Step, { prepare, read }: Running): readonly Row[] {
  if (!('table' in step)) return passed(step, read(step));
  const insert = prepare(insertSql(step.table));
  for (const row of step.rows) insert.run(...row);
  return [];
}

function insertSql(table: Table): string {
  const names = Object.keys(table.columns);
  const places = names.map((_, i) => `$${i + 1}`);
  return `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${places.join(', ')}) ${replaceClause(table)}`;
}

/** Converts a list to JSON text by hand, because `JSON.stringify` does not support bigints. */
function toInput(value: Value): SQLInputValue {
  if (value === null || typeof value !== 'object') return value;
  if (value instanceof Uint8Array) return value;
  return `[${value.map((item) => (typeof item === 'string' ? JSON.stringify(item) : String(item))).join(',')}]`;
}
