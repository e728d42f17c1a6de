/** A value of a column. Times in nanoseconds and order ids are bigints, as they exceed 2^53. */
export type Cell = string | number | bigint | Uint8Array | null;
export type Row = readonly Cell[];

/** A list is one parameter: see `Dialect.items`. */
export type Value = Cell | readonly Cell[];

/** A statement that reads. Placeholders are `$1`, `$2`, ... */
export interface Read {
  /** Identifies the text, for databases that cache prepared statements by name. */
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Value[];
  /** Has integers above 2^53, which are returned as bigints or as digits. */
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

/** Rows to insert, or to replace where the key exists. Of rows with the same key, the last one counts. */
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

export type Step = Put | Change;

/** Differences between the databases in SQL. */
export interface Dialect {
  /** Whether a column's value is in the list that is the n-th value. */
  readonly isAmong: (column: string, n: number, type: ColumnType) => string;
  readonly types: Readonly<Record<ColumnType, string>>;
  /** The end of a table definition. */
  readonly tableEnd: string;
}

/** Reads that depend on one another: yields statements, receives their rows, and returns the result. */
export type ReadPlan<Result> = Generator<Read, Result, readonly Row[]>;

/** A database, as the store sees it. */
export interface Driver {
  readonly dialect: Dialect;
  readonly define: (statements: readonly string[]) => Promise<void>;
  readonly read: (read: Read) => Promise<readonly Row[]>;
  /** All reads of the plan see the same snapshot. */
  readonly readTogether: <Result>(plan: ReadPlan<Result>) => Promise<Result>;
  /** One transaction, on disk when it returns; `lazy`: on disk with the next transaction at the latest. */
  readonly write: (steps: readonly Step[], options?: { readonly lazy: boolean }) => Promise<void>;
  /** One transaction, of statements that change the tables themselves as well: it may take any time. */
  readonly changeTogether: <Result>(plan: ReadPlan<Result>) => Promise<Result>;
  /** Keeps a copy of all tables under this name, beside the store, in place of an earlier one. */
  readonly backUp: (name: string) => Promise<void>;
  /** Copies the database as it is, while it is read and written, to a file that does not exist yet; null where it is no file. */
  readonly copyTo: ((path: string) => Promise<void>) | null;
  readonly close: () => Promise<void>;
}

/** With a bare placeholder, SQLite would plan the statement again for each limit. */
export function limitTo(n: number): string {
  return `LIMIT CAST($${n} AS bigint)`;
}

/** The end of an insert, so that a row with an existing key is replaced. */
export function replaceClause({ columns, key, onlyGrows }: Table): string {
  if (onlyGrows) return '';
  const changed = Object.keys(columns).filter((column) => !key.includes(column));
  const sets = changed.map((column) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${key.join(', ')}) DO ${sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`}`;
}
