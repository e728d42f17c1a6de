import { notifyManager, type QueryClient } from '@tanstack/react-query';
import { isInstant } from '#contract/exchange/instant.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { ApiResponse } from '#model/response.ts';
import { parseCacheStatus } from '../cache-status.ts';
import { ProblemError } from '../errors.ts';
import { toVenueMillis, type RawResponse } from '../http-client.ts';
import type { FollowedQuery } from './following.ts';
import type { FollowedTopic, TopicMessage } from './protocol.ts';
import type { TopicReading } from './topic-book.ts';
import { countDeviations, type DeviatingRow } from '#contract/parse/parse.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';

export interface IntakeParts {
  readonly client: QueryClient;
  readonly find: (address: string) => FollowedQuery | undefined;
  /** The page has lost its place in a topic. */
  readonly requestWhole: (address: string) => void;
  /** Before the next frame is drawn. */
  readonly beforeFrame: (call: () => void) => void;
}

/** Puts what is pushed into the query cache, from where screens take it as if it had been polled. */
export interface Intake {
  readonly receive: (message: TopicMessage) => void;
  /** What is pushed next does not follow what was. */
  readonly forget: (address?: string) => void;
}

type Reading = Exclude<TopicMessage, { kind: 'failed' }>;

export function createIntake({ client, find, requestWhole, beforeFrame }: IntakeParts): Intake {
  /** The last response that was put into each query: changes apply to that one only. */
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
      // Not what the interface says: the other topics do not suffer from it.
      last.delete(address);
      fail(topic, error instanceof Error ? error : new Error(String(error)), receivedAt);
    }
  };

  const flush = (): void => {
    const messages = waiting;
    waiting = [];
    // All that arrived since the last frame is one rendering.
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
  // The changes that follow apply to what is skipped, and not to what the page has.
  last.delete(live.topic.address);
  // Notified, the query no longer polls: it is pushed all the same.
  query.setState(query.state);
}

/** As for one that was polled. */
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

/** Null where the page must be sent the whole response. */
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
  // What was polled in the meantime may be older or newer than what the changes apply to.
  if (data === undefined || data !== last) return null;
  if (message.kind === 'same') return live.read(raw, data);
  return applyRows(data, live.read({ ...raw, text: message.text }), message.gone, live.topic);
}

function toRaw({ reading, receivedAt }: { readonly reading: TopicReading; readonly receivedAt: number }): RawResponse {
  const {
    answered_at: answeredAt = '',
    age_seconds: ageSeconds = null,
    cache_status: cacheStatus = null,
    venue_time: venueTime,
  } = reading;
  return {
    text: null,
    receivedAt,
    venueTime: toVenueMillis(venueTime),
    answeredAt: isInstant(answeredAt) ? answeredAt : null,
    ageSeconds,
    requestId: null,
    tag: null,
    cadence: { everySeconds: reading.every_seconds, sharedBy: reading.shared_by },
    ...parseCacheStatus(cacheStatus),
  };
}

/** By so much, two measurements of one age may differ, or a clock may be set back a little. */
const TOLERANCE_MS = 10_000;

/**
 * A feed begins with what it had, but the page may have polled since. The gateway's times say which is newer, and ages where
 * its times differ by much: then its clock may have been set. Not said of what the gateway itself calls stale.
 */
function isOlder(response: ApiResponse<unknown>, held: ApiResponse<unknown> | undefined): boolean {
  if (held === undefined || response.cache === 'stale') return false;
  const aheadMs = toGatewayTime(response) - toGatewayTime(held);
  if (Math.abs(aheadMs) < TOLERANCE_MS) return aheadMs < 0;
  // Not told by a clock of this browser that was set back.
  if (held.receivedAt > response.receivedAt) return false;
  return toReadTime(response) < toReadTime(held) - TOLERANCE_MS;
}

/** When it was read, by the gateway's clock; NaN where it does not say. */
function toGatewayTime({ answeredAt, value }: ApiResponse<unknown>): number {
  const readTo = (value as { readonly read_to?: string | null } | null)?.read_to;
  return Date.parse(readTo ?? answeredAt ?? '');
}

/** By this browser's clock. */
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
 * The response after some of its rows changed, and how it came about; all other rows stay the same objects. Null where that
 * is not certain to be what the whole response would give: some of its checks compare rows with one another.
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

/** Null where a row is to go that is not there. One look-up for each row: there are thousands, with every reading. */
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

/** What a row deviates in does not change with its place in the list, which its deviations name. */
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

/** Whether all that deviates are rows by themselves, and each can be found again. */
function isDivisible({ setAside, deviations, deviatingRows }: ApiResponse<unknown>, keyField: string): boolean {
  if (deviatingRows === undefined) return setAside.length === 0 && deviations.length === 0;
  return deviatingRows.every(({ row }) => KEY_TYPES.has(typeof (row as Row | null)?.[keyField]));
}

const KEY_TYPES: ReadonlySet<string> = new Set(['string', 'number']);

function deviatingOf({ deviatingRows = [] }: ApiResponse<unknown>): readonly DeviatingRow[] {
  return deviatingRows;
}

/** The object that stands for it in the list of all rows. */
function formOf({ row, used }: DeviatingRow): unknown {
  return used ?? row;
}

/** Those that are set aside in their places. */
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
