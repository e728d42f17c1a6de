import type { Read, Row, Step } from '#sql/driver.ts';
import { createBody } from '#server/core/body.ts';
import type { VenueResponse } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { keptAnswers } from '#server/store/tables.ts';

/** Responses that can never change again, in the store: read from the exchange once, restarts included. */
export interface DiskCache {
  readonly find: (key: string) => Promise<VenueResponse | undefined>;
  /** Stored if there is room for it. */
  readonly put: (key: string, response: VenueResponse) => Promise<void>;
  readonly size: () => Size;
}

interface Size {
  readonly responses: number;
  readonly bytes: number;
}

/** Beside key and body: the other columns, the index entry, and the free space that pages leave. */
const ROW_BYTES = 256;
const BYTES = `${String(ROW_BYTES)} + length(key) + length(body)`;
/** PostgreSQL refuses longer ones. */
const MAX_KEY_LENGTH = 2_000;
const EVICTED_AT_ONCE = 100;

const total: Read = {
  name: 'size of cache',
  sql: `SELECT count(*), coalesce(sum(${BYTES}), 0) FROM kept_answer`,
  values: [],
};
const oldest: Read = {
  name: 'oldest responses',
  sql: `SELECT key, ${BYTES} FROM kept_answer WHERE key IN (SELECT key FROM kept_answer ORDER BY answered_at LIMIT ${String(EVICTED_AT_ONCE)})`,
  values: [],
};
const find = (key: string): Read => ({
  name: 'cached response',
  sql: 'SELECT body, content_type, answered_at, tag FROM kept_answer WHERE key = $1',
  values: [key],
});
const measure = (key: string): Read => ({
  name: 'size of response',
  sql: `SELECT count(*), coalesce(sum(${BYTES}), 0) FROM kept_answer WHERE key = $1`,
  values: [key],
});

/** Evicts the oldest responses when there is more than `maxBytes`. */
export async function openDiskCache(
  { dialect, read, tryToRead, tryToWrite }: Store,
  maxBytes: number,
): Promise<DiskCache> {
  // Counting again each time would read the whole table.
  let size = toSize(await read((store) => store.read(total)));
  const grow = (by: Size, sign: 1 | -1): void => {
    size = { responses: size.responses + sign * by.responses, bytes: size.bytes + sign * by.bytes };
  };
  const remove = (keys: readonly string[]): Step => ({
    name: 'evict responses',
    sql: `DELETE FROM kept_answer WHERE ${dialect.isAmong('key', 1, 'text')}`,
    values: [keys],
  });
  return {
    find: async (key) => {
      const rows = await tryToRead((store) => store.read(find(key)));
      return rows?.[0] && toResponse(rows[0]);
    },
    put: (key, response) =>
      tryToWrite(async (store) => {
        if (key.length > MAX_KEY_LENGTH) return;
        const before = toSize(await store.read(measure(key)));
        await store.write([{ table: keptAnswers, rows: [toRow(key, response)] }]);
        grow(before, -1);
        grow({ responses: 1, bytes: ROW_BYTES + key.length + response.body.byteLength }, 1);
        while (size.bytes > maxBytes) {
          const evicted = await store.read(oldest);
          if (evicted.length === 0) return;
          await store.write([remove(evicted.map(([evictedKey]) => String(evictedKey)))]);
          for (const [, bytes] of evicted) grow({ responses: 1, bytes: Number(bytes) }, -1);
        }
      }),
    size: () => size,
  };
}

function toSize([row = []]: readonly Row[]): Size {
  return { responses: Number(row[0]), bytes: Number(row[1]) };
}

function toRow(key: string, { body, contentType, answeredAt, tag }: VenueResponse): Row {
  return [key, body.whole(), contentType, Math.round(answeredAt), tag];
}

function toResponse([body, contentType, answeredAt, tag]: Row): VenueResponse {
  return {
    body: createBody([Buffer.from(body as Uint8Array)]),
    contentType: String(contentType),
    answeredAt: Number(answeredAt),
    tag: String(tag),
  };
}
