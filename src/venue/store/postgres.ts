import { Pool, type PoolClient } from 'pg';
import {
  replaceClause,
  type Dialect,
  type Driver,
  type Put,
  type Read,
  type ReadPlan,
  type Row,
  type Step,
  type Table,
} from './driver.ts';
import { checkOwner, takeOver } from './postgres-owner.ts';

const CONNECTIONS = 8;
const CONNECT_TIMEOUT_MS = 10_000;
/** Rows sent in one statement. */
const PART = 5_000;
/** A distributed database may refuse a transaction that met another one, and asks for it to be sent again. */
const SERIALIZATION_FAILURE = '40001';
const ATTEMPTS = 5;

const dialect: Dialect = {
  items: (n, type) => `unnest($${n}::${type}[]) AS p(value)`,
  isAmong: (column, n, type) => `${column} = ANY ($${n}::${type}[])`,
  lateral: true,
  types: { bigint: 'bigint', text: 'text', 'double precision': 'double precision' },
  tableEnd: '',
};

/**
 * PostgreSQL, or a database that speaks as it does. Nothing is used that a distributed one would refuse: no extension, no
 * LISTEN, no advisory lock, no sequence, and no statement that counts on rows lying in the order they came in.
 */
export async function openPostgres(url: string): Promise<Driver> {
  const pool = new Pool({ connectionString: url, max: CONNECTIONS, connectionTimeoutMillis: CONNECT_TIMEOUT_MS });
  // A connection that breaks while nobody uses it: the pool drops it, and whoever comes next gets a new one.
  pool.on('error', () => undefined);
  await checkReachable(pool, url);
  const epoch = await takeOver(pool);
  return {
    dialect,
    define: async (statements) => {
      for (const statement of statements) await pool.query(statement);
    },
    read: (statement) => runRead(pool, statement),
    readTogether: (plan) => withTransaction(pool, READ_ONE_STATE, (client) => follow(plan, client)),
    write: (steps) => writeAgain(pool, epoch, steps.map(withoutDoubles), ATTEMPTS),
    close: () => pool.end(),
  };
}

const READ_ONE_STATE = 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY';

async function checkReachable(pool: Pool, url: string): Promise<void> {
  try {
    await pool.query('SELECT 1');
  } catch (error) {
    await pool.end();
    throw new Error(`The store ${withoutPassword(url)} cannot be opened: ${reasonOf(error)}.`, { cause: error });
  }
}

function withoutPassword(url: string): string {
  return url.replace(/^([a-z]+:\/\/[^:@/?]*):[^@/?]*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1...');
}

/** Where several addresses were tried, the error that names them has no message of its own. */
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join(', ');
  return error instanceof Error ? error.message : String(error);
}

async function runRead(client: Pool | PoolClient, { name, sql, values }: Read): Promise<readonly Row[]> {
  const result = await client.query<(string | number | null)[]>({
    name,
    text: sql,
    values: [...values],
    rowMode: 'array',
  });
  return result.rows;
}

async function follow<Answer>(plan: ReadPlan<Answer>, client: PoolClient): Promise<Answer> {
  let step = plan.next();
  while (step.done !== true) step = plan.next(await runRead(client, step.value));
  return step.value;
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
    const undone = await client.query('ROLLBACK').then(
      () => true,
      () => false,
    );
    client.release(!undone);
    throw error;
  }
}

async function writeAgain(pool: Pool, epoch: string, steps: readonly Step[], attempts: number): Promise<void> {
  try {
    await withTransaction(pool, 'BEGIN', async (client) => {
      await checkOwner(client, epoch);
      for (const step of steps) await runStep(step, client);
    });
  } catch (error) {
    if (attempts === 1 || !isSerializationFailure(error)) throw error;
    await writeAgain(pool, epoch, steps, attempts - 1);
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
  for (let from = 0; from < rows.length; from += PART) {
    const part = rows.slice(from, from + PART);
    const values = Object.keys(table.columns).map((_, column) => part.map((row) => row[column]));
    await client.query({ name: `put ${table.name}`, text: insertSql(table), values });
  }
}

/** Columns go in as one list each, so that one statement does for any number of rows. */
function insertSql(table: Table): string {
  const names = Object.keys(table.columns);
  const lists = Object.values(table.columns).map((type, i) => `$${i + 1}::${type}[]`);
  return `INSERT INTO ${table.name} (${names.join(', ')}) SELECT * FROM unnest(${lists.join(', ')}) ${replaceClause(table)}`;
}

/** One statement cannot replace the same row twice. */
function withoutDoubles(step: Step): Step {
  return 'table' in step && !step.table.onlyGrows ? { table: step.table, rows: lastOfEachKey(step) } : step;
}

function lastOfEachKey({ table, rows }: Put): readonly Row[] {
  const places = table.key.map((column) => Object.keys(table.columns).indexOf(column));
  const byKey = new Map(rows.map((row) => [places.map((place) => String(row[place])).join('\n'), row]));
  return byKey.size === rows.length ? rows : [...byKey.values()];
}
