import { fieldOf } from '#contract/parse/row-texts.ts';
import { copyOf } from '#server/core/row-list.ts';
import { toInstant } from '#server/core/to-instant.ts';
import { idTextOf, toId, type Change, type RowText } from './segment/change.ts';

/** A question to the order history that answers for several orders: one product, one day of acceptance. */
export interface OutcomeRequest {
  readonly productId: string;
  readonly begin: string;
  readonly end: string;
  readonly ids: ReadonlySet<string>;
}

const SECOND_MS = 1_000;

/** The largest group first: it costs as much as any other. */
export function toOutcomeRequests(gone: Iterable<Change>): readonly OutcomeRequest[] {
  const groups = Map.groupBy(
    Array.from(gone, toPlace).filter((place) => place !== null),
    ({ productId, day }) => `${productId} ${day}`,
  );
  return [...groups.values()].map(toRequest).sort((a, b) => b.ids.size - a.ids.size);
}

interface Place {
  readonly id: string;
  readonly productId: string;
  readonly day: string;
  /** In epoch milliseconds. */
  readonly acceptedAt: number;
}

/** Null where the row does not say when the order was accepted, or in which product. */
function toPlace({ id, row }: Change): Place | null {
  const [productId = '', time = ''] = [fieldOf(row, 'product_id'), fieldOf(row, 'time')?.slice(1, -1)];
  const acceptedAt = Date.parse(time);
  return Number.isNaN(acceptedAt) || !/^\d+$/.test(productId)
    ? null
    : { id, productId, day: time.slice(0, 10), acceptedAt };
}

function toRequest(places: readonly Place[]): OutcomeRequest {
  const times = places.map(({ acceptedAt }) => acceptedAt);
  return {
    productId: places[0]?.productId ?? '',
    begin: toInstant(Math.min(...times) - SECOND_MS),
    end: toInstant(Math.max(...times) + SECOND_MS),
    ids: new Set(places.map(({ id }) => id)),
  };
}

/** Orders of a page of the history that are closed, of those that are wanted. */
export function findClosed(rows: Iterable<RowText>, wanted: ReadonlySet<string>): Map<string, RowText> {
  const closed = new Map<string, RowText>();
  for (const row of rows) {
    const id = toId(idTextOf(row));
    if (wanted.has(id) && fieldOf(row, 'status') === '"Closed"') closed.set(id, copyOf(row));
  }
  return closed;
}
