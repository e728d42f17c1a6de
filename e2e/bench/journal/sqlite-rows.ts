import { DatabaseSync } from 'node:sqlite';
import { bytesOf } from './bytes-of.ts';
import type { Contender, Segment } from './contender.ts';

/**
 * Stores one row per change, found by order and by time, and all working orders once per segment, so that they are
 * never far away.
 */
const SCHEMA = `
  PRAGMA journal_mode = WAL;
  CREATE TABLE change (kind TEXT, order_id INTEGER, since INTEGER, seen INTEGER, row TEXT);
  CREATE TABLE base (segment INTEGER, order_id INTEGER, row TEXT);
`;
const INDEXES = `
  CREATE INDEX change_by_order ON change (order_id, seen);
  CREATE INDEX change_by_time ON change (seen);
  CREATE INDEX base_by_segment ON base (segment);
`;

export function createSqliteRows(folder: string): Promise<Contender> {
  const database = new DatabaseSync(`${folder}/rows.db`);
  database.exec(SCHEMA + INDEXES);
  const starts = new Map<number, number>();
  const addChange = database.prepare('INSERT INTO change VALUES (?, ?, ?, ?, ?)');
  const addBase = database.prepare('INSERT INTO base VALUES (?, ?, ?)');
  const baseOf = database.prepare('SELECT order_id, row FROM base WHERE segment = ?');
  const changesOf = database.prepare(
    'SELECT kind, order_id, row FROM change WHERE seen > ? AND seen <= ? ORDER BY seen',
  );
  const lifeOf = database.prepare('SELECT kind, since, seen, row FROM change WHERE order_id = ? ORDER BY seen');
  for (const statement of [baseOf, changesOf, lifeOf]) statement.setReadBigInts(true);
  return Promise.resolve({
    keep: ({ number, start, base, changes }: Segment) => {
      starts.set(number, start);
      database.exec('BEGIN');
      for (const { id, row } of base) addBase.run(number, BigInt(id), row);
      for (const { kind, id, from, to, row } of changes) addChange.run(kind, BigInt(id), from, to, row);
      database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)');
      return Promise.resolve();
    },
    countBook: (segment: number, reading: number) => {
      const book = new Map(baseOf.all(segment).map(({ order_id: id, row }) => [id, row]));
      for (const { kind, order_id: id, row } of changesOf.all(starts.get(segment) ?? 0, reading)) {
        if (kind === 'gone') book.delete(id);
        else book.set(id, row);
      }
      return Promise.resolve(book.size);
    },
    countLife: (id: string) => Promise.resolve(lifeOf.all(BigInt(id)).length),
    size: () => bytesOf(folder),
    [Symbol.asyncDispose]: () => {
      database.close();
      return Promise.resolve();
    },
  });
}
