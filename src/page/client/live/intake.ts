import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { isInstant } from '#contract/exchange/instant.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { ApiResponse } from '#model/response.ts';
import { parseCacheStatus, type RawResponse, toVenueMillis } from '../http-client.ts';
import { ProblemError } from '../errors.ts';
import type { FollowedQuery, FollowedTopic, TopicMessage } from './live.ts';
import type { TopicReading } from './topic-copy.ts';
import { countDeviations, type DeviatingRow } from '#contract/parse/parse.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';

export interface IntakeDeps {
  readonly client: QueryClient;
  readonly find: (address: string) => FollowedQuery | undefined;
  /** The page has missed changes of a topic and needs all of it again. */
  readonly requestWhole: (address: string) => void;
  /** Calls back before the next animation frame is drawn. */
  readonly beforeFrame: (call: () => void) => void;
}

/** Puts pushed responses into the query cache, where screens find them as if they had been polled. */
export interface Intake {
  readonly receive: (message: TopicMessage) => void;
  /** Forgets the last response of a topic (or all): the next push does not build on it. */
  readonly forget: (address?: string) => void;
}

type Reading = Exclude<TopicMessage, { kind: 'failed' }>;

export function createIntake({ client, find, requestWhole, beforeFrame }: IntakeDeps): Intake {
  /** The last response put into each query. Changes apply only to this one. */
  const last = new Map<string, ApiResponse<unknown>>();
  let waiting: TopicMessage[] = [];

  const put = (message: Reading, topic: FollowedQuery): void => {
    const { address } = message;
    const response = toResponse(message, topic, last.get(address));
    if (response === null) {
      requestWhole(address);
      return;
    }
    if (message.kind === 'whole' && isOlder(response, topic.query.state.data)) {
      skip(topic, last);
      return;
    }
    last.set(address, response);
    client.setQueryData(topic.query.queryKey, response);
  };

  const apply = (message: TopicMessage): void => {
    const { address, receivedAt } = message;
    const topic = find(address);
    if (topic === undefined) return;
    if (message.kind === 'failed') {
      fail(topic, toProblemError(message), receivedAt);
      return;
    }
    try {
      put(message, topic);
    } catch (error) {
      // One response that violates the interface must not affect other topics.
      last.delete(address);
      fail(topic, error instanceof Error ? error : new Error(String(error)), receivedAt);
    }
  };

  const flush = (): void => {
    const messages = waiting;
    waiting = [];
    // Everything that arrived since the last frame is rendered once.
    notifyManager.batch(() => {
      for (const message of messages) apply(message);
    });
  };

  return {
    receive: (message) => {
      if (waiting.length === 0) beforeFrame(flush);
      waiting.push(message);
    },
    forget: (address) => {
      if (address === undefined) last.clear();
      else last.delete(address);
    },
  };
}

function skip({ query, live }: FollowedQuery, last: Map<string, unknown>): void {
  // The next changes apply to the skipped response, not to the one the page holds.
  last.delete(live.topic.address);
  // This notifies the query, which stops polling because its topic is pushed.
  query.setState(query.state);
}

/** Sets the error as if a poll had failed. */
function fail({ query }: FollowedQuery, error: Error, at: number): void {
  query.setState({
    status: 'error',
    error,
    errorUpdatedAt: at,
    errorUpdateCount: query.state.errorUpdateCount + 1,
    fetchStatus: 'idle',
    fetchFailureReason: error,
  });
}

/** Returns null if the page must be sent the whole response. */
function toResponse(
  message: Reading,
  {
    query: {
      state: { data },
    },
    live,
  }: FollowedQuery,
  last: ApiResponse<unknown> | undefined,
): ApiResponse<unknown> | null {
  const raw = toRaw(message);
  if (message.kind === 'whole') return live.read({ ...raw, text: message.text }, data);
  // A response polled in the meantime may be older or newer than the one the changes apply to.
  if (data === undefined || data !== last) return null;
  if (message.kind === 'same') return live.read(raw, data);
  return applyRows(data, live.read({ ...raw, text: message.text }), message.gone, live.topic);
}

function toRaw({ reading, receivedAt }: { readonly reading: TopicReading; readonly receivedAt: number }): RawResponse {
  const {
    answered_at: respondedAt = '',
    age_seconds: ageSeconds = null,
    cache_status: cacheStatus = null,
    venue_time: venueTime,
  } = reading;
  return {
    text: null,
    receivedAt,
    venueTime: toVenueMillis(venueTime),
    respondedAt: isInstant(respondedAt) ? respondedAt : null,
    ageSeconds,
    requestId: null,
    tag: null,
    cadence: { everySeconds: reading.every_seconds, sharedBy: reading.shared_by },
    ...parseCacheStatus(cacheStatus),
  };
}

/** Two measurements of the same age can differ by this much, or a clock may have been set back slightly. */
const TOLERANCE_MS = 10_000;

/**
 * A topic begins with its last reading, but the page may have polled since. The server's timestamps say which response
 * is newer. If they differ by much, the server's clock may have been set, so ages decide instead. Never applies to
 * stale responses.
 */
function isOlder(response: ApiResponse<unknown>, held: ApiResponse<unknown> | undefined): boolean {
  if (held === undefined || response.cache === 'stale') return false;
  const aheadMs = toServerTime(response) - toServerTime(held);
  if (Math.abs(aheadMs) < TOLERANCE_MS) return aheadMs < 0;
  // After this browser's clock was set back, ages cannot be compared.
  if (held.receivedAt > response.receivedAt) return false;
  return toReadTime(response) < toReadTime(held) - TOLERANCE_MS;
}

/** Returns when a response was read, by the server's clock; NaN if it does not say. */
function toServerTime({ respondedAt, value }: ApiResponse<unknown>): number {
  const readTo = (value as { readonly read_to?: string | null } | null)?.read_to;
  return Date.parse(readTo ?? respondedAt ?? '');
}

/** Returns when a response was read, by this browser's clock. */
function toReadTime({ receivedAt, ageSeconds }: ApiResponse<unknown>): number {
  return receivedAt - (ageSeconds ?? 0) * 1_000;
}

function toProblemError({ problem, receivedAt }: Extract<TopicMessage, { kind: 'failed' }>): ProblemError {
  const document = problem as ProblemDocument;
  return new ProblemError(document, receivedAt, document.retryAfter ?? null);
}

type Row = Readonly<Record<string, unknown>>;

type RowsPlace = Pick<FollowedTopic, 'key' | 'rowsField'>;

/**
 * Applies changed rows to a response and returns the result with the difference. Unchanged rows remain the same
 * objects. Returns null if the result might differ from the whole response, because some checks compare rows with each
 * other.
 *
 * @internal Exported for its test.
 */
export function applyRows<T>(
  previous: ApiResponse<T>,
  changes: ApiResponse<T>,
  gone: readonly string[],
  place: RowsPlace,
): ApiResponse<T> | null {
  const { key: keyField } = place;
  if (keyField === null || !isDivisible(previous, keyField) || !isDivisible(changes, keyField)) return null;
  const deviating = new Map([...deviatingOf(previous), ...deviatingOf(changes)].map((each) => [formOf(each), each]));
  const exchanged = new Map<unknown, Row | null>(gone.map((key) => [JSON.parse(key) as unknown, null]));
  for (const row of allRowsOf(changes, place)) exchanged.set(row[keyField], row);
  const from = allRowsOf(previous, place);
  const next = exchange(from, exchanged, keyField);
  if (next === null) return null;
  if (deviating.size > 0) return withDeviating(changes, next.rows, deviating, place);
  return { ...withRows(changes, next.rows, place), change: { from, diff: next.diff } };
}

/**
 * Returns null if a removed row is not in the list. Looks up each row only once, since every reading can have
 * thousands.
 */
function exchange(
  from: readonly Row[],
  exchanged: Map<unknown, Row | null>,
  keyField: string,
): { readonly rows: readonly Row[]; readonly diff: RowDiff<Row> } | null {
  const diff = { added: [] as Row[], changed: [] as (readonly [Row, Row])[], gone: [] as Row[] };
  if (exchanged.size === 0) return { rows: from, diff };
  const rows: Row[] = [];
  for (const row of from) {
    const now = exchanged.get(row[keyField]);
    if (now === undefined) {
      rows.push(row);
      continue;
    }
    exchanged.delete(row[keyField]);
    if (now === null) {
      diff.gone.push(row);
    } else {
      diff.changed.push([row, now]);
      rows.push(now);
    }
  }
  for (const added of exchanged.values()) {
    if (added === null) return null;
    diff.added.push(added);
    rows.push(added);
  }
  return { rows, diff };
}

function withRows<T>(response: ApiResponse<T>, rows: readonly Row[], { rowsField }: RowsPlace): ApiResponse<T> {
  return { ...response, value: (rowsField === null ? rows : { ...response.value, [rowsField]: rows }) as T };
}

/** A row's deviations do not depend on its position in the list, but their paths name it. */
function withDeviating<T>(
  response: ApiResponse<T>,
  rows: readonly Row[],
  deviating: ReadonlyMap<unknown, DeviatingRow>,
  place: RowsPlace,
): ApiResponse<T> {
  const deviatingRows = rows.flatMap((row, index) => {
    const found = deviating.get(row);
    return found === undefined ? [] : [moveTo(found, index)];
  });
  const setAside = deviatingRows.filter(({ used }) => used === null);
  const left = new Set<unknown>(setAside.map(({ row }) => row));
  return {
    ...withRows(
      response,
      rows.filter((row) => !left.has(row)),
      place,
    ),
    setAside: setAside.map(({ index, row, deviations }) => ({ index, row, deviations })),
    deviations: countDeviations(deviatingRows.flatMap(({ deviations }) => deviations)),
    deviatingRows,
  };
}

function moveTo({ deviations, ...row }: DeviatingRow, index: number): DeviatingRow {
  return {
    ...row,
    index,
    deviations: deviations.map(({ path, ...deviation }) => ({
      ...deviation,
      path: path.replace(/\[\d+\]/, `[${String(index)}]`),
    })),
  };
}

/** Returns whether each deviation concerns a single row that can be found by its key. */
function isDivisible({ setAside, deviations, deviatingRows }: ApiResponse<unknown>, keyField: string): boolean {
  if (deviatingRows === undefined) return setAside.length === 0 && deviations.length === 0;
  return deviatingRows.every(({ row }) => KEY_TYPES.has(typeof (row as Row | null)?.[keyField]));
}

const KEY_TYPES: ReadonlySet<string> = new Set(['string', 'number']);

function deviatingOf({ deviatingRows = [] }: ApiResponse<unknown>): readonly DeviatingRow[] {
  return deviatingRows;
}

/** Returns the object that represents a deviating row in the list of all rows. */
function formOf({ row, used }: DeviatingRow): unknown {
  return used ?? row;
}

/** Returns all rows, with those that were set aside in their original places. */
function allRowsOf({ value, setAside }: ApiResponse<unknown>, { rowsField }: RowsPlace): readonly Row[] {
  const used = (rowsField === null ? value : (value as Readonly<Record<string, unknown>>)[rowsField]) as readonly Row[];
  if (setAside.length === 0) return used;
  const asideAt = new Map(setAside.map(({ index, row }) => [index, row as Row]));
  const all: Row[] = [];
  for (const row of used) {
    pushAside(all, asideAt);
    all.push(row);
  }
  pushAside(all, asideAt);
  return all;
}

function pushAside(all: Row[], asideAt: ReadonlyMap<number, Row>): void {
  for (let row = asideAt.get(all.length); row !== undefined; row = asideAt.get(all.length)) all.push(row);
}
