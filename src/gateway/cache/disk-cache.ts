import { createBody } from '../body.ts';
import type { Disk } from '../disk.ts';
import type { VenueResponse } from '../ports.ts';

/** Responses that can never change again, on disk: read from the exchange once, restarts included. */
export interface DiskCache {
  readonly find: (key: string) => VenueResponse | undefined;
  /** Stored if there is room for it. */
  readonly put: (key: string, response: VenueResponse) => void;
  readonly size: () => Size;
}

interface Size {
  readonly responses: number;
  readonly bytes: number;
}

interface Row {
  readonly body: Uint8Array;
  readonly content_type: string;
  readonly answered_at: number;
  readonly tag: string;
}

// The body precedes the time in each row: without the index, finding the oldest would read every body.
const SCHEMA = `
  create table if not exists kept_answer (
    key text primary key, body blob not null, content_type text not null, answered_at integer not null, tag text not null
  ) without rowid;
  create index if not exists kept_answer_age on kept_answer (answered_at)`;

/** Beside key and body: the other columns, the index entry, and the free space that pages leave. */
const ROW_BYTES = 256;
const BYTES = `${String(ROW_BYTES)} + length(key) + length(body)`;
const EVICTED_AT_ONCE = 100;

/** Evicts the oldest responses when there is more than `maxBytes`. */
export function createDiskCache({ database, tryToRead, tryToWrite }: Disk, maxBytes: number): DiskCache {
  database.exec(SCHEMA);
  const select = database.prepare('select body, content_type, answered_at, tag from kept_answer where key = ?');
  const measure = database.prepare(`select count(*) as responses, coalesce(sum(${BYTES}), 0) as bytes from kept_answer where key = ?`);
  const insert = database.prepare('insert or replace into kept_answer (key, body, content_type, answered_at, tag) values (?, ?, ?, ?, ?)');
  const evict = database.prepare(
    `delete from kept_answer where key in (select key from kept_answer order by answered_at limit ${String(EVICTED_AT_ONCE)}) returning ${BYTES} as bytes`,
  );
  const total = database.prepare(`select count(*) as responses, coalesce(sum(${BYTES}), 0) as bytes from kept_answer`);
  // Counting again each time would read the whole file.
  let size = total.get() as unknown as Size;
  const sizeOf = (key: string): Size => measure.get(key) as unknown as Size;
  const evictOldest = (): void => {
    for (const { bytes } of evict.all() as unknown as readonly Pick<Size, 'bytes'>[]) {
      size = { responses: size.responses - 1, bytes: size.bytes - bytes };
    }
  };
  return {
    find: (key) => {
      const row = tryToRead(() => select.get(key) as unknown as Row | undefined);
      return row && { body: createBody([Buffer.from(row.body)]), contentType: row.content_type, answeredAt: row.answered_at, tag: row.tag };
    },
    put: (key, { body, contentType, answeredAt, tag }) => {
      tryToWrite(() => {
        const before = sizeOf(key);
        insert.run(key, body.whole(), contentType, answeredAt, tag);
        const after = sizeOf(key);
        size = { responses: size.responses + after.responses - before.responses, bytes: size.bytes + after.bytes - before.bytes };
        while (size.bytes > maxBytes) evictOldest();
      });
    },
    size: () => size,
  };
}
