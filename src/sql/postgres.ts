import { Socket } from 'node:net';
import { DatabaseError, Pool, type PoolClient, type QueryConfig } from 'pg';
import { explained, StoreFailure } from './store-failure.ts';
import {
  type Dialect,
  type Driver,
  type Put,
  type Read,
  type ReadPlan,
  replaceClause,
  type Row,
  type Step,
  type Table,
} from './driver.ts';
import { explainPostgresErrors } from './postgres-errors.ts';

const TABLE = 'CREATE TABLE IF NOT EXISTS store_owner (one bigint PRIMARY KEY, epoch bigint NOT NULL)';
const TAKE = `INSERT INTO store_owner (one, epoch) VALUES (1, 1)
  ON CONFLICT (one) DO UPDATE SET epoch = store_owner.epoch + 1 RETURNING epoch`;
const HOLD = 'SELECT epoch FROM store_owner WHERE one = 1 AND epoch = $1 FOR UPDATE';

/**
 * Makes this process the only one that writes. When this returns, the writes of a previous process, killed or ending,
 * are either on disk or will never be.
 */
async function takeOver(pool: Pool): Promise<string> {
  await pool.query(TABLE);
  const { rows } = await pool.query<{ epoch: string }>(TAKE);
  return String(rows[0]?.epoch);
}

/** Fails a transaction that writes if another process has taken over. */
async function checkOwner(client: PoolClient, epoch: string): Promise<void> {
  const { rowCount } = await client.query({ name: 'hold', text: HOLD, values: [epoch] });
  if (rowCount !== 1)
    throw new StoreFailure('Another process has opened this store; this one can no longer write to it.');
}

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 5_000;
/** Shorter than the client’s own limit: a statement that the server cancels leaves the connection usable. */
const STATEMENT_TIMEOUT_MS = 5_000;
const QUERY_TIMEOUT_MS = 6_000;
/** Enough to change large tables. */
const LONGEST_CHANGE_MS = 3_600_000;
/** A server that hangs does not close its side. */
const CLOSE_TIMEOUT_MS = 1_000;
/** Rows sent in one statement. */
const ROWS_PER_STATEMENT = 5_000;
/** A distributed database may reject a transaction that conflicts with another one, and expects it to be sent again. */
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS = 5;

const types = { 'bigint': 'bigint', 'text': 'text', 'double precision': 'double precision', 'bytes': 'bytea' } as const;

const dialect: Dialect = {
  isAmong: (column, n, type) => `${column} = ANY ($${n}::${types[type]}[])`,
  types,
  tableEnd: '',
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
  const close = async (): Promise<void> => {
    await pool.end();
    await closeSockets(sockets);
  };
  const epoch = await explained(explain, () => takeOver(pool)).catch(async (error: unknown) => {
    await close();
    throw error;
  });
  return {
    dialect,
    define: (statements) =>
      explained(explain, async () => {
        for (const statement of statements) await pool.query(statement);
      }),
    read: (statement) => explained(explain, () => runRead(pool, statement)),
    readTogether: (plan) =>
      explained(explain, () => withTransaction(pool, BEGIN_SNAPSHOT, (client) => runPlan(plan, client))),
    write: (steps) => explained(explain, () => writeWithRetry(pool, epoch, steps.map(withoutDuplicates), ATTEMPTS)),
    changeTogether: (plan) =>
      explained(explain, () =>
        withTransaction(pool, 'BEGIN', async (client) => {
          await checkOwner(client, epoch);
          await client.query('SET LOCAL statement_timeout = 0');
          return runPlan(plan, client, LONGEST_CHANGE_MS);
        }),
      ),
    backUp: (name) =>
      explained(explain, () =>
        withTransaction(pool, 'BEGIN', async (client) => {
          // Another process may have changed the tables since, and its backup is the one from before.
          await checkOwner(client, epoch);
          await copyTables(client, name);
        }),
      ),
    copyTo: null,
    close,
  };
}

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

async function runRead(
  client: Pool | PoolClient,
  { name, sql, values }: Read,
  timeoutMs?: number,
): Promise<readonly Row[]> {
  const result = await client.query<(string | number | Buffer | null)[]>({
    name,
    text: sql,
    values: [...values],
    rowMode: 'array',
    ...(timeoutMs !== undefined && { query_timeout: timeoutMs }),
  });
  return result.rows;
}

async function runPlan<Result>(plan: ReadPlan<Result>, client: PoolClient, timeoutMs?: number): Promise<Result> {
  let step = plan.next();
  while (step.done !== true) step = plan.next(await runRead(client, step.value, timeoutMs));
  return step.value;
}

/**
 * Copies into tables, because distributed databases cannot back up a part, and a person can rename tables back.
 * Replaces the copy of an earlier attempt that failed, since the tables may have been written afterwards.
 */
async function copyTables(client: PoolClient, name: string): Promise<void> {
  await client.query('SET LOCAL statement_timeout = 0');
  const { rows } = await client.query<{ table_name: string }>(TABLES);
  for (const { table_name } of rows) {
    const copy = `"${name}_${table_name}"`;
    await client.query(`DROP TABLE IF EXISTS ${copy}`);
    await client.query({
      text: `CREATE TABLE ${copy} AS SELECT * FROM "${table_name}"`,
      query_timeout: LONGEST_CHANGE_MS,
    } as QueryConfig);
  }
}

const TABLES = `SELECT table_name FROM information_schema.tables
  WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' AND table_name NOT LIKE 'before_step_%'`;

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

async function writeWithRetry(pool: Pool, epoch: string, steps: readonly Step[], attempts: number): Promise<void> {
  try {
    await withTransaction(pool, 'BEGIN', async (client) => {
      await checkOwner(client, epoch);
      for (const step of steps) await runStep(step, client);
    });
  } catch (error) {
    if (attempts === 1 || !isSerializationFailure(error)) throw error;
    await writeWithRetry(pool, epoch, steps, attempts - 1);
  }
}

function isSerializationFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === SERIALIZATION_FAILURE;
}

async function runStep(step: Step, client: PoolClient): Promise<void> {
  if (!('table' in step)) {
    await client.query({ name: step.name, text: step.sql, values: [...step.values] });
    return;
  }
  const { table, rows } = step;
  for (let from = 0; from < rows.length; from += ROWS_PER_STATEMENT) {
    const part = rows.slice(from, from + ROWS_PER_STATEMENT);
    const values = Object.keys(table.columns).map((_, column) => part.map((row) => row[column]));
    await client.query({ name: `put ${table.name}`, text: insertSql(table), values });
  }
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
function withoutDuplicates(step: Step): Step {
  return 'table' in step && !step.table.onlyGrows ? { table: step.table, rows: lastOfEachKey(step) } : step;
}

function lastOfEachKey({ table, rows }: Put): readonly Row[] {
  const places = table.key.map((column) => Object.keys(table.columns).indexOf(column));
  const byKey = new Map(rows.map((row) => [places.map((place) => String(row[place])).join('\n'), row]));
  return byKey.size === rows.length ? rows : [...byKey.values()];
}
