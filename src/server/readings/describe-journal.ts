import { type ActivityCounts, CHANGE_KINDS, type ReadingGap, MAX_ACTIVITY_BUCKETS } from '#contract/desk/journal.ts';
import { joinFields, splitFields } from '#contract/parse/json-split.ts';
import { changedFields } from '#contract/parse/row-texts.ts';
import { DEFAULT_LIMIT, LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { isOrderId } from '#contract/exchange/ids.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import {
  addLife,
  AT,
  countLives,
  type Figure,
  FIGURES,
  medianLife,
  MINUTE_MS,
  toTraitTests,
  type Trait,
  TRAITS,
} from '#server/journal/summary/summary.ts';
import type { TallyGroup, Tally } from '#server/journal/summary/tally.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import type { Scope } from '#server/core/viewer.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { isVisible, type Pairs, toOrderFilter } from '#server/core/order-rows.ts';
import { toRecordedPrice } from '#server/journal/prices/price-rows.ts';
import type { PriceReader } from '#server/journal/prices/read-prices.ts';
import type { RowText } from '#server/journal/segment/change.ts';
import type { Gap, ShownChange } from '#server/journal/read-journal.ts';
import { AFTER_ALL_IDS, type Position } from '#server/journal/stretch.ts';

/** The responses about the journal, as texts of JSON: the orders keep the exchange’s own text. */

type JournalDeps = Pick<JournalRoom, 'reader' | 'state' | 'refresh'>;

/** Omits the number and size of changes for limited scopes, since they would reveal the activity of others. */
export async function describeJournal(
  { state, reader, refresh }: JournalDeps,
  query: Pairs,
  scope: Scope,
): Promise<string> {
  await refresh();
  const { from, lastReading, changes, bytes, maxBytes } = state();
  const gaps = await reader.gaps(toMillis(query, 'begin_time') ?? -Infinity, toMillis(query, 'end_time') ?? Infinity);
  return JSON.stringify({
    kept_from: toInstantOrNull(from),
    read_to: toInstantOrNull(lastReading?.to ?? null),
    history_to: toInstantOrNull(lastReading?.historyTo ?? null),
    changes: scope === 'all' ? changes : null,
    bytes: scope === 'all' ? bytes : null,
    max_bytes: maxBytes,
    gaps: gaps.map(describeGap),
  });
}

function describeGap({ from, to, cause }: Gap): ReadingGap {
  return { from: toInstant(from), to: toInstant(to), cause };
}

export async function describeChanges({ reader }: JournalDeps, query: Pairs, scope: Scope): Promise<string> {
  const matches = toChangeFilter(query);
  const values = new Map(query);
  const cursor = values.get('cursor');
  const { changes, next } = await reader.changes({
    from: toMillis(query, 'begin_time') ?? -Infinity,
    to: toMillis(query, 'end_time') ?? Infinity,
    isNewestFirst: values.get('order') !== 'asc',
    after: cursor === undefined ? null : parseCursor(cursor),
    limit: Math.min(Number(values.get('limit') ?? DEFAULT_LIMIT), LARGEST_LIMIT.journal),
    matches: (change) => matches(change) && isVisible(scope, change.row),
  });
  const described = changes.map((change) => describeChange(change, scope)).join(',');
  return `{"changes":[${described}],"pagination":${JSON.stringify({ cursor: next && toCursor(next) })}}`;
}

/** Returns the same for an order outside the scope as for one that does not exist. */
export async function describeOrder(
  { state, reader, refresh }: JournalDeps,
  query: Pairs,
  scope: Scope,
): Promise<string> {
  await refresh();
  const { from, lastReading } = state();
  const { before, changes } = await reader.lifeOf(requireParameter(query, 'order_id'));
  const facts = JSON.stringify({ kept_from: toInstantOrNull(from), read_to: toInstantOrNull(lastReading?.to ?? null) });
  const visible = changes.filter(({ row }) => isVisible(scope, row)).map((change) => describeChange(change, scope));
  return `${facts.slice(0, -1)},"before":${describeBefore(before, scope)},"changes":[${visible.join(',')}]}`;
}

/**
 * Describes the orders at an instant. A reading that lacked orders which were listed again later is as incomplete as
 * any other.
 */
export async function describeBook(
  { state, reader, returned }: JournalDeps & Pick<JournalRoom, 'returned'>,
  query: Pairs,
  scope: Scope,
): Promise<string> {
  const at = requireParameter(query, 'at');
  const instant = Date.parse(at);
  const book = await reader.bookAt(instant);
  if (book === null) throw new VenueFailure({ type: 'not-found', detail: describeStart(state().from) });
  const { orders, reading, next } = book;
  const matches = toOrderFilter(query);
  const lacking = returned()
    .filter((one) => one.goneAt <= instant && instant < one.at && isVisible(scope, one.before))
    .map(({ before }) => before)
    .filter(matches);
  const facts = JSON.stringify({
    read_from: toInstant(reading.from),
    read_to: toInstant(reading.to),
    complete: reading.isComplete && lacking.length === 0,
    next_read_at: toInstantOrNull(next?.from ?? null),
    in_gap: next?.isAfterGap ?? false,
    gap_cause: next?.cause ?? null,
  });
  const visible = [...orders.values()].filter((row) => isVisible(scope, row) && matches(row));
  return `${facts.slice(0, -1)},"orders":[${[...visible, ...lacking].join(',')}]}`;
}

/** Describes the market prices at an instant, which are public. */
export async function describePrices(prices: PriceReader, query: Pairs): Promise<string> {
  const instant = Date.parse(requireParameter(query, 'at'));
  const found = await prices.at(instant);
  if (found === null || instant - found.readAt > prices.maxAgeMs) {
    const missing = describeMissing(instant, found?.readAt ?? null, await prices.keptFrom());
    return JSON.stringify({ read_at: null, missing, prices: [] });
  }
  const facts = JSON.stringify({ read_at: toInstant(found.readAt), missing: null });
  return `${facts.slice(0, -1)},"prices":[${Array.from(found.prices.values(), toRecordedPrice).join(',')}]}`;
}

export function describeMissing(instant: number, readAt: number | null, keptFrom: number | null): string {
  if (keptFrom === null) return 'No market prices have been recorded yet.';
  return (
    `Market prices were not recorded at ${toInstant(instant)}: ` +
    (readAt === null ? `their record begins at ${toInstant(keptFrom)}.` : `the last are from ${toInstant(readAt)}.`)
  );
}

function describeStart(from: number | null): string {
  return from === null
    ? 'The journal has no reading yet.'
    : `The journal begins later, at ${new Date(from).toISOString()}.`;
}

function describeChange({ kind, id, from, to, before, row }: ShownChange, scope: Scope): string {
  const shown = before !== null && isVisible(scope, before) ? before : null;
  return joinFields([
    ['kind', JSON.stringify(kind)],
    ['order_id', JSON.stringify(id)],
    ['read_after', JSON.stringify(toInstantOrNull(from))],
    ['read_by', JSON.stringify(toInstant(to))],
    ['fields', JSON.stringify(kind === 'changed' && shown !== null ? changedNames(shown, row) : [])],
    ['before', shown ?? 'null'],
    ['order', row],
  ]);
}

function describeBefore(before: string | null, scope: Scope): string {
  return before !== null && isVisible(scope, before) ? before : 'null';
}

/** Returns the value of a parameter that must be given. */
export function requireParameter(query: Pairs, name: string): string {
  const value = new Map(query).get(name);
  if (value === undefined)
    throw new VenueFailure({ type: 'bad-parameter', detail: `${name} is required.`, parameter: name });
  return value;
}

function toMillis(query: Pairs, name: string): number | null {
  const text = new Map(query).get(name);
  if (text === undefined || text === 'now') return null;
  return Date.parse(text);
}

/** Identifies a change that the client has already seen, so that the cursor reveals nothing new. */
function toCursor({ to, id, kind }: Position): string {
  return Buffer.from(`${String(to)} ${kind} ${id}`).toString('base64url');
}

function parseCursor(cursor: string): Position {
  const [to = '', kind = '', id = ''] = Buffer.from(cursor, 'base64url').toString().split(' ');
  const known = CHANGE_KINDS.find((one) => one === kind);
  if (!/^\d{1,15}$/.test(to) || known === undefined || !(isOrderId(id) || id === AFTER_ALL_IDS)) {
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: 'The cursor is not one of an earlier page.',
      parameter: 'cursor',
    });
  }
  return { to: Number(to), kind: known, id };
}

/**
 * Returns whether an order matches all filters, with the meaning they have for working orders, and its change one of
 * the kinds.
 */
function toChangeFilter(query: Pairs): (change: ShownChange) => boolean {
  const kinds = query.filter(([name]) => name === 'kind').map(([, kind]) => kind);
  const id = query.find(([name]) => name === 'order_id')?.[1];
  const matches = toOrderFilter(query);
  return (change) =>
    (kinds.length === 0 || kinds.includes(change.kind)) &&
    (id === undefined || id === change.id) &&
    matches(change.row);
}

type ActivityDeps = Pick<JournalRoom, 'reader' | 'activity' | 'state' | 'refresh'>;

/** Returns the counted changes, and how much of the requested time was read. */
export async function describeActivity(deps: ActivityDeps, query: Pairs, scope: Scope): Promise<string> {
  const bucketMs = 1_000 * Number(new Map(query).get('bucket_seconds') ?? MINUTE_MS / 1_000);
  const by = TRAITS.filter((trait) => query.some(([name, value]) => name === 'by' && value === trait));
  await deps.refresh();
  const { from, lastReading } = deps.state();
  const covered = await findCovered(deps, query);
  if (covered !== null && (covered.minutes.to - covered.minutes.from) / bucketMs > MAX_ACTIVITY_BUCKETS) {
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: `These are more than ${String(MAX_ACTIVITY_BUCKETS)} buckets. Request a shorter time, or longer buckets.`,
      parameter: 'bucket_seconds',
    });
  }
  const tally =
    covered === null
      ? NOTHING
      : await deps.activity({
          ...covered.minutes,
          bucketMs,
          by: by.map((trait) => TRAITS.indexOf(trait)),
          tests: toTraitTests(query),
          scope,
        });
  return JSON.stringify({
    kept_from: toInstantOrNull(from),
    read_to: toInstantOrNull(lastReading?.to ?? null),
    ...(covered === null ? NOT_COVERED : describeCovered(covered)),
    bucket_seconds: bucketMs / 1_000,
    buckets: [...tally.buckets].map(([start, bucket]) => ({ from: toInstant(start), ...bucket })),
    total: describeCounts(sumOf(tally.groups)),
    groups: tally.groups.map((group) => ({ ...describeKeys(by, group.traits), ...describeCounts(group) })),
  });
}

interface Covered extends Awaited<ReturnType<ActivityDeps['reader']['coverage']>> {
  readonly from: number;
  readonly to: number;
  /** The counted range in epoch milliseconds, whole minutes; `to` is exclusive. */
  readonly minutes: { readonly from: number; readonly to: number };
}

const NOTHING: Tally = { buckets: new Map(), groups: [] };
const NOT_COVERED = {
  from: null,
  to: null,
  readings: 0,
  longest_seconds: null,
  unread_seconds: 0,
  gaps: [],
  history_to: null,
};

/** Returns the part of the requested time that the journal has, in whole minutes; null if it has none of it. */
async function findCovered({ state, reader }: ActivityDeps, query: Pairs): Promise<Covered | null> {
  const { from: kept, lastReading } = state();
  if (kept === null || lastReading === null) return null;
  const [begin, end] = [
    floorToMinute(toMillis(query, 'begin_time') ?? -Infinity),
    ceilToMinute(toMillis(query, 'end_time') ?? Infinity),
  ];
  if (begin > lastReading.to || end <= kept) return null;
  const isCut = begin <= kept && (await reader.coverage(kept, kept)).isCut;
  // Changes may be missing from the minute of the last dropped one, so counting starts with the next.
  const from = begin > kept ? begin : isCut ? ceilToMinute(kept) : kept;
  const to = Math.min(end, floorToMinute(lastReading.to) + MINUTE_MS);
  if (from >= to) return null;
  return {
    ...(await reader.coverage(from, to)),
    from,
    to: Math.min(end, lastReading.to),
    minutes: { from: floorToMinute(from), to },
  };
}

function floorToMinute(instant: number): number {
  return Math.floor(instant / MINUTE_MS) * MINUTE_MS;
}

function ceilToMinute(instant: number): number {
  return Math.ceil(instant / MINUTE_MS) * MINUTE_MS;
}

function describeCovered({ from, to, readings, longestMs, gaps, historyTo }: Covered) {
  const inside = gaps.map((gap) => Math.min(gap.to, to) - Math.max(gap.from, from)).filter((length) => length > 0);
  return {
    from: toInstant(from),
    to: toInstant(to),
    readings,
    longest_seconds: longestMs === null ? null : longestMs / 1_000,
    unread_seconds: inside.reduce((sum, length) => sum + length, 0) / 1_000,
    gaps: gaps.map(describeGap),
    history_to: toInstantOrNull(historyTo),
  };
}

function sumOf(groups: readonly TallyGroup[]): TallyGroup {
  const total = { traits: [], figures: new Float64Array(FIGURES.length), lives: new Map<number, number>() };
  for (const { figures, lives } of groups) {
    for (const [at, value] of figures.entries()) total.figures[at] = (total.figures[at] ?? 0) + value;
    for (const [step, count] of lives) addLife(total.lives, step, count);
  }
  return total;
}

/** The fields of order rows whose names differ from the parameters of requests. */
const ROW_NAMES: Partial<Record<Trait, string>> = { clearing_member_code: 'clearing_firm_code' };

function describeKeys(
  by: readonly Trait[],
  values: readonly string[],
): Readonly<Record<string, string | number | null>> {
  return Object.fromEntries(
    TRAITS.map((trait) => {
      const value = values[by.indexOf(trait)] ?? null;
      return [ROW_NAMES[trait] ?? trait, trait === 'product_id' ? toNumber(value) : value];
    }),
  );
}

function toNumber(text: string | null): number | null {
  return text === null || text === '' ? null : Number(text);
}

function describeCounts({ figures, lives }: TallyGroup): Readonly<Record<keyof ActivityCounts, number | null>> {
  const of = (figure: Figure): number => figures[AT[figure]] ?? 0;
  const median = medianLife(lives);
  const gone = of('gone') + of('passed') - of('takenBack');
  return {
    found: of('found'),
    placed: of('placed') + of('passed'),
    passed: of('passed'),
    changed: of('changed'),
    modified: of('modified'),
    gone,
    ended_filled: of('filled'),
    ended_partly_filled: of('partly'),
    ended_unfilled: of('unfilled'),
    outcome_unknown: gone - of('filled') - of('partly') - of('unfilled'),
    fills: of('fills'),
    quantity_placed: of('quantityPlaced'),
    quantity_filled: of('quantityFilled'),
    quantity_filled_before: of('quantityFilledBefore'),
    quantity_ended: of('quantityEnded'),
    quantity_ended_filled: of('quantityEndedFilled'),
    returned: of('returned'),
    unmeasured: of('unmeasured'),
    lives: countLives(lives),
    median_life_seconds: median === null ? null : median / 1_000,
  };
}

/** Returns the names of the fields in which two rows differ, including those that only one of them has. */
function changedNames(before: RowText, row: RowText): readonly string[] {
  const changed = changedFields(before, row);
  if (changed !== null) return [...splitFields(changed).keys()];
  const [old, next] = [splitFields(before), splitFields(row)];
  return [...new Set([...old.keys(), ...next.keys()])].filter((name) => old.get(name) !== next.get(name));
}
