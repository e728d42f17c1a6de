import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** A position between two rows: time, then id, both unsigned 64-bit integers. */
export type Position = readonly [time: bigint, id: bigint];

/** How the last page is marked, which differs between venues. `same`: an empty page that repeats the cursor. */
export type CursorEnd = 'same' | 'empty' | 'null' | 'absent';

/** `percent`: cursors are percent-encoded already, as on the real venue; encoding one again gives a 400. */
export type CursorEncoding = 'percent' | 'plain';

export interface CursorSettings {
  readonly encoding: CursorEncoding;
  readonly end: CursorEnd;
}

interface PageEnd {
  readonly count: number;
  readonly limit: number;
  readonly last: Position | null;
  /** The position that the page begins after. */
  readonly after: Position | null;
}

export interface Cursors {
  /** The position of a cursor. Refused where it was made elsewhere, or for another query, direction or credential. */
  readonly read: (text: string, query: string) => Position;
  /** The JSON of a page's `pagination`. */
  readonly pagination: (page: PageEnd, query: string) => string;
}

const FIRST_POSITION: Position = [0n, 0n];
const POSITION_BYTES = 16;
const MAC_BYTES = 16;

/** Cursors are authenticated with the key: changing it invalidates all earlier ones. */
export function createCursors(key: string, { encoding, end }: CursorSettings): Cursors {
  const seal = (position: Buffer, query: string): Buffer =>
    createHmac('sha256', key).update(position).update(query).digest().subarray(0, MAC_BYTES);

  const write = (position: Position, query: string): string => {
    const bytes = toBytes(position);
    const text = Buffer.concat([bytes, seal(bytes, query)]).toString('base64');
    return encoding === 'percent' ? encodeURIComponent(text) : text;
  };

  return {
    read: (text, query) => {
      const bytes = Buffer.from(text, 'base64');
      // Node ignores characters that are not base64, so the text must be the same when written again.
      if (bytes.length !== POSITION_BYTES + MAC_BYTES || bytes.toString('base64') !== text) throw invalidCursor();
      const position = bytes.subarray(0, POSITION_BYTES);
      if (!timingSafeEqual(seal(position, query), bytes.subarray(POSITION_BYTES))) throw invalidCursor();
      return [position.readBigUInt64BE(0), position.readBigUInt64BE(8)];
    },
    pagination: ({ count, limit, last, after }, query) => {
      if (end === 'same' || count >= limit)
        return JSON.stringify({ cursor: write(last ?? after ?? FIRST_POSITION, query) });
      return ENDS[end];
    },
  };
}

const ENDS = { empty: '{"cursor":""}', null: '{"cursor":null}', absent: '{}' } as const;

function toBytes([time, id]: Position): Buffer {
  const bytes = Buffer.alloc(POSITION_BYTES);
  bytes.writeBigUInt64BE(time, 0);
  bytes.writeBigUInt64BE(id, 8);
  return bytes;
}

function invalidCursor(): Refusal {
  return new Refusal(
    400,
    'cursor must be one from an earlier page of the same query, decoded once: it is not valid with other filters, another direction or another credential.',
  );
}
