import { createBody } from '../body.ts';
import type { Disk } from '../disk.ts';
import type { VenueAnswer } from '../ports.ts';

/** Answers that never change again, on disk: read once, then never again, restarts included. */
export interface Kept {
  readonly find: (key: string) => VenueAnswer | undefined;
  /** As far as there is room for it. */
  readonly keep: (key: string, answer: VenueAnswer) => void;
  readonly size: () => { readonly answers: number; readonly bytes: number };
}

interface Row {
  readonly body: Uint8Array;
  readonly content_type: string;
  readonly answered_at: number;
  readonly tag: string;
}

const SCHEMA = `
  create table if not exists kept_answer (
    key text primary key, body blob not null, content_type text not null, answered_at integer not null, tag text not null
  ) without rowid`;

/** The oldest are forgotten first when there is more than `mostBytes`. */
export function createKept({ database, tryToWrite }: Disk, mostBytes: number): Kept {
  database.exec(SCHEMA);
  const select = database.prepare('select body, content_type, answered_at, tag from kept_answer where key = ?');
  const insert = database.prepare('insert or replace into kept_answer (key, body, content_type, answered_at, tag) values (?, ?, ?, ?, ?)');
  const total = database.prepare('select count(*) as answers, coalesce(sum(length(body)), 0) as bytes from kept_answer');
  const drop = database.prepare('delete from kept_answer where key in (select key from kept_answer order by answered_at limit 100)');
  const size = () => total.get() as unknown as { readonly answers: number; readonly bytes: number };
  let { bytes } = size();
  return {
    find: (key) => {
      const row = select.get(key) as unknown as Row | undefined;
      return row && { body: createBody([Buffer.from(row.body)]), contentType: row.content_type, answeredAt: row.answered_at, tag: row.tag };
    },
    keep: (key, { body, contentType, answeredAt, tag }) => {
      tryToWrite(() => {
        insert.run(key, body.whole(), contentType, answeredAt, tag);
        bytes += body.byteLength;
        while (bytes > mostBytes && drop.run().changes > 0) bytes = size().bytes;
      });
    },
    size,
  };
}
