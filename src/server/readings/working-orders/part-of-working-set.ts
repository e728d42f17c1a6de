import type { WorkingDrop } from '#contract/desk/desk.ts';
import { joinFields } from '#contract/parse/json-split.ts';
import type { RowDiff } from '#contract/parse/row-diff.ts';
import { cutAtList, cutRows } from '#contract/parse/row-texts.ts';
import { setBounded } from '#server/core/bounded-map.ts';
import { isVisible, toOrderFilter, type Pairs } from '#server/core/order-rows.ts';
import { provenanceOfAll, type Provenance } from '#server/core/provenance.ts';
import {
  filterRows,
  NO_ROWS,
  readRows,
  stayAt,
  stepToAll,
  type KeyedRow,
  type ListStep,
  type RowList,
} from '#server/core/row-list.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import type { RowText } from '#server/journal/segment/change.ts';
import { describeDrop } from './describe-working-set.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { planOwnReads, type OrderSequence } from '../orders/plan-order-reads.ts';

/** A working set with its proof, as JSON. */
export interface WorkingText {
  readonly text: string;
  /** How its orders differ from those read before, where that is known. */
  readonly step?: ListStep | undefined;
  readonly provenance?: Provenance | undefined;
}

/** The working set as one viewer may see it, from the whole, which is read once for all. */
type PartOfWorkingSet = (
  whole: Pick<WorkingText, 'text' | 'step'>,
  viewer: Pick<Viewer, 'scope' | 'entitlement'>,
  filter: Pairs,
) => Pick<WorkingText, 'text' | 'step'>;

type Fields = ReadonlyMap<string, string>;

/** What those with one entitlement see of a list with one filter. Weak, as it may stay long after the last of them has left. */
interface Part {
  readonly whole: WeakRef<RowList>;
  readonly own: WeakRef<RowList>;
  /** The keys of their rows. */
  readonly visible: Set<string>;
}

const MAX_PARTS = 1_000;

/** `missing`: the orders that the newest whole may lack. */
function createPartOfWorkingSet(missing: () => Iterable<RowText>): PartOfWorkingSet {
  const parts = new Map<string, Part>();
  const partOf = (whole: ListStep, key: string, shows: (row: string) => boolean): ListStep => {
    const { visible, step } = followPart(parts.get(key), whole, shows);
    setBounded(parts, key, { whole: new WeakRef(whole.list), own: new WeakRef(step.list), visible }, MAX_PARTS);
    return step;
  };
  return (whole, { scope, entitlement }, filter) => {
    const { fields, list } = cutAtList(whole.text, 'orders');
    const matches = toOrderFilter(filter);
    const shows = (row: string): boolean => isVisible(scope, row) && matches(row);
    const all = whole.step ?? readRows(NO_ROWS, [list ?? ''], 'id');
    const step = all.left > 0 ? undefined : partOf(all, JSON.stringify([entitlement, filter]), shows);
    const rows = step?.list.rows ?? [...cutRows(list ?? '')].filter(shows);
    const drop = toOwnDrop(fields, () => [...missing()].filter(shows).length);
    const proof = describeProof(fields, filter, rows.length, drop);
    return { text: joinFields([...proof, ['orders', `[${rows.join(',')}]`]]), step };
  };
}

function followPart(
  known: Part | undefined,
  { from, list, diff }: ListStep,
  shows: (row: string) => boolean,
): Pick<Part, 'visible'> & { readonly step: ListStep } {
  const [whole, own] = [known?.whole.deref(), known?.own.deref()];
  if (known === undefined || whole === undefined || own === undefined) return beginPart(list, shows);
  const { visible } = known;
  if (whole === list) return { visible, step: stayAt(own) };
  if (from.deref() !== whole) return beginPart(list, shows);
  const ownDiff = toOwnDiff(diff, shows);
  for (const { key } of ownDiff.gone) visible.delete(key);
  for (const { key } of ownDiff.added) visible.add(key);
  const next = filterRows(list, (_, key) => visible.has(key));
  return { visible, step: { from: known.own, list: next, diff: ownDiff, left: 0 } };
}

function beginPart(list: RowList, shows: (row: string) => boolean): ReturnType<typeof followPart> {
  const own = filterRows(list, shows);
  return { visible: new Set(own.keys), step: stepToAll(own) };
}

/** A row that changes sides is new on one and gone from the other: neither tells of the other. */
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
  // Otherwise their order would say which of them others could see before.
  return { added: added.toSorted((a, b) => a.place - b.place), changed, gone };
}

/**
 * The check as described for all orders, for so many of them: without what depends on the others, such as how many there
 * are and how often they take turns. Values are texts of JSON.
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

/** How many orders of others are missing, and what the history says of them, is not said. */
function toOwnDrop(all: Fields, countOwn: () => number): WorkingDrop | null {
  const drop = JSON.parse(all.get('drop') ?? 'null') as WorkingDrop | null;
  const orders = drop === null || drop.state === 'unverified' ? 0 : countOwn();
  return drop === null || orders === 0 ? null : { state: drop.state, orders, working: null };
}

const SOME_UNPROVEN = 'The last reading could not be proven complete.';

/** The orders of all that match a filter. */
type ReadFiltered = (filter: Pairs) => Promise<WorkingText>;

/** What a viewer may see of the working set that was read for all. */
export type FindOwn = (
  whole: WorkingText,
  viewer: OwnViewer,
  filter: Pairs,
  read: ReadFiltered,
) => Promise<WorkingText>;

interface OwnViewer extends Pick<Viewer, 'entitlement'> {
  readonly scope: Exclude<Scope, 'all'>;
}

/** A bounded number of reads is added where the whole has no proof: too many orders of others are no reason to doubt one’s own. */
export function createFindOwn(missing: () => Iterable<RowText>): FindOwn {
  const partOf = createPartOfWorkingSet(missing);
  return async (whole, viewer, filter, read) => {
    const part = { ...partOf(whole, viewer, filter), provenance: whole.provenance };
    // Orders that the whole lacks may be lacking again.
    if (isComplete(part) || isInDoubt(whole)) return part;
    const own = await readOwn(whole, planOwnReads(viewer.scope), read);
    return own === null ? part : { ...own, ...createPartOfWorkingSet(missing)(own, viewer, filter) };
  };
}

function isComplete({ text }: WorkingText): boolean {
  return cutAtList(text, 'orders').fields.get('complete') === 'true';
}

function isInDoubt({ text }: WorkingText): boolean {
  return (cutAtList(text, 'orders').fields.get('drop') ?? 'null') !== 'null';
}

/** Null: they cannot be read on their own, or not now. */
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
  // Of no account, everything is known whenever anything was read. Instants are written alike, so that they sort as texts.
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
