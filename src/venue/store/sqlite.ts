import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite';
import {
  replaceClause,
  type Dialect,
  type Driver,
  type Read,
  type ReadPlan,
  type Row,
  type Step,
  type Table,
  type Value,
} from './driver.ts';

/** How long another process that is about to end may keep the file. */
const PATIENCE_MS = 2_000;
const PAGE_BYTES = 16_384;
const CACHE_KIB = 32_768;

const dialect: Dialect = {
  items: (n) => `json_each($${n}) AS p`,
  isAmong: (column, n) => `${column} IN (SELECT value FROM json_each($${n}))`,
  lateral: false,
  types: { bigint: 'INTEGER', text: 'TEXT', 'double precision': 'REAL' },
  // The rows lie in the key's order, so that a page is read from one place and not from a hundred.
  tableEnd: ' STRICT, WITHOUT ROWID',
};

/** SQLite in a file, or in memory (`:memory:`). The file belongs to one process at a time. */
export function openSqlite(path: string): Driver {
  const database = openDatabase(path);
  const prepare = preparedBy(database);
  const read = ({ sql, values, wide }: Read): readonly Row[] => {
    const statement = prepare(sql);
    statement.setReturnArrays(true);
    statement.setReadBigInts(wide === true);
    return statement.all(...values.map(toInput)) as unknown as readonly Row[];
  };
  return {
    dialect,
    define: async (statements) => {
      for (const statement of statements) database.exec(statement);
      return Promise.resolve();
    },
    read: async (statement) => Promise.resolve(read(statement)),
    readTogether: async (plan) => Promise.resolve(follow(plan, read)),
    write: async (steps, options) => {
      // Without waiting for the disk, a power cut may undo this transaction, but neither half of it nor one before it.
      database.exec(options?.lazy === true ? 'PRAGMA synchronous = NORMAL' : 'PRAGMA synchronous = FULL');
      transact(database, () => {
        for (const step of steps) runStep(step, prepare);
      });
      return Promise.resolve();
    },
    close: async () => {
      database.close();
      return Promise.resolve();
    },
  };
}

function openDatabase(path: string): DatabaseSync {
  try {
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true });
    return configured(new DatabaseSync(path, { timeout: PATIENCE_MS }));
  } catch (error) {
    throw new Error(`The store ${path} cannot be opened: ${reasonOf(error)}.`, { cause: error });
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

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return message === 'database is locked' ? 'another process has it open' : message;
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

/** Nothing else can run before it ends, so that its reads see one state. */
function follow<Answer>(plan: ReadPlan<Answer>, read: (read: Read) => readonly Row[]): Answer {
  let step = plan.next();
  while (step.done !== true) step = plan.next(read(step.value));
  return step.value;
}

function transact(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    work();
    database.exec('COMMIT');
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

function runStep(step: Step, prepare: (sql: string) => StatementSync): void {
  if (!('table' in step)) {
    prepare(step.sql).run(...step.values.map(toInput));
    return;
  }
  const insert = prepare(insertSql(step.table));
  for (const row of step.rows) insert.run(...row);
}

function insertSql(table: Table): string {
  const names = Object.keys(table.columns);
  const places = names.map((_, i) => `$${i + 1}`);
  return `INSERT INTO ${table.name} (${names.join(', ')}) VALUES (${places.join(', ')}) ${replaceClause(table)}`;
}

/** A list goes in as JSON text, written by hand as `JSON.stringify` knows no bigints. */
function toInput(value: Value): SQLInputValue {
  if (value === null || typeof value !== 'object') return value;
  return `[${value.map((item) => (typeof item === 'string' ? JSON.stringify(item) : String(item))).join(',')}]`;
}
