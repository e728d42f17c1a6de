import type { Store } from '#server/store/store.ts';
import { usedOnce } from '#server/store/tables.ts';

/** Longer than anything that works once could be used, even if the clocks of desks differ. */
const KEPT_MS = 3_600_000;

/** Returns whether something that works only once was used at any desk. `id` has at most a few dozen characters. */
export async function wasUsed({ read }: Pick<Store, 'read'>, id: string): Promise<boolean> {
  const sql = `SELECT id FROM ${usedOnce.name} WHERE id = $1`;
  return (await read((store) => store.read({ name: 'was used', sql, values: [id] }))).length > 0;
}

/** Returns false if another request was faster. Only for what has been verified, so that strangers can store nothing. */
export function noteUse({ mustWrite }: Pick<Store, 'mustWrite'>, id: string): Promise<boolean> {
  return mustWrite(({ transact, dialect: { now } }) =>
    transact(function* () {
      const { name } = usedOnce;
      yield { name: 'drop uses', sql: `DELETE FROM ${name} WHERE used_at < ${now} - $1`, values: [KEPT_MS] };
      const sql = `INSERT INTO ${name} (id, used_at) VALUES ($1, ${now}) ON CONFLICT (id) DO NOTHING RETURNING id`;
      return (yield { name: 'note use', sql, values: [id] }).length > 0;
    }),
  );
}
