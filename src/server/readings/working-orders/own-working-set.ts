import { joinFields } from '#contract/parse/json-split.ts';
import { cutAtList, cutRows } from '#contract/parse/row-texts.ts';
import type { RowText } from '#server/journal/segment/change.ts';
import type { Pairs } from '#server/core/order-rows.ts';
import { provenanceOfAll } from '#server/core/provenance.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Scope, Viewer } from '#server/core/viewer.ts';
import { planOwnReads, type OrderSequence } from '../orders/plan-order-reads.ts';
import { createPartOfWorkingSet, type WorkingText } from './part-of-working-set.ts';

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
