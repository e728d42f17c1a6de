import { StoreFailure } from './store-failure.ts';

/** A value of a column. Times in nanoseconds and order IDs are bigints, because they exceed 2^53. */
export type Cell = string | number | bigint | Uint8Array | null;
export type Row = readonly Cell[];

/** A list is one parameter: see `Dialect.isAmong`. */
export type Value = Cell | readonly Cell[];

/** A statement that reads. Placeholders are `$1`, `$2`, ... */
export interface Read {
  /** Identifies the text, for databases that cache prepared statements by name. */
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Value[];
  /** Returns integers above 2^53, as bigints or as digits. */
  readonly wide?: true;
}

type ColumnType = 'bigint' | 'text' | 'double precision' | 'bytes';

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  readonly nullable?: readonly string[];
  /** Rows are only added: an existing key is an error. */
  readonly onlyGrows?: true;
}

/** Rows to insert, or to replace if the key exists. Of rows with the same key, the last one counts. */
export interface Put {
  readonly table: Table;
  readonly rows: readonly Row[];
}

/** A statement that changes existing rows. */
export interface Change {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Value[];
}

/** A condition of the transaction, which fails with this sentence unless the statement returns a row. */
export interface Guard extends Read {
  readonly otherwise: string;
}

export type Step = Put | Change | Guard;

/** Differences between the databases in SQL. */
export interface Dialect {
  /** Returns a condition: a column’s value is in the list that is the n-th value. */
  readonly isAmong: (column: string, n: number, type: ColumnType) => string;
  readonly types: Readonly<Record<ColumnType, string>>;
  /** The end of a select whose rows nobody else may change before the transaction ends. */
  readonly forUpdate: string;
  /** The database’s time in epoch milliseconds, which is the same for all who use it. */
  readonly now: string;
  /** A statement that returns the names of all tables, without copies of them. */
  readonly listTables: string;
  /** The end of a table definition. */
  readonly tableEnd: string;
}

/** Reads that depend on one another: yields statements, receives their rows, and returns the result. */
export type ReadPlan<Result> = Generator<Read, Result, readonly Row[]>;

/** Reads and changes that depend on one another, and succeed or fail together. */
export type WritePlan<Result> = Generator<Read | Step, Result, readonly Row[]>;

/** A database, as the store uses it. */
export interface Driver {
  readonly dialect: Dialect;
  readonly define: (statements: readonly string[]) => Promise<void>;
  readonly read: (read: Read) => Promise<readonly Row[]>;
  /** All reads of the plan see the same snapshot. */
  readonly readTogether: <Result>(plan: ReadPlan<Result>) => Promise<Result>;
  /** One transaction, on disk when it returns; with `lazy`, on disk with the next transaction at the latest. */
  readonly write: (steps: readonly Step[], options?: { readonly lazy: boolean }) => Promise<void>;
  /** One transaction, on disk when it returns. It may run again from the start, so each call of `plan` is a new plan. */
  readonly transact: <Result>(plan: () => WritePlan<Result>) => Promise<Result>;
  /** One transaction that may also change the tables themselves. It may take any time. */
  readonly changeTogether: <Result>(plan: ReadPlan<Result>) => Promise<Result>;
  /**
   * Keeps a copy of all tables under this name inside the database, replacing an earlier one, if the plan says that it is
   * still needed.
   */
  readonly backUp: (name: string, isNeeded: () => ReadPlan<boolean>) => Promise<void>;
  /** Copies the database while it is in use to a file that does not exist yet; null if it is not a file. */
  readonly copyTo: ((path: string) => Promise<void>) | null;
  readonly close: () => Promise<void>;
}

/** Casts the limit, because with a bare placeholder SQLite would plan the statement anew for each limit. */
export function limitTo(n: number): string {
  return `LIMIT CAST($${n} AS bigint)`;
}

/** Returns the end of an insert that replaces a row with an existing key. */
export function replaceClause({ columns, key, onlyGrows }: Table): string {
  if (onlyGrows) return '';
  const changed = Object.keys(columns).filter((column) => !key.includes(column));
  const sets = changed.map((column) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${key.join(', ')}) DO ${sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`}`;
}

/** Leaves an existing table unchanged. */
export function createTable({ name, columns, key, nullable }: Table, { types, tableEnd }: Dialect): string {
  const limit = (column: string): string => (nullable?.includes(column) === true ? '' : ' NOT NULL');
  const defined = Object.entries(columns).map(([column, type]) => `${column} ${types[type]}${limit(column)}`);
  return `CREATE TABLE IF NOT EXISTS ${name} (${defined.join(', ')}, PRIMARY KEY (${key.join(', ')}))${tableEnd}`;
}

/** Defines an index; `on` is a table with columns, such as `orders (account, time_ns)`. */
export function createIndex(name: string, on: string): string {
  return `CREATE INDEX IF NOT EXISTS ${name} ON ${on}`;
}

/** Returns the columns of a table for a select. */
export function columnsOf({ columns }: Table): string {
  return Object.keys(columns).join(', ');
}

/** Returns the rows of a statement, unless it is a guard that found none. */
export function passed(step: Read | Change | Guard, rows: readonly Row[]): readonly Row[] {
  if ('otherwise' in step && rows.length === 0) throw new StoreFailure(step.otherwise);
  return rows;
}
