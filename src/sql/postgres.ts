import { Socket } from 'node:net';
import { DatabaseError, Pool, type PoolClient, type QueryConfig } from 'pg';
import { explained, StoreFailure } from './store-failure.ts';
import {
  type Dialect,
  type Driver,
  passed,
  type Put,
  type Read,
  replaceClause,
  type Row,
  type Step,
  type Table,
} from './driver.ts';
import { explainPostgresErrors } from './postgres-errors.ts';

const TABLE = 'CREATE TABLE IF NOT EXISTS store_owner (one bigint PRIMARY KEY, epoch bigint NOT NULL)';
const TAKE = `INSERT INTO store_owner (one, epoch) VALUES (1, 1)
  ON CONFLICT (one) DO UPDATE SET epoch = store_owner.epoch + 1`;
const LOCK = 'SELECT epoch FROM store_owner WHERE one = 1 FOR UPDATE';

/**
 * Ends the writes of earlier versions, of which each process took itself for the only one. When this returns, their
 * writes are either on disk or will never be.
 */
async function disownEarlierVersions(pool: Pool): Promise<void> {
  await define(pool, TABLE);
  await pool.query(TAKE);
}

/** Defines something unless it exists. Of processes that do so at the same moment, all but one may fail the first time. */
async function define(pool: Pool, statement: string): Promise<void> {
  await pool.query(statement).catch((error: unknown) => {
    if (!(error instanceof DatabaseError)) throw error;
    return pool.query(statement);
  });
}

/**
 * Of several processes that start together, one changes the tables at a time, and the others find them changed. While a
 * change waits for a table that another program reads for long, such as `pg_dump`, nothing else can use that table: so it
 * gives up soon.
 */
async function beginChange(client: PoolClient): Promise<void> {
  await client.query(LOCK);
  await client.query(`SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = ${String(LOCK_TIMEOUT_MS)}`);
}

const LOCK_TIMEOUT_MS = 3_000;

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than the client’s own limit: a statement that the server cancels leaves the connection usable. */
const STATEMENT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 6_000;
/** A process that is stopped in the middle of a transaction must not keep its locks for as long as that lasts. */
const IDLE_TIMEOUT_MS = 10_000;
/** Enough to change large tables. */
const LONGEST_CHANGE_MS = 3_600_000;
/** A server that hangs does not close its side. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Rows sent in one statement. */
const ROWS_PER_STATEMENT = 5_000;
/**
 * The database has undone a transaction that conflicts with another one, and expects it to be sent again: a failure to
 * serialize (distributed databases), or a deadlock.
 */
const CONFLICTS: ReadonlySet<unknown> = new Set(['40001', '40P01']);
const ATTEMPTS = 5;

const types = { 'bigint': 'bigint', 'text': 'text', 'double precision': 'double precision', 'bytes': 'bytea' } as const;

const dialect: Dialect = {
  isAmong: (column, n, type) => `${column} = ANY ($${n}::${types[type]}[])`,
  types,
  listTables: `SELECT table_name FROM information_schema.tables
    WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'before_step_%'`,
  tableEnd: '',
  forUpdate: 'FOR UPDATE',
  now: '(extract(epoch FROM clock_timestamp()) * 1000)::bigint',
};

/**
 * Opens PostgreSQL, or a database that speaks its protocol. Uses nothing that a distributed one would reject: no
 * extension, LISTEN, advisory lock or sequence, and no statement that relies on rows being in the order in which they
 * were inserted.
 */
export async function openPostgres(url: string): Promise<Driver> {
  const explain = explainPostgresErrors(url);
  const sockets = new Set<Socket>();
  const pool = createPool(url, sockets);
  let closing: Promise<unknown> | null = null;
  const close = async (): Promise<void> => {
    await (closing ??= Promise.all([pool.end(), closeSockets(sockets)]));
  };
  await explained(explain, () => disownEarlierVersions(pool)).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    dialect,
    define: (statements) =>
      explained(explain, async () => {
        for (const statement of statements) await define(pool, statement);
      }),
    read: (statement) => explained(explain, () => runRead(pool, statement)),
    readTogether: (plan) =>
      explained(explain, () =>
        withTransaction(pool, BEGIN_SNAPSHOT, (client) => runPlan(plan, (read) => runRead(client, read))),
      ),
    write: (steps) =>
      explained(explain, () =>
        withRetries(pool, async (client) => {
          for (const step of steps) await runStep(step, client);
        }),
      ),
    transact: (plan) =>
      explained(explain, () =>
        withRetries(pool, (client) => runPlan(keepOwnErrors(plan()), (step) => runStep(step, client))),
      ).catch((error: unknown) => {
        throw error instanceof PlanFailure ? error.cause : error;
      }),
    changeTogether: (plan) =>
      explained(explain, () =>
        withTransaction(pool, 'BEGIN', async (client) => {
          await beginChange(client);
          return runPlan(plan, (step) => runRead(client, step, LONGEST_CHANGE_MS));
        }),
      ),
    backUp: (name, isNeeded) =>
      explained(explain, () =>
        withTransaction(pool, 'BEGIN', async (client) => {
          await beginChange(client);
          if (await runPlan(isNeeded(), (read) => runRead(client, read))) await copyTables(client, name);
        }),
      ),
    copyTo: null,
    close,
  };
}

/** Sent with `BEGIN`, because a pooler in between does not pass it on when it connects. */
const BEGIN_WRITE = `BEGIN; SET LOCAL idle_in_transaction_session_timeout = ${String(IDLE_TIMEOUT_MS)}`;
const BEGIN_SNAPSHOT = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

function createPool(url: string, sockets: Set<Socket>): Pool {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    query_timeout: QUERY_TIMEOUT_MS,
    stream: () => {
      const socket = new Socket();
      sockets.add(socket.once('close', () => sockets.delete(socket)));
      return socket;
    },
  });
  // The pool drops an idle connection that breaks, and opens another when one is needed.
  pool.on('error', () => undefined);
  // A connection that breaks in use fails its queries anyway; without a listener, it would also end the process.
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
  });
  return pool;
}

async function closeSockets(sockets: ReadonlySet<Socket>): Promise<void> {
  const closed = Array.from(sockets, (socket) => {
    socket.setTimeout(CLOSE_TIMEOUT_MS, () => socket.destroy());
    return new Promise((resolve) => socket.once('close', resolve));
  });
  await Promise.all(closed);
}

/** Prepares nothing by name: behind a pooler, the next transaction may get another connection. */
async function runRead(client: Pool | PoolClient, { sql, values }: Read, timeoutMs?: number): Promise<readonly Row[]> {
  const result = await client.query<(string | number | Buffer | null)[]>({
    text: sql,
    values: [...values],
    rowMode: 'array',
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  });
  return result.rows;
}

/** What a plan itself throws, which ends the transaction although the database has not failed. */
class PlanFailure extends StoreFailure {}

function* keepOwnErrors<Planned, Result>(
  plan: Generator<Planned, Result, readonly Row[]>,
): Generator<Planned, Result, readonly Row[]> {
  try {
    return yield* plan;
  } catch (error) {
    throw new PlanFailure('The plan has failed.', { cause: error });
  }
}

async function runPlan<Planned, Result>(
  plan: Generator<Planned, Result, readonly Row[]>,
  run: (step: Planned) => Promise<readonly Row[]>,
): Promise<Result> {
  let step = plan.next();
  while (step.done !== true) step = plan.next(await run(step.value));
  return step.value;
}

/**
 * Copies into tables, because distributed databases cannot back up a part, and a person can rename tables back.
 * Replaces the copy of an earlier attempt that failed, since the tables may have been written afterwards.
 */
async function copyTables(client: PoolClient, name: string): Promise<void> {
  const { rows } = await client.query<{ table_name: string }>(dialect.listTables);
  for (const { table_name } of rows) {
    const copy = `"${name}_${table_name}"`;
    await client.query(`DROP TABLE IF EXISTS ${copy}`);
    await client.query({
      text: `CREATE TABLE ${copy} AS SELECT * FROM "${table_name}"`,
      query_timeout: LONGEST_CHANGE_MS,
    } as QueryConfig);
  }
}

async function withTransaction<T>(pool: Pool, begin: string, work: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  try {
    await client.query(begin);
    const result = await work(client);
    await client.query('COMMIT');
    client.release();
    return result;
  } catch (error) {
    client.release(!(await rollBack(client, error)));
    throw error;
  }
}

/**
 * Returns whether the connection can be used again. If the server itself reported no error, the connection has failed.
 */
async function rollBack(client: PoolClient, error: unknown): Promise<boolean> {
  if (!(error instanceof DatabaseError || error instanceof StoreFailure)) return false;
  return client.query('ROLLBACK').then(
    () => true,
    () => false,
  );
}

async function withRetries<Result>(
  pool: Pool,
  work: (client: PoolClient) => Promise<Result>,
  attempts = ATTEMPTS,
): Promise<Result> {
  try {
    return await withTransaction(pool, BEGIN_WRITE, work);
  } catch (error) {
    if (attempts === 1 || !isConflict(error)) throw error;
    return withRetries(pool, work, attempts - 1);
  }
}

function isConflict(error: unknown): boolean {
  return error instanceof Error && 'code' in error && CONFLICTS.has(error.code);
}

async function runStep(given: Read | Step, client: PoolClient): Promise<readonly Row[]> {
  if (!('table' in given)) return passed(given, await runRead(client, given));
  const { table, rows } = withoutDuplicates(given);
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const part = rows.slice(from, from + ROWS_PER_STATEMENT);
    const values = Object.keys(table.columns).map((_, column) => part.map((row) => row[column]));
    await client.query({ text: insertSql(table), values });
  }
  return [];
}

/** Takes one list per column, so that one statement serves any number of rows. */
function insertSql(table: Table): string {
  const names = Object.keys(table.columns);
  const lists = Object.values(table.columns).map((type, i) => `$${i + 1}::${types[type]}[]`);
  return (
    `INSERT INTO ${table.name} (${names.join(', ')}) SELECT * FROM unnest(${lists.join(', ')}) ` + replaceClause(table)
  );
}

/** Keeps the last of the rows with one key, since one statement cannot replace the same row twice. */
function withoutDuplicates(put: Put): Put {
  return put.table.onlyGrows ? put : { table: put.table, rows: lastOfEachKey(put) };
}

function lastOfEachKey({ table, rows }: Put): readonly Row[] {
  const places = table.key.map((column) => Object.keys(table.columns).indexOf(column));
  const byKey = new Map(rows.map((row) => [places.map((place) => String(row[place])).join('\n'), row]));
  return byKey.size === rows.length ? rows : [...byKey.values()];
}
