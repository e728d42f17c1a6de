import { DEFAULT_LIMIT, LARGEST_LIMIT } from '#contract/exchange/parameters.ts';
import type { PageLimit } from '#contract/desk/page-limit.ts';
import { cutAtList, cutRows } from '#contract/parse/row-texts.ts';
import { splitFields } from '#contract/parse/json-split.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import { createBody } from '#server/core/body.ts';
import { entityTagOf } from '#server/web/send-response.ts';
import { toText, type Pairs } from '#server/core/order-rows.ts';
import {
  type Provenance,
  provenanceOf,
  provenanceOfAll,
  type Reader,
  type ReadOptions,
  type Served,
  type VenueRequest,
} from '#server/core/ports.ts';
import type { SealedCursors } from '#server/core/sealed-texts.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { toLimitPairs, toVenueRequest } from '#server/core/venue-request.ts';
import type { Viewer } from '#server/core/viewer.ts';
import type { WorkingText } from './describe-working-set.ts';
import {
  mergeOrderPages,
  type OrderPage,
  type OrderSequence,
  type Place,
  planOrderReads,
  START,
} from './merge-order-pages.ts';

/** Responds to a request for private data with the part that a viewer with a limited scope may see. */
export type ReadScoped = (request: VenueRequest, viewer: Viewer, options: ReadOptions) => Promise<Served>;

export interface ScopedOrdersDeps {
  readonly profile: VenueProfile;
  readonly reader: Pick<Reader, 'read'>;
  readonly cursors: SealedCursors;
  readonly withLimit: PageLimit;
  readonly now: () => number;
  /** Responds with the working set of a viewer, like Perpdesk’s own endpoint. */
  readonly readWorking: (query: Pairs, viewer: Viewer, options: ReadOptions) => Promise<WorkingText>;
}

export function createScopedOrders(deps: ScopedOrdersDeps): ReadScoped {
  return async (request, viewer, options) => {
    if (viewer.scope === 'all') throw new Error('nothing of it is hidden from this viewer');
    if (request.name === 'ordersWorking') return readWorking(deps, request, viewer, options);
    if (request.name === 'orders') return readHistory(deps, request, { ...viewer, scope: viewer.scope }, options);
    throw new Error(`nothing says whose the rows of ${request.name} are`);
  };
}

async function readWorking(
  deps: ScopedOrdersDeps,
  { query, endpoint }: VenueRequest,
  viewer: Viewer,
  options: ReadOptions,
): Promise<Served> {
  const { text, provenance } = await deps.readWorking(query, viewer, options);
  const { fields, list } = cutAtList(text, 'orders');
  // A plain list cannot say that it is incomplete.
  if (fields.get('complete') !== 'true')
    throw new VenueFailure({
      type: 'too-many-working-orders',
      detail: 'The working orders could not be read completely: /api/desk/working returns what was read of them.',
    });
  return toServed(`[${list ?? ''}]`, provenance ?? readNow(deps, endpoint));
}

/** In addition to the first page of each sequence, without which the next order is unknown. */
const MAX_READS = 20;

interface Limited extends Viewer {
  readonly scope: Exclude<Viewer['scope'], 'all'>;
}

async function readHistory(
  deps: ScopedOrdersDeps,
  { query, endpoint }: VenueRequest,
  { scope, entitlement }: Limited,
  options: ReadOptions,
): Promise<Served> {
  const { limit = String(DEFAULT_LIMIT), cursor, order = 'desc' } = Object.fromEntries(query);
  const filter = query.filter(([name]) => name !== 'limit' && name !== 'cursor' && name !== 'order');
  const sequences = planOrderReads([...filter, ['order', order]], scope);
  const owner = JSON.stringify(['orders', entitlement, order, filter]);
  const read = createPageReader(deps, options);
  const merged = await mergeOrderPages({
    sequences,
    places:
      cursor === undefined
        ? sequences.map(() => START)
        : parsePlaces(deps.cursors.open(cursor, owner), sequences.length),
    limit: Number(limit),
    isNewestFirst: order === 'desc',
    maxReads: sequences.length + MAX_READS,
    read: read.page,
  });
  const hasMore = merged.places.some((place) => place !== null);
  // To a client, an empty page is the last one.
  if (hasMore && merged.rows.length === 0) throw toNothingFound();
  const next = hasMore
    ? deps.cursors.seal(
        JSON.stringify(merged.places.map((place) => place && [place.cursor, place.after, place.size])),
        owner,
      )
    : null;
  const text = `{"data":[${merged.rows.join(',')}],"pagination":${JSON.stringify({ cursor: next })}}`;
  const [first, ...others] = read.provenances();
  return toServed(
    text,
    first === undefined ? readNow(deps, endpoint) : provenanceOfAll([first, ...others], endpoint.reuseSeconds),
  );
}

/** Reads pages of the exchange and collects their sources. A page with orders of others is as large as possible. */
function createPageReader({ profile, reader, withLimit }: ScopedOrdersDeps, options: ReadOptions) {
  const provenances: Provenance[] = [];
  return {
    provenances: (): readonly Provenance[] => provenances,
    page: async ({ filter, isMixed }: OrderSequence, cursor: string | null, size: number): Promise<OrderPage> => {
      const served = await withLimit(isMixed ? LARGEST_LIMIT.orders : size, (accepted) =>
        reader.read(
          toVenueRequest(profile, 'orders', {}, [
            ...filter,
            ...toLimitPairs(accepted),
            ...(cursor === null ? [] : [['cursor', cursor] as const]),
          ]),
          options,
        ),
      );
      provenances.push(provenanceOf(served));
      return toPage(served.response.body.toString());
    },
  };
}

function toPage(text: string): OrderPage {
  const { fields, list } = cutAtList(text, 'data');
  if (list === null)
    throw new VenueFailure({
      type: 'venue-answer-unreadable',
      detail: 'The exchange’s response is not a page of orders.',
    });
  const next = toText(splitFields(fields.get('pagination') ?? '{}').get('cursor'));
  return { rows: list === '' ? [] : [...cutRows(list)], next: next === '' ? null : next };
}

function parsePlaces(position: string | null, count: number): readonly Place[] {
  const places = position === null ? null : (JSON.parse(position) as readonly (SealedPlace | null)[]);
  if (places?.length !== count)
    throw new VenueFailure({
      type: 'bad-parameter',
      detail: 'The cursor is not one of an earlier page.',
      parameter: 'cursor',
    });
  return places.map((place) => place && toPlace(place));
}

/** Older cursors have no size. */
type SealedPlace = readonly [cursor: string | null, after: string | null, size?: number];

function toPlace([cursor, after, size = 0]: SealedPlace): Place {
  return { cursor, after, size };
}

function toNothingFound(): VenueFailure {
  return new VenueFailure({
    type: 'bad-parameter',
    detail:
      'No order that you may see was found among those that were looked through: filter by one of your ' +
      'accounts, clearing firms or connections.',
    parameter: 'account_id',
  });
}

function readNow({ now }: ScopedOrdersDeps, { reuseSeconds }: VenueRequest['endpoint']): Provenance {
  return { outcome: 'hit', freshSeconds: reuseSeconds, staleBecause: null, respondedAt: now() };
}

function toServed(text: string, { respondedAt, outcome, freshSeconds, staleBecause }: Provenance): Served {
  const bytes = Buffer.from(text);
  return {
    response: { body: createBody([bytes]), contentType: 'application/json', respondedAt, tag: entityTagOf(bytes) },
    outcome,
    freshSeconds,
    staleBecause,
  };
}
