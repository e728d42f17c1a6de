import { createBody } from '../body.ts';
import type { Disk } from '../disk.ts';
import type { VenueAnswer } from '../ports.ts';

/** Answers that never change again, on disk: read once, then never again, restarts included. */
export interface Kept {
  readonly find: (key: string) => VenueAnswer | undefined;
  /** As far as there is room for it. */
  readonly keep: (key: string, answer: VenueAnswer) => void;
  readonly size: () => Size;
}

interface Size {
  readonly answers: number;
  readonly bytes: number;
}

interface Row {
  readonly body: Uint8Array;
  readonly content_type: string;
  readonly answered_at: number;
  readonly tag: string;
}

// The body stands before the time: without the index, to find the oldest would be to read every body.
const SCHEMA = `
  create table if not exists kept_answer (
    key text primary key, body blob not null, content_type text not null, answered_at integer not null, tag text not null
  ) without rowid;
  create index if not exists kept_answer_age on kept_answer (answered_at)`;

/** What an answer takes beside its key and its body: the other columns, its place in the index, what pages leave empty. */
const ROW_BYTES = 256;
const BYTES = `${String(ROW_BYTES)} + length(key) + length(body)`;
const DROPPED_AT_ONCE = 100;

/** The oldest are forgotten first when there is more than `mostBytes`. */
export function createKept({ database, tryToRead, tryToWrite }: Disk, mostBytes: number): Kept {
  database.exec(SCHEMA);
  const select = database.prepare('select body, content_type, answered_at, tag from kept_answer where key = ?');
  const measure = database.prepare(`select count(*) as answers, coalesce(sum(${BYTES}), 0) as bytes from kept_answer where key = ?`);
  const insert = database.prepare('insert or replace into kept_answer (key, body, content_type, answered_at, tag) values (?, ?, ?, ?, ?)');
  const drop = database.prepare(
    `delete from kept_answer where key in (select key from kept_answer order by answered_at limit ${String(DROPPED_AT_ONCE)}) returning ${BYTES} as bytes`,
  );
  const total = database.prepare(`select count(*) as answers, coalesce(sum(${BYTES}), 0) as bytes from kept_answer`);
  // To count them each time would be to go through the whole file.
  let size = total.get() as unknown as Size;
  const sizeOf = (key: string): Size => measure.get(key) as unknown as Size;
  const dropOldest = (): void => {
    const dropped = drop.all() as unknown as readonly Pick<Size, 'bytes'>[];
    for (const { bytes } of dropped) size = { answers: size.answers - 1, bytes: size.bytes - bytes };
    // Another desk has the same file open, and has dropped them already.
    if (dropped.length === 0) size = total.get() as unknown as Size;
  };
  return {
    find: (key) => {
      const row = tryToRead(() => select.get(key) as unknown as Row | undefined);
      return row && { body: createBody([Buffer.from(row.body)]), contentType: row.content_type, answeredAt: row.answered_at, tag: row.tag };
    },
    keep: (key, { body, contentType, answeredAt, tag }) => {
      tryToWrite(() => {
        const before = sizeOf(key);
        insert.run(key, body.whole(), contentType, answeredAt, tag);
        const after = sizeOf(key);
        size = { answers: size.answers + after.answers - before.answers, bytes: size.bytes + after.bytes - before.bytes };
        while (size.bytes > mostBytes) dropOldest();
      });
    },
    size: () => size,
  };
}
