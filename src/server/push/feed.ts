import { formatChecksum, toFieldText } from '#contract/parse/checksum.ts';
import { joinFields, splitFields } from '#contract/parse/json-split.ts';
import { cutAtList, cutRows } from '#contract/parse/row-texts.ts';
import type { ProblemDocument } from '#contract/desk/problems.ts';
import type { Topic } from '#contract/desk/topics.ts';
import { formatAge, formatCacheStatus } from '#server/web/send-response.ts';
import type { Provenance } from '#server/core/provenance.ts';
import type { Cursor, Tick } from './cursors.ts';
import { joinFrames, toEvent, toFrame, toLine, type Frame } from './frame.ts';
import { NO_ROWS, stepFrom, type ListStep, type RowList } from '#server/core/row-list.ts';
import { growthOf, termOf, toAccountChanges, type WireDiff } from './account-changes.ts';

interface Cadence {
  readonly everySeconds: number;
  /** Streams that share the reading. */
  readonly sharedBy: number;
}

export interface FeedParts {
  /** The topic with its parameters, as clients name it. */
  readonly address: string;
  readonly topic: Topic;
  readonly rowsField: string | null;
  readonly cadence: () => Cadence;
  /** The next tick, at the moment when the state changes: ticks follow one another as changes do. */
  readonly nextCursor: () => Cursor;
  readonly now: () => number;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: () => number | null;
}

/** The newest state of one topic, and how it came about: what each stream still has to be sent. */
export interface Feed {
  /** Of the last reading, failed ones included; null before the first. */
  readonly tick: () => Tick | null;
  /** The last response; null before the first. */
  readonly text: () => string | null;
  /** The same with its source, and why the last reading failed; null before the first. */
  readonly last: () => LastReading | null;
  readonly cadence: () => Cadence;
  readonly update: (response: TopicResponse) => Promise<void>;
  readonly fail: (problem: ProblemDocument) => Promise<void>;
  /** For streams that had all until the reading before: made once for all of them. */
  readonly latest: () => Latest | null;
  /** For any other stream: what follows the state of that tick, or all. */
  readonly catchUp: (held: Tick | null) => Promise<CaughtUp>;
}

export interface LastReading {
  readonly data: Pick<Data, 'text' | 'step' | 'provenance'> | null;
  readonly problem: ProblemDocument | null;
}

interface Latest {
  readonly from: Tick;
  readonly frame: Frame;
  /** With the cursor, for streams that have all of their other topics as well. */
  readonly withCursor: Frame;
}

interface CaughtUp {
  readonly tick: Tick | null;
  /** Not joined: a snapshot is one for all streams, and would be copied for each of them. */
  readonly frames: readonly Frame[];
}

type Fields = ReadonlyMap<string, string>;

/** What was read last. Values are texts of JSON. */
interface Data {
  readonly text: string;
  /** As whoever read it has found it. */
  readonly step: ListStep | undefined;
  readonly fields: Fields;
  readonly rows: string | null;
  /** Null: the response has no rows, or two of them share a key. */
  readonly list: RowList | null;
  /** Of the rows; 0 without any. */
  readonly rowSum: number;
  /** By which a client finds that it has all: made once for all streams. */
  readonly check: Check;
  readonly provenance: Provenance | undefined;
  /** In epoch milliseconds. */
  readonly readAt: number;
}

/** Where there are no rows, there is no count of them. */
interface Check {
  readonly row_count?: number;
  readonly checksum: string;
}

interface State {
  readonly tick: Tick;
  readonly data: Data | null;
  /** Of the reading that gave the data. */
  readonly readTick: Tick | null;
  /** Why the last reading failed. */
  readonly problem: ProblemDocument | null;
}

/** The way from one state to the next. */
interface Change {
  readonly data: Data;
  readonly fields: Fields;
  /** Null: only a snapshot leads there. */
  readonly diffs: ReadonlyMap<string, WireDiff> | null;
}

export function createFeed(parts: FeedParts): Feed {
  const log = createChangeLog();
  let state: State | null = null;
  let latest: Latest | null = null;
  let snapshot: Promise<Frame> | null = null;

  const commit = (next: State, cursor: Frame, frame: Frame | null): void => {
    latest =
      state === null || frame === null ? null : { from: state.tick, frame, withCursor: joinFrames([frame, cursor]) };
    if (next.data !== state?.data) snapshot = null;
    state = next;
  };

  const takeSnapshot = (data: Data): Promise<Frame> => (snapshot ??= toFrame(describeSnapshot(parts.address, data)));

  const takeRead = async (data: Data, held: Tick | null): Promise<readonly Frame[]> => {
    const changes = held === null ? null : log.after(held);
    const rows = changes ?? [await takeSnapshot(data)];
    // A snapshot has the fields.
    return [...rows, await toFrame(describeRead(parts, data, changes === null ? NO_FIELDS : data.fields))];
  };

  return {
    tick: () => state?.tick ?? null,
    text: () => state?.data?.text ?? null,
    last: () => state,
    cadence: parts.cadence,
    latest: () => latest,
    update: async (response) => {
      const { data, fields, diffs } = toChange(parts, state?.data ?? null, response);
      const deltas = diffs === null ? null : await toDeltas(parts.address, diffs);
      const read = await toFrame(describeRead(parts, data, fields));
      const { tick, frame: cursor } = parts.nextCursor();
      if (deltas === null) log.restart(tick);
      else if (deltas.length > 0) log.append(tick, joinFrames(deltas));
      commit(
        { tick, data, readTick: tick, problem: null },
        cursor,
        deltas === null ? null : joinFrames([...deltas, read]),
      );
    },
    fail: async (problem) => {
      const failed = await toFrame(describeFailure(parts.address, problem));
      const { tick, frame: cursor } = parts.nextCursor();
      commit({ tick, data: state?.data ?? null, readTick: state?.readTick ?? null, problem }, cursor, failed);
    },
    catchUp: async (held) => {
      const from = state;
      if (from === null) return { tick: null, frames: [] };
      const { tick, data, readTick, problem } = from;
      // Beside a failure, what was read before it: as old as that is, and none of it twice.
      const hasRead = problem !== null && held !== null && held >= (readTick ?? 0);
      const read = data === null || hasRead ? [] : await takeRead(data, held);
      const failed = problem === null ? [] : [await toFrame(describeFailure(parts.address, problem))];
      return { tick, frames: [...read, ...failed] };
    },
  };
}

const NO_FIELDS: Fields = new Map();

function toChange(
  { topic, rowsField, now }: FeedParts,
  before: Data | null,
  { text, step, provenance }: TopicResponse,
): Change {
  if (before?.text === text)
    return { data: { ...before, step, provenance, readAt: now() }, fields: NO_FIELDS, diffs: new Map() };
  const { fields, rows } = toReading(text, topic.key === null ? null : rowsField);
  const { diffs, count, ...listed } = toListed(topic, rows, before, step);
  const check = toCheck(fields, listed.rowSum, count);
  const data = { text, step, fields, rows, ...listed, check, provenance, readAt: now() };
  if (before === null) return { data, fields, diffs: null };
  return { data, fields: changedIn(before.fields, fields), diffs: toDiffs(before, data, diffs) };
}

interface Listed extends Pick<Data, 'list' | 'rowSum'> {
  /** Null: there is no list. */
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

/** Fields that are gone cannot be sent as changes. */
function toDiffs(before: Data, after: Data, diffs: Change['diffs'] | undefined): Change['diffs'] {
  if ([...before.fields.keys()].some((field) => !after.fields.has(field))) return null;
  if (after.rows === null) return before.rows === null ? new Map() : null;
  return before.list === null ? null : (diffs ?? null);
}

function changedIn(before: Fields, after: Fields): Fields {
  return new Map([...after].filter(([field, text]) => before.get(field) !== text));
}

function toDeltas(address: string, diffs: ReadonlyMap<string, WireDiff>): Promise<readonly Frame[]> {
  return Promise.all(Array.from(diffs, ([account, diff]) => toFrame(describeDelta(address, account, diff))));
}

function describeDelta(address: string, account: string, { added, changed, gone }: WireDiff): string {
  const owner = account === '' ? '' : `"account":${account},`;
  const set = changed.map(([key, fields]) => `[${key},${fields}]`).join(',');
  return toEvent(
    'delta',
    `{"topic":${JSON.stringify(address)},${owner}"set":[${set}],"added":[${added.join(',')}],"gone":[${gone.join(',')}]}`,
  );
}

function describeSnapshot(address: string, { fields, rows, list }: Data): string {
  const listed = rows === null ? '' : `,"keyed":${String(list !== null)},"rows":[${rows}]`;
  return toEvent('snapshot', `{"topic":${JSON.stringify(address)},"fields":${joinFields(fields)}${listed}}`);
}

function describeRead(parts: FeedParts, data: Data, fields: Fields): string {
  const reading = JSON.stringify({
    ...data.check,
    ...describeSource(parts, data),
    ...describeCadence(parts.cadence()),
  });
  return toEvent(
    'read',
    `{"topic":${JSON.stringify(parts.address)},"fields":${joinFields(fields)},${reading.slice(1)}`,
  );
}

function describeFailure(address: string, problem: ProblemDocument): string {
  return toEvent('failed', `{"topic":${JSON.stringify(address)},"problem":${JSON.stringify(problem)}}`);
}

/** As the headers of a response. Without a source in the exchange it is as old as its reading. */
function describeSource({ now, venueNow }: FeedParts, { provenance, readAt }: Data): object {
  const time = venueNow();
  return {
    venue_time: time === null ? null : new Date(time).toISOString(),
    age_seconds: Number(formatAge(provenance?.answeredAt ?? readAt, now())),
    ...(provenance !== undefined && {
      answered_at: new Date(provenance.answeredAt).toISOString(),
      cache_status: formatCacheStatus(provenance),
    }),
  };
}

function describeCadence({ everySeconds, sharedBy }: Cadence): object {
  return { every_seconds: Math.round(everySeconds * 10) / 10, shared_by: sharedBy };
}

/** What was read of a topic: the response of its endpoint. */
export interface TopicResponse {
  readonly text: string;
  /** How its rows differ from those of an earlier reading, where that is known. */
  readonly step?: ListStep | undefined;
  readonly provenance?: Provenance | undefined;
  /** How many requests to the exchange it takes where nothing is cached. */
  readonly cost: number;
  /** How many it took. */
  readonly sent: number;
}

/** A response in two parts. Values are texts of JSON, as written. */
interface Reading {
  readonly fields: ReadonlyMap<string, string>;
  /** The list of rows without its brackets; null: the response has none. */
  readonly rows: string | null;
}

/** `rowsField` holds the rows of an object; null: only a response that is a list has rows. Texts are as events can have them: on one line. */
function toReading(text: string, rowsField: string | null): Reading {
  const whole = toLine(text).trim();
  if (whole.startsWith('[')) return { fields: new Map(), rows: whole.slice(1, -1).trim() };
  if (rowsField === null) return { fields: splitFields(whole), rows: null };
  const { fields, list } = cutAtList(whole, rowsField);
  return { fields, rows: list ?? '' };
}

interface Entry {
  readonly tick: Tick;
  readonly frame: Frame;
}

/** The last changes of a topic, for streams that broke off or fell behind. */
interface ChangeLog {
  readonly append: (tick: Tick, frame: Frame) => void;
  /** The changes after a tick; null where some of them are no longer there. */
  readonly after: (tick: Tick) => readonly Frame[] | null;
  /** Nothing before this tick counts any more. */
  readonly restart: (tick: Tick) => void;
}

/** Beyond it, a snapshot is hardly larger than the changes. */
const MOST_BYTES = 4 * 1_024 * 1_024;
/** What an entry takes beside its bytes, so that many small ones are bounded as well. */
const OWN_BYTES = 512;

/** @internal Exported for its test. */
export function createChangeLog(): ChangeLog {
  let entries: Entry[] = [];
  let bytes = 0;
  /** All changes after this tick are there. */
  let since: Tick = Infinity;
  return {
    append: (tick, frame) => {
      entries.push({ tick, frame });
      bytes += sizeOf(frame);
      let dropped = 0;
      for (const oldest of entries) {
        if (bytes <= MOST_BYTES) break;
        bytes -= sizeOf(oldest.frame);
        since = oldest.tick;
        dropped += 1;
      }
      if (dropped > 0) entries.splice(0, dropped);
    },
    after: (tick) => (tick < since ? null : entries.filter((entry) => entry.tick > tick).map(({ frame }) => frame)),
    restart: (tick) => {
      entries = [];
      bytes = 0;
      since = tick;
    },
  };
}

function sizeOf({ plain, packed }: Frame): number {
  return plain.byteLength + packed.byteLength + OWN_BYTES;
}
