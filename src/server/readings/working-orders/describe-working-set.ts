import type { OrderConflict, WorkingDrop } from '#contract/desk/desk.ts';
import { joinFields } from '#contract/parse/json-split.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import { cutAtList, cutRows } from '#contract/parse/row-texts.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { type Provenance, provenanceOfAll } from '#server/core/ports.ts';
import { setBounded } from '#server/core/maps.ts';
import { isVisible, type Pairs, toOrderFilter } from '#server/core/order-rows.ts';
import {
  filterRows,
  type KeyedRow,
  type ListStep,
  NO_ROWS,
  readRows,
  type RowList,
  stayAt,
  stepToAll,
} from '#server/core/row-list.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import { idTextOf, type RowText, toId } from '#server/journal/segment/change.ts';
import { withoutValues } from './order-conflicts.ts';
import { describe, type MissingPart, type Part, type Split } from './working-sets.ts';
import { type OrderSequence, planOwnReads } from './merge-order-pages.ts';

/**
 * Returns the working set with its completeness check, as JSON: `{orders, complete, parts, round_seconds, read_from,
 * read_to, unproven, drop}`. Orders keep the exchange’s own text. An order that changed between `read_from` and
 * `read_to` may be in two parts or in none.
 */
export function describeWorkingSet(
  { parts, missing, roundMs = 0 }: Split,
  doubts: readonly string[],
  drop: WorkingDrop | null = null,
  conflicts: readonly OrderConflict[] = [],
): string {
  const [first] = missing;
  if (parts.length === 0 && first !== undefined) throw new VenueFailure(first.because);
  const times = parts.map(({ provenance }) => provenance.respondedAt);
  const unproven = [...(drop === null ? [] : describeDrop(drop)), ...doubts];
  const proof = JSON.stringify({
    complete: unproven.length === 0,
    unproven,
    drop,
    ...(conflicts.length > 0 && { conflicts }),
    parts: parts.map((part) => ({
      filter: part.filter,
      count: part.rows.length,
      read_at: new Date(part.provenance.respondedAt).toISOString(),
    })),
    round_seconds: roundMs === 0 || parts.length + missing.length === 1 ? null : Math.ceil(roundMs / SECOND_MS),
    read_from: times.length === 0 ? null : new Date(Math.min(...times)).toISOString(),
    read_to: times.length === 0 ? null : new Date(Math.max(...times)).toISOString(),
  });
  return `${proof.slice(0, -1)},"orders":[${ordersText(parts)}]}`;
}

/** Returns why the set cannot be proven complete, one sentence each. */
export function findDoubts({ parts, unproven, missing }: Split, now: number): readonly string[] {
  return [...describeMissing(missing, now), ...unproven, ...findInconsistencies(parts)];
}

/** Returns why a reading that lacks many orders is not proven complete; nothing if it is believed. */
function describeDrop({ state, orders, working }: WorkingDrop): readonly string[] {
  if (state === 'in doubt')
    return [
      `${orders.toLocaleString('en-US')} orders are no longer listed. The order history is being read to ` +
        'see what became of them.',
    ];
  if (state !== 'contradicted') return [];
  const missing = `${orders.toLocaleString('en-US')} orders of the last complete reading are missing.`;
  if (working === null) return [`The list lacks orders that are working. ${missing}`];
  return [`The order history has ${working.toLocaleString('en-US')} working orders that are not listed. ${missing}`];
}

/** Returns the source of the oldest part. Each part is read again in its turn when the whole set is requested. */
export function provenanceOfSplit({ parts }: Pick<Split, 'parts'>, reuseSeconds: number): Provenance | undefined {
  const [first, ...others] = parts.map(({ provenance }) => provenance);
  return first && (others.length === 0 ? first : provenanceOfAll([first, ...others], reuseSeconds));
}

const MAX_NAMED = 3;
const SECOND_MS = 1_000;
const MINUTE_MS = 60_000;

/** Rounds times to the minute, so that the text stays the same for a while and the browser can revalidate it. */
function describeMissing(missing: readonly MissingPart[], now: number): readonly string[] {
  const [first] = missing;
  if (first === undefined) return [];
  const continuesAt = now + (first.because.retryAfterSeconds ?? 0) * 1_000;
  const time = new Date(Math.ceil(continuesAt / MINUTE_MS) * MINUTE_MS).toISOString().slice(11, 16);
  const named = missing
    .slice(0, MAX_NAMED)
    .map(({ filter }) => describe(filter))
    .join('; ');
  const others = missing.length > MAX_NAMED ? ` and ${String(missing.length - MAX_NAMED)} more` : '';
  return [`Not read yet because the request budget is exhausted: ${named}${others}. Reading continues by ${time} UTC.`];
}

function ordersText(parts: readonly Part[]): string {
  return parts
    .filter(({ text }) => text !== '')
    .map(({ text }) => text)
    .join(',');
}

/**
 * Returns evidence that the parts are not what was requested: orders that do not match their filter, or are in two
 * parts.
 */
function findInconsistencies(parts: readonly Part[]): readonly string[] {
  return [...parts.flatMap(({ doubts }) => doubts), ...repeatedAcross(parts)];
}

function repeatedAcross(parts: readonly Part[]): readonly string[] {
  const seen = new Set<unknown>();
  let repeated = 0;
  for (const row of parts.flatMap(({ rows }) => rows)) {
    if (seen.has(row['id'])) repeated += 1;
    seen.add(row['id']);
  }
  return repeated === 0 ? [] : [`Orders received more than once: ${String(repeated)}.`];
}

/** A working set with its proof, as JSON. */
export interface WorkingText {
  readonly text: string;
  /** The difference between its orders and an earlier reading, if it is known. */
  readonly step?: ListStep | undefined;
  readonly provenance?: Provenance | undefined;
}

/** Returns the part of the whole working set, which is read once for all, that one viewer may see. */
type ScopedWorkingSet = (
  whole: Pick<WorkingText, 'text' | 'step'>,
  viewer: Pick<Viewer, 'scope' | 'entitlement'>,
  filter: Pairs,
) => Pick<WorkingText, 'text' | 'step'>;

type Fields = ReadonlyMap<string, string>;

/**
 * A scoped list: what viewers with one entitlement see with one filter. Held weakly, since it may outlive the last of
 * them.
 */
interface ScopedList {
  readonly whole: WeakRef<RowList>;
  readonly own: WeakRef<RowList>;
  /** The keys of its rows. */
  readonly visible: Set<string>;
}

const MAX_PARTS = 1_000;

/** `missing` returns the orders that the newest whole set may lack. */
function createScopedWorkingSet(missing: () => Iterable<RowText>): ScopedWorkingSet {
  const parts = new Map<string, ScopedList>();
  const scopedTo = (whole: ListStep, key: string, shows: (row: string) => boolean): ListStep => {
    const { visible, step } = followScoped(parts.get(key), whole, shows);
    setBounded(parts, key, { whole: new WeakRef(whole.list), own: new WeakRef(step.list), visible }, MAX_PARTS);
    return step;
  };
  return (whole, { scope, entitlement }, filter) => {
    const { fields, list } = cutAtList(whole.text, 'orders');
    const matches = toOrderFilter(filter);
    const shows = (row: string): boolean => isVisible(scope, row) && matches(row);
    const all = whole.step ?? readRows(NO_ROWS, [list ?? ''], 'id');
    const step = all.left > 0 ? undefined : scopedTo(all, JSON.stringify([entitlement, filter]), shows);
    const rows = step?.list.rows ?? [...cutRows(list ?? '')].filter(shows);
    const drop = toOwnDrop(fields, () => [...missing()].filter(shows).length);
    const proof = describeProof(fields, filter, rows.length, drop);
    return { text: joinFields([...proof, ...toOwnConflicts(fields, rows), ['orders', `[${rows.join(',')}]`]]), step };
  };
}

function followScoped(
  known: ScopedList | undefined,
  { from, list, diff }: ListStep,
  shows: (row: string) => boolean,
): Pick<ScopedList, 'visible'> & { readonly step: ListStep } {
  const [whole, own] = [known?.whole.deref(), known?.own.deref()];
  if (known === undefined || whole === undefined || own === undefined) return beginScoped(list, shows);
  const { visible } = known;
  if (whole === list) return { visible, step: stayAt(own) };
  if (from.deref() !== whole) return beginScoped(list, shows);
  const ownDiff = toOwnDiff(diff, shows);
  for (const { key } of ownDiff.gone) visible.delete(key);
  for (const { key } of ownDiff.added) visible.add(key);
  const next = filterRows(list, (_, key) => visible.has(key));
  return { visible, step: { from: known.own, list: next, diff: ownDiff, left: 0 } };
}

function beginScoped(list: RowList, shows: (row: string) => boolean): ReturnType<typeof followScoped> {
  const own = filterRows(list, shows);
  return { visible: new Set(own.keys), step: stepToAll(own) };
}

/**
 * Converts a row that enters or leaves the scope to an added or gone row, which reveals nothing about the other side.
 */
function toOwnDiff(diff: RowDiff<KeyedRow>, shows: (row: string) => boolean): RowDiff<KeyedRow> {
  const added = diff.added.filter(({ row }) => shows(row));
  const gone = diff.gone.filter(({ row }) => shows(row));
  const changed: (readonly [KeyedRow, KeyedRow])[] = [];
  for (const [before, after] of diff.changed) {
    const [was, is] = [shows(before.row), shows(after.row)];
    if (was && is) changed.push([before, after]);
    else if (is) added.push(after);
    else if (was) gone.push(before);
  }
  // Sorted, because otherwise the order would reveal which rows were visible to others before.
  return { added: added.toSorted((a, b) => a.place - b.place), changed, gone };
}

/**
 * Describes the proof as for all orders, but for `count` of them: without anything that depends on the others, such as
 * their number and how often they take turns. Values are JSON texts.
 */
function describeProof(all: Fields, filter: Pairs, count: number, drop: WorkingDrop | null): Fields {
  const [complete = 'false', readFrom = 'null', readTo = 'null'] = ['complete', 'read_from', 'read_to'].map((field) =>
    all.get(field),
  );
  const part = `{"filter":${JSON.stringify(Object.fromEntries(filter))},"count":${String(count)},"read_at":${readTo}}`;
  return new Map([
    ['complete', complete],
    ['unproven', complete === 'true' ? '[]' : JSON.stringify(drop === null ? [SOME_UNPROVEN] : describeDrop(drop))],
    ['drop', JSON.stringify(drop)],
    ['parts', readTo === 'null' ? '[]' : `[${part}]`],
    ['round_seconds', 'null'],
    ['read_from', readFrom],
    ['read_to', readTo],
  ]);
}

/**
 * Returns the doubt about missing orders, without how many orders of others are missing or what the history shows of
 * them.
 */
function toOwnDrop(all: Fields, countOwn: () => number): WorkingDrop | null {
  const drop = JSON.parse(all.get('drop') ?? 'null') as WorkingDrop | null;
  const orders = drop === null || drop.state === 'unverified' ? 0 : countOwn();
  return drop === null || orders === 0 ? null : { state: drop.state, orders, working: null };
}

/** Returns the conflicts of the given rows, if there are any, without values of others. */
function toOwnConflicts(all: Fields, rows: readonly RowText[]): readonly (readonly [name: string, text: string])[] {
  const conflicts = JSON.parse(all.get('conflicts') ?? '[]') as readonly OrderConflict[];
  if (conflicts.length === 0) return [];
  const ids = new Set(rows.map((row) => toId(idTextOf(row))));
  const own = conflicts.filter(({ order_id: id }) => ids.has(id)).map(withoutValues);
  return own.length === 0 ? [] : [['conflicts', JSON.stringify(own)]];
}

const SOME_UNPROVEN = 'The last reading could not be proven complete.';

/** Reads all orders that match a filter. */
type ReadFiltered = (filter: Pairs) => Promise<WorkingText>;

/** Returns the scoped list from the working set that was read for all. */
export type FindOwn = (
  whole: WorkingText,
  viewer: OwnViewer,
  filter: Pairs,
  read: ReadFiltered,
) => Promise<WorkingText>;

interface OwnViewer extends Pick<Viewer, 'entitlement'> {
  readonly scope: Exclude<Scope, 'all'>;
}

/**
 * Reads the viewer’s own orders with a bounded number of requests if the whole set has no proof: too many orders of
 * others are no reason to doubt one’s own.
 */
export function createFindOwn(missing: () => Iterable<RowText>): FindOwn {
  const scopedTo = createScopedWorkingSet(missing);
  return async (whole, viewer, filter, read) => {
    const part = { ...scopedTo(whole, viewer, filter), provenance: whole.provenance };
    // Another read may lack the same orders that the whole set lacks.
    if (isComplete(part) || isInDoubt(whole)) return part;
    const own = await readOwn(whole, planOwnReads(viewer.scope), read);
    return own === null ? part : { ...own, ...createScopedWorkingSet(missing)(own, viewer, filter) };
  };
}

function isComplete({ text }: WorkingText): boolean {
  return cutAtList(text, 'orders').fields.get('complete') === 'true';
}

function isInDoubt({ text }: WorkingText): boolean {
  return (cutAtList(text, 'orders').fields.get('drop') ?? 'null') !== 'null';
}

/** Returns null if the viewer’s orders cannot be read separately, or not now. */
async function readOwn(
  whole: WorkingText,
  sequences: readonly OrderSequence[] | null,
  read: ReadFiltered,
): Promise<WorkingText | null> {
  if (sequences === null) return null;
  try {
    return join(
      whole,
      await Promise.all(sequences.map(async ({ filter, counts }) => ({ counts, ...(await read(filter)) }))),
    );
  } catch (error) {
    if (error instanceof VenueFailure) return null;
    throw error;
  }
}

type OwnRead = WorkingText & Pick<OrderSequence, 'counts'>;

function join(whole: WorkingText, reads: readonly OwnRead[]): WorkingText {
  const cuts = reads.map(({ text, counts }) => ({ ...cutAtList(text, 'orders'), counts }));
  const rows = cuts.flatMap(({ list, counts }) =>
    list === null || list === '' ? [] : [...cutRows(list)].filter(counts),
  );
  // A scope without orders is fully known at the time of any reading. Instants have a uniform format, so they sort as
  // texts.
  const times = (reads.length === 0 ? [cutAtList(whole.text, 'orders')] : cuts)
    .flatMap(({ fields }) => ['read_from', 'read_to'].map((name) => fields.get(name) ?? 'null'))
    .filter((time) => time !== 'null')
    .toSorted();
  const text = joinFields([
    ['complete', String(cuts.every(({ fields }) => fields.get('complete') === 'true'))],
    ['read_from', times[0] ?? 'null'],
    ['read_to', times.at(-1) ?? 'null'],
    ['orders', `[${rows.join(',')}]`],
  ]);
  const provenances = reads.flatMap(({ provenance }) => provenance ?? []);
  return {
    text,
    provenance:
      provenances.length === 0
        ? whole.provenance
        : provenanceOfAll(provenances, Math.min(...provenances.map(({ freshSeconds }) => freshSeconds))),
  };
}
