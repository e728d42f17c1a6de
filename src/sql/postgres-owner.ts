import type { Pool, PoolClient } from 'pg';
import { StoreFailure } from './store-failure.ts';

const TABLE = 'CREATE TABLE IF NOT EXISTS store_owner (one bigint PRIMARY KEY, epoch bigint NOT NULL)';
const TAKE = `INSERT INTO store_owner (one, epoch) VALUES (1, 1)
  ON CONFLICT (one) DO UPDATE SET epoch = store_owner.epoch + 1 RETURNING epoch`;
const HOLD = 'SELECT epoch FROM store_owner WHERE one = 1 AND epoch = $1 FOR UPDATE';

/**
 * Makes this process the one that writes. A store has one owner: what a process that was killed, or is about to end, is
 * still writing is on disk before this returns, or never will be.
 */
export async function takeOver(pool: Pool): Promise<string> {
  await pool.query(TABLE);
  const { rows } = await pool.query<{ epoch: string }>(TAKE);
  return String(rows[0]?.epoch);
}

/** Part of each transaction that writes: fails where another process has taken over. */
export async function checkOwner(client: PoolClient, epoch: string): Promise<void> {
  const { rowCount } = await client.query({ name: 'hold', text: HOLD, values: [epoch] });
  if (rowCount !== 1)
    throw new StoreFailure('Another process has opened this store; this one can no longer write to it.');
}
