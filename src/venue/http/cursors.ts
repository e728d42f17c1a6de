import { createHmac, timingSafeEqual } from 'node:crypto';
import { Refusal } from './refusal.ts';

/** A place between two rows: time, then id. Both fit into 64 bits without a sign. */
export type Position = readonly [time: bigint, id: bigint];

/** How the end of the data is told: no two venues do it alike. `same`: an empty page with the cursor that was sent. */
export type CursorEnd = 'same' | 'empty' | 'null' | 'absent';

/** `percent`: a cursor comes percent-encoded already, as on the real venue; encoding it once more gives a 400. */
export type CursorEncoding = 'percent' | 'plain';

export interface CursorSettings {
  readonly encoding: CursorEncoding;
  readonly end: CursorEnd;
}

interface PageEnd {
  readonly count: number;
  readonly limit: number;
  readonly last: Position | null;
  /** Where the page began. */
  readonly after: Position | null;
}

export interface Cursors {
  /** The place a cursor stands for. Refused where it was not made here, or for another query, direction or identity. */
  readonly read: (text: string, query: string) => Position;
  /** The JSON of a page's `pagination`. */
  readonly pagination: (page: PageEnd, query: string) => string;
}

const BEFORE_ALL: Position = [0n, 0n];
const PLACE_BYTES = 16;
const MAC_BYTES = 16;

/** Whoever has the key can make cursors; with another key, all that were handed out are void. */
export function createCursors(key: string, { encoding, end }: CursorSettings): Cursors {
  const seal = (place: Buffer, query: string): Buffer =>
    createHmac('sha256', key).update(place).update(query).digest().subarray(0, MAC_BYTES);

  const write = (place: Position, query: string): string => {
    const bytes = toBytes(place);
    const text = Buffer.concat([bytes, seal(bytes, query)]).toString('base64');
    return encoding === 'percent' ? encodeURIComponent(text) : text;
  };

  return {
    read: (text, query) => {
      const bytes = Buffer.from(text, 'base64');
      // Reading base64 passes over what is none: only what is written the same again was one of ours.
      if (bytes.length !== PLACE_BYTES + MAC_BYTES || bytes.toString('base64') !== text) throw notACursor();
      const place = bytes.subarray(0, PLACE_BYTES);
      if (!timingSafeEqual(seal(place, query), bytes.subarray(PLACE_BYTES))) throw notACursor();
      return [place.readBigUInt64BE(0), place.readBigUInt64BE(8)];
    },
    pagination: ({ count, limit, last, after }, query) => {
      if (end === 'same' || count >= limit)
        return JSON.stringify({ cursor: write(last ?? after ?? BEFORE_ALL, query) });
      return ENDS[end];
    },
  };
}

const ENDS = { empty: '{"cursor":""}', null: '{"cursor":null}', absent: '{}' } as const;

function toBytes([time, id]: Position): Buffer {
  const bytes = Buffer.alloc(PLACE_BYTES);
  bytes.writeBigUInt64BE(time, 0);
  bytes.writeBigUInt64BE(id, 8);
  return bytes;
}

function notACursor(): Refusal {
  return new Refusal(
    400,
    'cursor must be the cursor of an earlier page of the same query, decoded once: other filters, another direction or another key make it void.',
  );
}
