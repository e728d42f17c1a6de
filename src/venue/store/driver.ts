/** What a column holds. Times in nanoseconds and order ids are bigints: they are beyond 2^53. */
export type Cell = string | number | bigint | null;
export type Row = readonly Cell[];

/** A list is handed over whole: see `Dialect.items`. */
export type Value = Cell | readonly Cell[];

/** A statement that reads. Placeholders are `$1`, `$2`, ... */
export interface Read {
  /** One name, one text: databases that keep prepared statements know it by its name. */
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Value[];
  /** Has columns beyond 2^53: whole numbers come as bigints, or as their digits. */
  readonly wide?: true;
}

export type ColumnType = 'bigint' | 'text' | 'double precision';

export interface Table {
  readonly name: string;
  readonly columns: Readonly<Record<string, ColumnType>>;
  readonly key: readonly string[];
  readonly nullable?: readonly string[];
  /** Rows are only ever added. One whose key is there already is a mistake, and fails. */
  readonly onlyGrows?: true;
}

/** Rows to insert, or to replace where their key is there already: of those with the same key, the last one counts. */
export interface Put {
  readonly table: Table;
  readonly rows: readonly Row[];
}

/** A statement that changes rows which are there. */
export interface Change {
  readonly name: string;
  readonly sql: string;
  readonly values: readonly Value[];
}

export type Step = Put | Change;

/** Where databases differ in how the same thing is written. */
export interface Dialect {
  /** A table `p` with the one column `value`, of the list that is the n-th value. */
  readonly items: (n: number, type: ColumnType) => string;
  /** Whether a column's value is in the list that is the n-th value. */
  readonly isAmong: (column: string, n: number, type: ColumnType) => string;
  /** Whether a subselect may be asked anew for each row beside it. */
  readonly lateral: boolean;
  readonly types: Readonly<Record<ColumnType, string>>;
  /** What the definition of a table ends with. */
  readonly tableEnd: string;
}

/** Reads that depend on one another: gives a statement, is given its rows, until it has the answer. */
export type ReadPlan<Answer> = Generator<Read, Answer, readonly Row[]>;

/** A database, as the store sees it. */
export interface Driver {
  readonly dialect: Dialect;
  readonly define: (statements: readonly string[]) => Promise<void>;
  readonly read: (read: Read) => Promise<readonly Row[]>;
  /** All of the plan's reads see the same state. */
  readonly readTogether: <Answer>(plan: ReadPlan<Answer>) => Promise<Answer>;
  /** One transaction: all of it or nothing, and on disk when it returns; `lazy`: on disk with the next one at the latest. */
  readonly write: (steps: readonly Step[], options?: { readonly lazy: boolean }) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** As a bare placeholder, SQLite would plan the statement anew each time that a limit is given to it. */
export function limitTo(n: number): string {
  return `LIMIT CAST($${n} AS bigint)`;
}

/** What follows the values of an insert, so that a row whose key is there already is replaced. */
export function replaceClause({ columns, key, onlyGrows }: Table): string {
  if (onlyGrows) return '';
  const changed = Object.keys(columns).filter((column) => !key.includes(column));
  const sets = changed.map((column) => `${column} = excluded.${column}`);
  return `ON CONFLICT (${key.join(', ')}) DO ${sets.length === 0 ? 'NOTHING' : `UPDATE SET ${sets.join(', ')}`}`;
}
