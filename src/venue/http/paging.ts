import type { EndpointName } from '#contract/exchange/endpoints.ts';
import { DEFAULT_LIMIT } from '#contract/exchange/parameters.ts';
import type { Credential } from './authenticate.ts';
import { createHmac, timingSafeEqual } from 'node:crypto';
import { Rejection } from './response.ts';

type PagedName = Extract<EndpointName, 'orders' | 'fundingRates'>;

interface PagedRequest {
  readonly query: Readonly<Partial<Record<string, readonly string[]>>>;
  readonly identity: Credential | null;
}

export interface Paging {
  readonly limit: number;
  readonly direction: 'asc' | 'desc';
  readonly after: Position | null;
  /** Returns the page's `pagination`, as JSON. */
  readonly toPagination: (page: { readonly count: number; readonly last: Position | null }) => string;
}

/**
 * Reads the paging of a request. A cursor is bound to its credential, filters and direction; the page size may change
 * between pages.
 */
export function readPaging(name: PagedName, { query, identity }: PagedRequest, cursors: Cursors): Paging {
  const { limit, cursor, order, ...filters } = query;
  const direction = order?.[0] === 'asc' ? 'asc' : 'desc';
  const owner = JSON.stringify([name, identity?.connectionId, direction, Object.entries(filters).sort()]);
  const after = cursor?.[0] === undefined ? null : cursors.read(cursor[0], owner);
  const size = Number(limit?.[0] ?? DEFAULT_LIMIT);
  return {
    limit: size,
    direction,
    after,
    toPagination: ({ count, last }) => cursors.pagination({ count, last, limit: size, after }, owner),
  };
}

/** A position between two rows: a time, then an id, both unsigned 64-bit integers. */
export type Position = readonly [time: bigint, id: bigint];

/** How the last page is marked, which differs between exchanges. `same`: an empty page that repeats the cursor. */
export type CursorEnd = 'same' | 'empty' | 'null' | 'absent';

/** `percent`: cursors are already percent-encoded, as on the real exchange, so encoding one again gives a 400. */
export type CursorEncoding = 'percent' | 'plain';

export interface CursorSettings {
  readonly encoding: CursorEncoding;
  readonly end: CursorEnd;
}

interface PageEnd {
  readonly count: number;
  readonly limit: number;
  readonly last: Position | null;
  /** The position after which the page begins. */
  readonly after: Position | null;
}

export interface Cursors {
  /** Returns the position of a cursor. Rejects one made elsewhere, or for another query, direction or credential. */
  readonly read: (text: string, query: string) => Position;
  /** Returns a page's `pagination`, as JSON. */
  readonly pagination: (page: PageEnd, query: string) => string;
}

const FIRST_POSITION: Position = [0n, 0n];
const POSITION_BYTES = 16;
const MAC_BYTES = 16;

/** Creates cursors that are authenticated with the key: changing the key invalidates all earlier ones. */
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
      // Node ignores characters that are not base64, so the bytes must encode to the same text.
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

function invalidCursor(): Rejection {
  return new Rejection(
    400,
    'cursor must be one from an earlier page of the same query, decoded once: it is not valid with other ' +
      'filters, another direction or another credential.',
  );
}
