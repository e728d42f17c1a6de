import { DatabaseSync } from 'node:sqlite';

/** An order as the exchange stored it after one of its changes. */
export interface RecordedChange {
  readonly id: string;
  /** By the exchange's clock, in epoch milliseconds. */
  readonly at: number;
  readonly filled: number;
  readonly isClosed: boolean;
  /** Whether this is the change that accepted the order. */
  readonly isNew: boolean;
}

export interface OrderRecord {
  /** How much of each order that was working before had been filled. */
  readonly filledBefore: ReadonlyMap<string, number>;
  /** The changes in the order in which they happened. */
  readonly changes: readonly RecordedChange[];
}

/**
 * Makes the exchange's database keep each change of an order that the exchange stores from now on. The database must
 * not be in use.
 */
export function startRecord(file: string): void {
  using database = new DatabaseSync(file);
  database.exec(`
    CREATE TABLE order_before AS SELECT CAST(id AS TEXT) AS id, filled FROM working;
    CREATE TABLE order_record (seq INTEGER PRIMARY KEY, body TEXT) STRICT;
    CREATE TRIGGER keep_order AFTER INSERT ON pending BEGIN INSERT INTO order_record (body) VALUES (new.body); END;
  `);
}

export function readRecord(file: string): OrderRecord {
  using database = new DatabaseSync(file, { readOnly: true });
  const before = database.prepare('SELECT id, filled FROM order_before').all();
  const changes = database.prepare('SELECT body FROM order_record ORDER BY seq').all();
  return {
    filledBefore: new Map(before.map(({ id, filled }) => [String(id), Number(filled)])),
    changes: changes.map(({ body }) => toRecorded(String(body))),
  };
}

function toRecorded(body: string): RecordedChange {
  const {
    id,
    time,
    last_modified: modified,
    quantity_filled: filled,
    status,
  } = JSON.parse(body) as Readonly<Record<string, string | number>>;
  return {
    id: String(id),
    at: Date.parse(String(modified)),
    filled: Number(filled),
    isClosed: status === 'Closed',
    isNew: time === modified,
  };
}
