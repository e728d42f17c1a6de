import { Client } from 'pg';
import { explainPostgresErrors } from './postgres-errors.ts';
import { explained } from './store-failure.ts';

/** What a server says about itself and the rights of its user. */
interface PostgresFacts {
  readonly version: string;
  /** Whether it rejects all writes. */
  readonly isReadOnly: boolean;
  /** Whether tables can be created; false also if there is no schema to create them in. */
  readonly mayCreate: boolean;
  /** Whether the tables of Perpdesk, if they exist, can be read and written. */
  readonly mayWrite: boolean;
  /** Epoch milliseconds by its clock. */
  readonly now: number;
}

const TIMEOUT_MS = 5_000;
const FACTS = `SELECT current_setting('server_version') AS version,
  current_setting('transaction_read_only') = 'on' AS read_only,
  COALESCE(has_schema_privilege(current_schema(), 'CREATE'), false) AS may_create,
  COALESCE(has_table_privilege(to_regclass('store_owner'), 'SELECT')
    AND has_table_privilege(to_regclass('store_owner'), 'UPDATE'), true) AS may_write,
  EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS now`;

/** Reads only, unlike opening the store, which would change tables that a Perpdesk of an earlier version uses. */
export function examinePostgres(url: string): Promise<PostgresFacts> {
  return explained(explainPostgresErrors(url), async () => {
    const client = new Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    client.on('error', () => undefined);
    try {
      await client.connect();
      const { rows } = await client.query<Record<string, unknown>>(FACTS);
      const [row = {}] = rows;
      return {
        version: String(row['version']),
        isReadOnly: row['read_only'] === true,
        mayCreate: row['may_create'] === true,
        mayWrite: row['may_write'] === true,
        now: Number(row['now']),
      };
    } finally {
      await client.end().catch(() => undefined);
    }
  });
}
