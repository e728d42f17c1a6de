import type { SettledRule } from '#contract/exchange/endpoints.ts';
import { parseInstant, toEpochMillis } from '#contract/exchange/instant.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { Read, Step, Row as StoreRow } from '#sql/driver.ts';
import { createBody } from '#server/core/body.ts';
import type { VenueRequest, VenueResponse } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import { keptAnswers } from '#server/store/tables.ts';
import { setBounded } from '#server/core/maps.ts';
import { parseRows, type Row, toRowCheck } from '#server/core/rows.ts';
import { type Problem, VenueFailure } from '#server/core/venue-failure.ts';

/**
 * Cached responses: in memory for as long as the endpoint table allows, on disk for good if they can never change
 * again.
 */
export interface ResponseCache {
  /**
   * Finds a fresh response in memory, or a settled one on disk, which then stays in memory. Rejects with a rejection
   * that would be repeated.
   */
  readonly find: (request: VenueRequest) => Promise<CachedResponse | undefined>;
  /** Finds a response of any age. */
  readonly findStale: (request: VenueRequest) => VenueResponse | undefined;
  /** Returns the response to use: with the cached body and tag, if the same bytes came again. */
  readonly put: (request: VenueRequest, response: VenueResponse) => VenueResponse;
  readonly putRejection: (request: VenueRequest, rejection: Problem) => void;
}

interface ResponseCacheDeps {
  readonly memoryCache: MemoryCache;
  readonly diskCache: DiskCache;
  readonly keyOf: (request: VenueRequest) => string;
  readonly now: () => number;
  /** Converts our time to the exchange’s, as far as its clock is known. */
  readonly toVenueTime: (at: number) => number;
}

/** A rejection that the exchange would repeat. */
interface Rejection {
  readonly problem: Problem;
  readonly at: number;
}

/** Limited, since the exchange may later accept the request. */
const MAX_REJECTION_SECONDS = 60;
const MAX_REJECTIONS = 1_000;
/** How long a response is used while its state stays the same. After that, it is read again, to find revisions. */
const UNCHANGED_SECONDS = 6 * 3_600;

/**
 * Combines memory, which serves one exchange and one identity, with the disk, which may hold those of several, so
 * `keyOf` includes them.
 */
export function createResponseCache({
  memoryCache,
  diskCache,
  keyOf,
  now,
  toVenueTime,
}: ResponseCacheDeps): ResponseCache {
  const isFinal = (request: VenueRequest, response: VenueResponse): boolean =>
    isSettled(request, response, toVenueTime(response.respondedAt));
  const toCached = (request: VenueRequest, response: VenueResponse): CachedResponse => ({
    response,
    isSettled: isFinal(request, response),
    state:
      request.state !== undefined && isSound(request, response, toVenueTime(response.respondedAt))
        ? request.state
        : undefined,
  });
  // Kept separately from the last response, which may be all there is during an outage.
  const rejections = new Map<string, Rejection>();
  const findStale = ({ target }: VenueRequest): VenueResponse | undefined => memoryCache.find(target)?.response;
  const findInMemory = (request: VenueRequest): CachedResponse | undefined => {
    const rejection = rejections.get(request.target);
    if (rejection !== undefined && isRepeated(rejection, request, now())) throw new VenueFailure(rejection.problem);
    const cached = memoryCache.find(request.target);
    return cached !== undefined && isUsable(cached, request, now()) ? cached : undefined;
  };
  return {
    findStale,
    find: async (request) => {
      const inMemory = findInMemory(request);
      // Nothing else can be on disk.
      const mayBeOnDisk = request.state !== undefined || isLongOver(request, toVenueTime(now()));
      if (inMemory !== undefined || !mayBeOnDisk) return inMemory;
      const response = await diskCache.find(keyOf(request));
      // Meanwhile, another caller may have read it from the exchange.
      const newer = findInMemory(request);
      if (newer !== undefined) return newer;
      if (response === undefined) return undefined;
      const cached = toCached(request, response);
      if (!isUsable(cached, request, now())) return undefined;
      memoryCache.put(request.target, cached);
      return cached;
    },
    put: (request, fresh) => {
      const old = findStale(request);
      // Equal bytes are stored once, compressed once, and revalidate as unchanged in the browser.
      const response = old?.body.equals(fresh.body) === true ? { ...fresh, body: old.body, tag: old.tag } : fresh;
      const cached = toCached(request, response);
      memoryCache.put(request.target, cached);
      rejections.delete(request.target);
      if (cached.isSettled || cached.state !== undefined) void diskCache.put(keyOf(request), response);
      return response;
    },
    putRejection: ({ target }, problem) => {
      setBounded(rejections, target, { problem, at: now() }, MAX_REJECTIONS);
    },
  };
}

/** Returns the seconds for which a response is still fresh; negative when stale. */
export function freshSeconds(
  { endpoint: { reuseSeconds } }: VenueRequest,
  { respondedAt, heldMs = 0 }: VenueResponse,
  now: number,
): number {
  // An intermediate cache that held the response longer than that has nothing newer, however often it is read.
  const isHeldTooLong = heldMs >= reuseSeconds * 1_000;
  return secondsLeft(reuseSeconds, isHeldTooLong ? respondedAt + heldMs : respondedAt, now);
}

function secondsLeft(reuseSeconds: number, respondedAt: number, now: number): number {
  // The clock was set back since, so the age is unknown.
  if (respondedAt > now) return -1;
  return reuseSeconds - (now - respondedAt) / 1_000;
}

function isUsable(
  { response, isSettled: isAlwaysValid, state }: CachedResponse,
  request: VenueRequest,
  now: number,
): boolean {
  const isUnchanged = state !== undefined && state === request.state;
  return (
    isAlwaysValid ||
    freshSeconds(request, response, now) > 0 ||
    (isUnchanged && secondsLeft(UNCHANGED_SECONDS, response.respondedAt, now) > 0)
  );
}

function isRepeated({ at }: Rejection, { endpoint: { reuseSeconds } }: VenueRequest, now: number): boolean {
  return secondsLeft(Math.min(reuseSeconds, MAX_REJECTION_SECONDS), at, now) > 0;
}

/** Whether the requested range has both ends, and ended as long ago as the endpoint table requires. */
function isLongOver({ endpoint: { settled }, query }: VenueRequest, now: number): boolean {
  if (settled === null) return false;
  const end = endOf(query);
  return end !== null && end + settled.afterSeconds * 1_000 <= now;
}

/**
 * Whether the response can never change again. A past range is not enough: the exchange may publish late.
 *
 * @internal Exported for its test: the rule has many cases.
 */
export function isSettled(request: VenueRequest, response: VenueResponse, respondedAt: number): boolean {
  const { settled, rows } = request.endpoint;
  if (settled === null || rows.timeField === null) return false;
  const end = endOf(request.query);
  if (end === null || !isLongOver(request, respondedAt) || !namesProduct(request.query, settled)) return false;
  return (
    isSound(request, response, respondedAt) &&
    reaches(end, { ...settled, timeField: rows.timeField }, parseRows(response))
  );
}

function namesProduct(query: VenueRequest['query'], { namedBy }: SettledRule): boolean {
  return namedBy.length === 0 || query.some(([name]) => namedBy.includes(name));
}

function endOf(query: VenueRequest['query']): number | null {
  const values = new Map(query);
  const end = parseInstant(values.get('end_time') ?? '');
  return end === null || !values.has('begin_time') ? null : toEpochMillis(end);
}

/** Whether the rows reach the requested end, and the newest of them is complete. */
function reaches(
  end: number,
  { timeField, everySeconds, lateFields }: SettledRule & { readonly timeField: string },
  rows: readonly Row[],
): boolean {
  const timeOf = (row: Row): number => Date.parse(String(row[timeField]));
  const newest = rows.reduce((latest, row) => Math.max(latest, timeOf(row)), -Infinity);
  const isLastThere = end - newest <= everySeconds * 1_000;
  return isLastThere && rows.every((row) => timeOf(row) < newest || lateFields.every((field) => row[field] !== null));
}

/** Whether the response matches its schema and the request: a maintenance notice may be well-formed JSON too. */
function isSound(request: VenueRequest, { body }: VenueResponse, respondedAt: number): boolean {
  const { value, setAside } = createParser(request.endpoint.response).tolerant(
    body.toString(),
    toRowCheck(request, respondedAt),
  );
  return value !== null && setAside.length === 0;
}

interface CachedResponse {
  readonly response: VenueResponse;
  /** Whether it stays valid at any age. */
  readonly isSettled: boolean;
  /** The state of its request when it was read; undefined if it has none, or if the response is not sound. */
  readonly state?: string | undefined;
}

interface CacheSize {
  readonly responses: number;
  readonly bytes: number;
}

export interface MemoryCache {
  readonly find: (key: string) => CachedResponse | undefined;
  readonly put: (key: string, entry: CachedResponse) => void;
  readonly size: () => CacheSize;
}

/** The overhead of an entry: many consist of a key and two bytes. */
const ENTRY_BYTES = 512;

/**
 * Caches at most `maxBytes` in two generations: when the young one fills half the budget, it becomes the old one, and
 * the former old one is dropped; entries used again move to the young one. Evicting entries one by one would keep them
 * from the garbage collector, because a Map that shrinks and grows forever retains them.
 */
export function createMemoryCache(maxBytes: number): MemoryCache {
  let young = createGeneration();
  let old = createGeneration();
  const put: MemoryCache['put'] = (key, entry) => {
    old.drop(key);
    young.drop(key);
    const size = sizeOf(key, entry);
    if (size > maxBytes) return;
    if (young.bytes() + size > maxBytes / 2) {
      old = young;
      young = createGeneration();
    }
    if (old.bytes() + young.bytes() + size > maxBytes) old = createGeneration();
    young.put(key, entry);
  };
  return {
    find: (key) => {
      const entry = young.find(key);
      if (entry !== undefined) return entry;
      const older = old.find(key);
      if (older !== undefined) put(key, older);
      return older;
    },
    put,
    size: () => ({
      responses: young.count() + old.count(),
      bytes: young.bytes() + old.bytes(),
    }),
  };
}

function createGeneration() {
  const entries = new Map<string, CachedResponse>();
  let bytes = 0;
  return {
    find: (key: string) => entries.get(key),
    put: (key: string, entry: CachedResponse): void => {
      entries.set(key, entry);
      bytes += sizeOf(key, entry);
    },
    drop: (key: string): void => {
      const entry = entries.get(key);
      if (entry === undefined) return;
      entries.delete(key);
      bytes -= sizeOf(key, entry);
    },
    count: () => entries.size,
    bytes: () => bytes,
  };
}

function sizeOf(key: string, { response }: CachedResponse): number {
  return ENTRY_BYTES + key.length + response.body.byteLength;
}

/** Stored responses that can never change again: read from the exchange only once, even across restarts. */
export interface DiskCache {
  readonly find: (key: string) => Promise<VenueResponse | undefined>;
  /** Stores a response if there is space for it. */
  readonly put: (key: string, response: VenueResponse) => Promise<void>;
  readonly size: () => CacheSize;
}

/** The size of a row without key and body: the other columns, the index entry, and free space in pages. */
const ROW_BYTES = 256;
const BYTES = `${String(ROW_BYTES)} + length(key) + length(body)`;
/** PostgreSQL rejects longer ones. */
const MAX_KEY_LENGTH = 2_000;
const EVICTED_AT_ONCE = 100;
const COUNTED_EVERY = 100;

const total: Read = {
  name: 'size of cache',
  sql: `SELECT count(*), coalesce(sum(${BYTES}), 0) FROM kept_answer`,
  values: [],
};
const oldest: Read = {
  name: 'oldest responses',
  sql:
    `SELECT key, ${BYTES} FROM kept_answer WHERE key IN (SELECT key FROM kept_answer ORDER BY ` +
    `answered_at LIMIT ${String(EVICTED_AT_ONCE)})`,
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

/** Opens the cache, which evicts the oldest responses when it exceeds `maxBytes`. */
export async function openDiskCache(
  { dialect, isShared, read, tryToRead, tryToWrite }: Store,
  maxBytes: number,
): Promise<DiskCache> {
  // Tracked in memory: counting each time would read the whole table.
  let size = toSize(await read((store) => store.read(total)));
  let puts = 0;
  const grow = (by: CacheSize, sign: 1 | -1): void => {
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
        puts += 1;
        // Other desks add to it and evict from it too.
        if (isShared && (puts % COUNTED_EVERY === 0 || size.bytes > maxBytes)) size = toSize(await store.read(total));
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

function toSize([row = []]: readonly StoreRow[]): CacheSize {
  return { responses: Number(row[0]), bytes: Number(row[1]) };
}

function toRow(key: string, { body, contentType, respondedAt, tag }: VenueResponse): StoreRow {
  return [key, body.whole(), contentType, Math.round(respondedAt), tag];
}

function toResponse([body, contentType, respondedAt, tag]: StoreRow): VenueResponse {
  return {
    body: createBody([Buffer.from(body as Uint8Array)]),
    contentType: String(contentType),
    respondedAt: Number(respondedAt),
    tag: String(tag),
  };
}
