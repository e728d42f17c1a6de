import { crc32 } from 'node:zlib';
import { formatChecksum, joinFields, splitFields, toFieldText, toTerm } from '#contract/parse/json-split.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import { cutAtList, cutRows, exactChange, fieldOf } from '#contract/parse/row-texts.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { Topic } from '#contract/desk/topics.ts';
import { copyOf, type KeyedRow, type ListStep, NO_ROWS, type RowList, stepFrom } from '#server/core/row-list.ts';
import { formatAge, formatCacheStatus } from '#server/web/send-response.ts';
import type { Provenance } from '#server/core/ports.ts';
import { type Cursor, type Message, joinMessages, type Tick, toEvent, toMessage, toLine } from './messages.ts';

interface Cadence {
  readonly everySeconds: number;
  /** The number of streams that share the reading. */
  readonly sharedBy: number;
}

export interface FeedDeps {
  /** The topic with its parameters, as clients name it. */
  readonly address: string;
  readonly topic: Topic;
  readonly rowsField: string | null;
  readonly cadence: () => Cadence;
  /** Returns the next tick when the state changes, so that ticks are in the order of the changes. */
  readonly nextCursor: () => Cursor;
  /** By default, it always is. */
  readonly isSettled?: Feed['isSettled'];
  readonly now: () => number;
  /** The exchange’s time; null while it is unknown. */
  readonly venueNow: () => number | null;
}

/** Where a reading stands among all readings, for one that another desk may have too. */
export interface Place {
  /** Called when the state changes. */
  readonly cursor: () => Cursor;
  /** Whether this feed lacks readings before it, which streams of other desks may have been sent. */
  readonly isAfterGap: boolean;
}

/** The current state of one topic and its recent changes: what each stream still has to be sent. */
export interface Feed {
  /** The tick of the last reading, including failed ones; null before the first. */
  readonly tick: () => Tick | null;
  /** The last response; null before the first. */
  readonly text: () => string | null;
  /** The last response with its source, and why the last reading failed; null before the first. */
  readonly last: () => LastReading | null;
  readonly cadence: () => Cadence;
  /** Whether it has all readings up to the current cursor, or up to this earlier one. */
  readonly isSettled: (earlier?: Tick) => boolean;
  readonly update: (response: TopicResponse, place?: Place) => Promise<void>;
  readonly fail: (problem: ProblemDocument, place?: Place) => Promise<void>;
  /** For streams that have the reading before: made once for all of them. */
  readonly latest: () => Latest | null;
  /** For any other stream: what follows the state of that tick, or everything. */
  readonly catchUp: (held: Tick | null) => Promise<CaughtUp>;
}

export interface LastReading {
  readonly cursor: Cursor;
  /** The tick of the reading before it; null if there was none, or some are missing in between. */
  readonly before: Tick | null;
  readonly data: Pick<Data, 'text' | 'step' | 'provenance' | 'readAt'> | null;
  /** The tick of the reading that the data are from. */
  readonly readTick: Tick | null;
  /** Why the last reading failed. */
  readonly problem: ProblemDocument | null;
}

interface Latest {
  readonly from: Tick;
  readonly frame: Message;
  /** With the cursor, for streams that have all of their other topics too. */
  readonly withCursor: (entitlement: string) => Message;
}

interface CaughtUp {
  readonly tick: Tick | null;
  /** Not joined: all streams share one snapshot, which joining would copy for each. */
  readonly frames: readonly Message[];
}

type Fields = ReadonlyMap<string, string>;

/** The last reading. Values are JSON texts. */
interface Data {
  readonly text: string;
  /** The difference, if the reading came with one. */
  readonly step: ListStep | undefined;
  readonly fields: Fields;
  readonly rows: string | null;
  /** Null if the response has no rows, or two rows share a key. */
  readonly list: RowList | null;
  /** The checksum of the rows; 0 without any. */
  readonly rowSum: number;
  /** What clients verify their state with: made once for all streams. */
  readonly check: Check;
  readonly provenance: Provenance | undefined;
  /** In epoch milliseconds. */
  readonly readAt: number;
}

/** Without rows, there is no count. */
interface Check {
  readonly row_count?: number;
  readonly checksum: string;
}

interface State extends LastReading {
  readonly data: Data | null;
}

/** The step from one state to the next. */
interface Change {
  readonly data: Data;
  readonly fields: Fields;
  /** Null if only a snapshot leads there. */
  readonly diffs: ReadonlyMap<string, WireDiff> | null;
}

export function createFeed(deps: FeedDeps): Feed {
  const log = createChangeLog();
  const here: Place = { cursor: deps.nextCursor, isAfterGap: false };
  let state: State | null = null;
  let latest: Latest | null = null;
  let snapshot: Promise<Message> | null = null;

  /** `deltas` are null if only a snapshot leads there. */
  const commit = (
    place: Place,
    next: Pick<State, 'data' | 'problem'>,
    deltas: readonly Message[] | null,
    end: Message,
  ): void => {
    const cursor = place.cursor();
    logChange(log, cursor.tick, deltas, place.isAfterGap ? (state?.cursor.tick ?? null) : null);
    latest = toLatest(state, deltas && [...deltas, end], cursor);
    if (next.data !== state?.data) snapshot = null;
    state = toState(state, next, cursor, place);
  };

  const takeSnapshot = (data: Data): Promise<Message> => (snapshot ??= toMessage(describeSnapshot(deps.address, data)));

  const takeRead = async (data: Data, held: Tick | null): Promise<readonly Message[]> => {
    const changes = held === null ? null : log.after(held);
    const rows = changes ?? [await takeSnapshot(data)];
    // A snapshot includes the fields.
    return [...rows, await toMessage(describeRead(deps, data, changes === null ? NO_FIELDS : data.fields))];
  };

  return {
    tick: () => state?.cursor.tick ?? null,
    text: () => state?.data?.text ?? null,
    last: () => state,
    cadence: deps.cadence,
    isSettled: deps.isSettled ?? (() => true),
    latest: () => latest,
    update: async (response, place = here) => {
      const { data, fields, diffs } = toChange(deps, state?.data ?? null, response);
      const deltas = diffs === null ? null : await toDeltas(deps.address, diffs);
      const read = await toMessage(describeRead(deps, data, fields));
      commit(place, { data, problem: null }, deltas, read);
    },
    fail: async (problem, place = here) => {
      const failed = await toMessage(describeFailure(deps.address, problem));
      commit(place, { data: state?.data ?? null, problem }, [], failed);
    },
    catchUp: async (held) => {
      const from = state;
      if (from === null) return { tick: null, frames: [] };
      const { cursor, data, readTick, problem } = from;
      // A failure is sent with the data read before it, which keep their age, unless the stream already has them.
      const hasRead = problem !== null && held !== null && held >= (readTick ?? 0);
      const read = data === null || hasRead ? [] : await takeRead(data, held);
      const failed = problem === null ? [] : [await toMessage(describeFailure(deps.address, problem))];
      return { tick: cursor.tick, frames: [...read, ...failed] };
    },
  };
}

/** Returns what to send to streams that have the state before; null if there is no way from there. */
function toLatest(before: State | null, messages: readonly Message[] | null, cursor: Cursor): Latest | null {
  if (before === null || messages === null) return null;
  const frame = joinMessages(messages);
  const joined = new Map<string, Message>();
  return {
    from: before.cursor.tick,
    frame,
    // Joined once for all streams with one entitlement.
    withCursor: (entitlement) => {
      const message = joined.get(entitlement) ?? joinMessages([frame, cursor.frameFor(entitlement)]);
      joined.set(entitlement, message);
      return message;
    },
  };
}

function toState(
  before: State | null,
  next: Pick<State, 'data' | 'problem'>,
  cursor: Cursor,
  { isAfterGap }: Place,
): State {
  return {
    ...next,
    cursor,
    before: isAfterGap ? null : (before?.cursor.tick ?? null),
    readTick: next.problem === null ? cursor.tick : (before?.readTick ?? null),
  };
}

const NO_FIELDS: Fields = new Map();

function toChange(
  { topic, rowsField, now }: FeedDeps,
  before: Data | null,
  { text, step, provenance, readAt = now() }: TopicResponse,
): Change {
  if (before?.text === text)
    return { data: { ...before, step, provenance, readAt }, fields: NO_FIELDS, diffs: new Map() };
  const { fields, rows } = toReading(text, topic.key === null ? null : rowsField);
  const { diffs, count, ...listed } = toListed(topic, rows, before, step);
  const check = toCheck(fields, listed.rowSum, count);
  const data = { text, step, fields, rows, ...listed, check, provenance, readAt };
  if (before === null) return { data, fields, diffs: null };
  return { data, fields: changedIn(before.fields, fields), diffs: toDiffs(before, data, diffs) };
}

interface Listed extends Pick<Data, 'list' | 'rowSum'> {
  /** Null without a list. */
  readonly count: number | null;
  readonly diffs?: Change['diffs'];
}

function toListed({ key, account }: Topic, rows: string | null, before: Data | null, step?: ListStep): Listed {
  if (rows === null) return { list: null, rowSum: 0, count: null };
  const found = key === null ? null : stepFrom(before?.list ?? NO_ROWS, rows, key, step);
  if (found === null || found.left > 0) {
    const all = rows === '' ? [] : [...cutRows(rows)];
    return { list: null, rowSum: sumOf(all), count: all.length };
  }
  const { list, diff } = found;
  const rowSum = ((before?.list ? before.rowSum : 0) + growthOf(diff)) | 0;
  return { list, diffs: toAccountChanges(diff, account), rowSum, count: list.rows.length };
}

function toCheck(fields: Fields, rowSum: number, count: number | null): Check {
  const checksum = formatChecksum(rowSum + sumOf(Array.from(fields, ([name, text]) => toFieldText(name, text))));
  return count === null ? { checksum } : { row_count: count, checksum };
}

function sumOf(texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + termOf(text), 0);
}

/** Returns null if a field is gone, which cannot be sent as a change. */
function toDiffs(before: Data, after: Data, diffs: Change['diffs'] | undefined): Change['diffs'] {
  if ([...before.fields.keys()].some((field) => !after.fields.has(field))) return null;
  if (after.rows === null) return before.rows === null ? new Map() : null;
  return before.list === null ? null : (diffs ?? null);
}

function changedIn(before: Fields, after: Fields): Fields {
  return new Map([...after].filter(([field, text]) => before.get(field) !== text));
}

function toDeltas(address: string, diffs: ReadonlyMap<string, WireDiff>): Promise<readonly Message[]> {
  return Promise.all(Array.from(diffs, ([account, diff]) => toMessage(describeDelta(address, account, diff))));
}

function describeDelta(address: string, account: string, { added, changed, gone }: WireDiff): string {
  const owner = account === '' ? '' : `"account":${account},`;
  const set = changed.map(([key, fields]) => `[${key},${fields}]`).join(',');
  return toEvent(
    'delta',
    `{"topic":${JSON.stringify(address)},${owner}` +
      `"set":[${set}],"added":[${added.join(',')}],"gone":[${gone.join(',')}]}`,
  );
}

function describeSnapshot(address: string, { fields, rows, list }: Data): string {
  const listed = rows === null ? '' : `,"keyed":${String(list !== null)},"rows":[${rows}]`;
  return toEvent('snapshot', `{"topic":${JSON.stringify(address)},"fields":${joinFields(fields)}${listed}}`);
}

function describeRead(deps: FeedDeps, data: Data, fields: Fields): string {
  const reading = JSON.stringify({
    ...data.check,
    ...describeSource(deps, data),
    ...describeCadence(deps.cadence()),
  });
  return toEvent('read', `{"topic":${JSON.stringify(deps.address)},"fields":${joinFields(fields)},${reading.slice(1)}`);
}

function describeFailure(address: string, problem: ProblemDocument): string {
  return toEvent('failed', `{"topic":${JSON.stringify(address)},"problem":${JSON.stringify(problem)}}`);
}

/**
 * Describes the source like the headers of a response. Data without a source in the exchange are as old as their
 * reading.
 */
function describeSource({ now, venueNow }: FeedDeps, { provenance, readAt }: Data): object {
  const time = venueNow();
  return {
    venue_time: time === null ? null : new Date(time).toISOString(),
    age_seconds: Number(formatAge(provenance?.respondedAt ?? readAt, now())),
    ...(provenance !== undefined && {
      answered_at: new Date(provenance.respondedAt).toISOString(),
      cache_status: formatCacheStatus(provenance),
    }),
  };
}

function describeCadence({ everySeconds, sharedBy }: Cadence): object {
  return { every_seconds: Math.round(everySeconds * 10) / 10, shared_by: sharedBy };
}

/** A reading of a topic: the response of its endpoint. */
export interface TopicResponse {
  readonly text: string;
  /** The difference between its rows and an earlier reading, if it is known. */
  readonly step?: ListStep | undefined;
  readonly provenance?: Provenance | undefined;
  /** In epoch milliseconds; the present by default. */
  readonly readAt?: number;
  /** The number of requests to the exchange if nothing is cached. */
  readonly cost: number;
  /** The number of requests that were actually sent. */
  readonly sent: number;
}

/** A response in two parts. Values are JSON texts, as written. */
interface Reading {
  readonly fields: ReadonlyMap<string, string>;
  /** The list of rows without its brackets; null if the response has none. */
  readonly rows: string | null;
}

/**
 * Splits a response. `rowsField` names the field with the rows; null means that only a response that is itself a list
 * has rows. Texts are put on one line, as events need them.
 */
function toReading(text: string, rowsField: string | null): Reading {
  const whole = toLine(text).trim();
  if (whole.startsWith('[')) return { fields: new Map(), rows: whole.slice(1, -1).trim() };
  if (rowsField === null) return { fields: splitFields(whole), rows: null };
  const { fields, list } = cutAtList(whole, rowsField);
  return { fields, rows: list ?? '' };
}

interface Entry {
  readonly tick: Tick;
  readonly frame: Message;
  /** The tick of the reading before, if some are missing in between; otherwise null. */
  readonly gapFrom: Tick | null;
}

/** The recent changes of a topic, for streams that broke off or fell behind. */
interface ChangeLog {
  readonly append: (tick: Tick, frame: Message, gapFrom?: Tick | null) => void;
  /** The changes after a tick; null if some of them are not kept, or the state at that tick is not known. */
  readonly after: (tick: Tick) => readonly Message[] | null;
  /** Discards everything before this tick. */
  readonly restart: (tick: Tick) => void;
}

/** Beyond this, a snapshot is hardly larger than the changes. */
const MOST_BYTES = 4 * 1_024 * 1_024;
/** The overhead of an entry, so that many small ones are limited too. */
const OWN_BYTES = 512;

/** @internal Exported for its test. */
export function createChangeLog(): ChangeLog {
  let entries: Entry[] = [];
  let bytes = 0;
  /** All changes after this tick are kept. */
  let since: Tick = Infinity;
  return {
    append: (tick, message, gapFrom = null) => {
      entries.push({ tick, frame: message, gapFrom });
      bytes += sizeOf(message);
      let dropped = 0;
      for (const oldest of entries) {
        if (bytes <= MOST_BYTES) break;
        bytes -= sizeOf(oldest.frame);
        since = oldest.tick;
        dropped += 1;
      }
      if (dropped > 0) entries.splice(0, dropped);
    },
    after: (tick) => {
      const changes = entries.filter((entry) => entry.tick > tick);
      const isKnown = tick >= since && tick <= (changes[0]?.gapFrom ?? tick);
      return isKnown ? changes.map(({ frame: message }) => message) : null;
    },
    restart: (tick) => {
      entries = [];
      bytes = 0;
      since = tick;
    },
  };
}

/** `deltas` are null if only a snapshot leads there. */
function logChange(log: ChangeLog, tick: Tick, deltas: readonly Message[] | null, gapFrom: Tick | null): void {
  if (deltas === null) log.restart(tick);
  else if (deltas.length > 0 || gapFrom !== null) log.append(tick, joinMessages(deltas), gapFrom);
}

function sizeOf({ plain, packed }: Message): number {
  return plain.byteLength + packed.byteLength + OWN_BYTES;
}

/**
 * A difference as it is sent, in JSON texts. A changed row is sent as its changed fields, which reproduce the new row
 * exactly. A row that lost a field, is written differently or moved to another account counts as added.
 *
 * @internal Exported for its test.
 */
export type WireDiff = RowDiff<string, readonly [key: string, fields: string], string>;

interface Changes extends WireDiff {
  readonly added: string[];
  readonly changed: (readonly [key: string, fields: string])[];
  readonly gone: string[];
}

/**
 * Splits changes by the account in a field, so that those of one account do not reveal how many there were in others.
 *
 * @internal Exported for its test.
 */
export function toAccountChanges(diff: RowDiff<KeyedRow>, field: string | null): ReadonlyMap<string, WireDiff> {
  const byAccount = new Map<string, Changes>();
  const accountOf = (row: string): string => (field === null ? '' : (fieldOf(row, field) ?? ''));
  const changesOf = (row: string): Changes => {
    const account = accountOf(row);
    const changes = byAccount.get(account) ?? { added: [], changed: [], gone: [] };
    if (!byAccount.has(account)) byAccount.set(copyOf(account), changes);
    return changes;
  };
  for (const { row } of diff.added) changesOf(row).added.push(row);
  for (const { key, row } of diff.gone) changesOf(row).gone.push(key);
  for (const [{ key, row: old }, { row }] of diff.changed) {
    const fields = exactChange(old, row);
    const mayHaveMoved = field !== null && (fields === null || fields.includes(`"${field}":`));
    const hasMoved = mayHaveMoved && accountOf(old) !== accountOf(row);
    if (hasMoved) changesOf(old).gone.push(key);
    if (fields === null || hasMoved) changesOf(row).added.push(row);
    else changesOf(row).changed.push([key, fields]);
  }
  // Sorted, because otherwise the order would reveal which rows are in another account now.
  for (const { gone } of byAccount.values()) gone.sort();
  return byAccount;
}

/**
 * Returns by how much a difference changes the checksum of all rows.
 *
 * @internal Exported for its test.
 */
export function growthOf({ added, changed, gone }: RowDiff<KeyedRow>): number {
  let growth = 0;
  for (const { row } of added) growth += termOf(row);
  for (const { row } of gone) growth -= termOf(row);
  for (const [before, after] of changed) growth += termOf(after.row) - termOf(before.row);
  return growth | 0;
}

/**
 * Returns what a row or field adds to a checksum.
 *
 * @internal Exported for its test.
 */
export function termOf(text: string): number {
  return toTerm(crc32(text));
}
