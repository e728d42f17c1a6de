import { DEFAULT_LIMIT, LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import { joinFields } from '#contract/parse/json-split.ts';
import { changedNames } from '#server/journal/changed-names.ts';
import type { JournalRoom } from '#server/journal/open-journal-room.ts';
import type { ShownChange } from '#server/journal/read-journal.ts';
import { toInstant, toInstantOrNull } from '#server/core/to-instant.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { isVisible, toOrderFilter, type Pairs } from '#server/core/order-rows.ts';
import type { Scope } from '#server/core/viewer.ts';
import { isOrderId } from '#contract/exchange/ids.ts';
import { CHANGE_KINDS } from '#contract/desk/journal.ts';
import { AFTER_ALL_IDS, type Position } from '#server/journal/read-segment.ts';

/** The responses about the journal, as texts of JSON: the text of the orders is the exchange's. */

type JournalParts = Pick<JournalRoom, 'reader' | 'state'>;

/** How many changes there are, and how large they are, says how much others do. */
export async function describeJournal({ state, reader }: JournalParts, query: Pairs, scope: Scope): Promise<string> {
  const { from, lastReading, changes, bytes, maxBytes } = state();
  const gaps = await reader.gaps(toMillis(query, 'begin_time') ?? -Infinity, toMillis(query, 'end_time') ?? Infinity);
  return JSON.stringify({
    kept_from: toInstantOrNull(from),
    read_to: toInstantOrNull(lastReading?.to ?? null),
    changes: scope === 'all' ? changes : null,
    bytes: scope === 'all' ? bytes : null,
    max_bytes: maxBytes,
    gaps: gaps.map((gap) => ({ from: toInstant(gap.from), to: toInstant(gap.to) })),
  });
}

export async function describeChanges({ reader }: JournalParts, query: Pairs, scope: Scope): Promise<string> {
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
  return `{"changes":[${changes.map((change) => describeChange(change, scope)).join(',')}],"pagination":${JSON.stringify({ cursor: next && toCursor(next) })}}`;
}

/** Of an order that may not be seen, as much as of one that does not exist. */
export async function describeOrder({ state, reader }: JournalParts, query: Pairs, scope: Scope): Promise<string> {
  const { from, lastReading } = state();
  const { before, changes } = await reader.lifeOf(require(query, 'order_id'));
  const facts = JSON.stringify({ kept_from: toInstantOrNull(from), read_to: toInstantOrNull(lastReading?.to ?? null) });
  const visible = changes.filter(({ row }) => isVisible(scope, row)).map((change) => describeChange(change, scope));
  return `${facts.slice(0, -1)},"before":${describeBefore(before, scope)},"changes":[${visible.join(',')}]}`;
}

/** Readings that lacked orders which were listed again are as incomplete as any other. */
export async function describeBook(
  { state, reader, returned }: JournalParts & Pick<JournalRoom, 'returned'>,
  query: Pairs,
  scope: Scope,
): Promise<string> {
  const at = require(query, 'at');
  const instant = Date.parse(at);
  const book = await reader.bookAt(instant);
  if (book === null) throw new VenueFailure({ type: 'not-found', detail: describeStart(state().from) });
  const { orders, reading, next } = book;
  const lacking = returned()
    .filter((one) => one.goneAt <= instant && instant < one.at && isVisible(scope, one.before))
    .map(({ before }) => before);
  const facts = JSON.stringify({
    read_from: toInstant(reading.from),
    read_to: toInstant(reading.to),
    complete: reading.isComplete && lacking.length === 0,
    next_read_at: toInstantOrNull(next?.from ?? null),
    in_gap: next?.isAfterGap ?? false,
  });
  return `${facts.slice(0, -1)},"orders":[${[...[...orders.values()].filter((row) => isVisible(scope, row)), ...lacking].join(',')}]}`;
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

function require(query: Pairs, name: string): string {
  const value = new Map(query).get(name);
  if (value === undefined)
    throw new VenueFailure({ type: 'bad-parameter', detail: `${name} is required.`, parameter: name });
  return value;
}

export function toMillis(query: Pairs, name: string): number | null {
  const text = new Map(query).get(name);
  if (text === undefined || text === 'now') return null;
  return Date.parse(text);
}

/** Where a page begins: after a change that the client has seen, so that nothing else can be told from it. */
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

/** Whether a change is of an order that matches all filters, as those of working orders, and of one of the kinds. */
function toChangeFilter(query: Pairs): (change: ShownChange) => boolean {
  const kinds = query.filter(([name]) => name === 'kind').map(([, kind]) => kind);
  const id = query.find(([name]) => name === 'order_id')?.[1];
  const matches = toOrderFilter(query);
  return (change) =>
    (kinds.length === 0 || kinds.includes(change.kind)) &&
    (id === undefined || id === change.id) &&
    matches(change.row);
}
