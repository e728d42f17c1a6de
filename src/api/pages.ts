import type { Order } from '#contract/order.ts';
import { createPageLimit } from '#contract/page-limit.ts';
import { toNextCursor, type Cursor, type Page } from '#contract/paging.ts';
import { LARGEST_LIMIT } from '#contract/parameters.ts';
import type { Answer } from './answer.ts';
import type { Api } from './create-api.ts';
import { ProblemError } from './errors.ts';

/** As many orders as one request can bring. */
export const LARGEST_ORDERS_PAGE = LARGEST_LIMIT.orders;

type OrdersRequest = Parameters<Api['venue']['orders']>[0];
type AskForOrders = (cursor: Cursor | null, asking?: Parameters<Api['venue']['orders']>[1]) => Promise<Answer<Page<Order>>>;

/** Asks for the pages of one question, of as many orders as wanted where the venue gives that many. */
export function createOrderPages({ venue }: Api, request: OrdersRequest, wanted: number): AskForOrders {
  const withLimit = createPageLimit(isRefusedByVenue);
  return (cursor, asking) =>
    withLimit(wanted, (limit) => venue.orders({ ...request, ...(limit !== undefined && { limit }), ...(cursor !== null && { cursor }) }, asking));
}

/** What the desk itself refuses, it says which parameter of. */
function isRefusedByVenue(error: unknown): boolean {
  return error instanceof ProblemError && error.type === 'bad-parameter' && error.document.parameter === undefined;
}

/** A page as it was read, odd rows included. */
export type PageAnswer<Row> = Pick<Answer<Page<Row>>, 'value' | 'setAside'>;

/** Why a list ends: in the venue's own way of saying so. */
export type PageEnd = 'no cursor' | 'empty cursor' | 'repeated cursor' | 'empty page';

/** The cursor of the page after this one; null at the end. `sent` has the cursors of all pages so far, null for the first. */
export function toPageAfter(page: PageAnswer<unknown>, sent: readonly (Cursor | null)[]): Cursor | null {
  return toNextCursor({ ...page.value, data: rowsOnTheWire(page) }, sent);
}

/** Why there is no page after this one; null where there is one. */
export function toPageEnd(page: PageAnswer<unknown>, sent: readonly (Cursor | null)[]): PageEnd | null {
  if (toPageAfter(page, sent) !== null) return null;
  if (rowsOnTheWire(page).length === 0) return 'empty page';
  const { cursor } = page.value.pagination;
  if (cursor === undefined || cursor === null) return 'no cursor';
  return cursor === '' ? 'empty cursor' : 'repeated cursor';
}

/** A page whose rows were all set aside is not an empty one: more may follow. */
function rowsOnTheWire({ value, setAside }: PageAnswer<unknown>): readonly unknown[] {
  return [...value.data, ...setAside];
}

/** Reads page after page to the end, for what needs all of it at once (an export, a window of funding). */
export async function* readPages<Row, Answered extends PageAnswer<Row>>(
  ask: (cursor: Cursor | null) => Promise<Answered>,
): AsyncGenerator<Answered, PageEnd> {
  const sent: (Cursor | null)[] = [null];
  for (let cursor: Cursor | null = null; ; ) {
    const page = await ask(cursor);
    yield page;
    cursor = toPageAfter(page, sent);
    if (cursor === null) return toPageEnd(page, sent) ?? 'no cursor';
    sent.push(cursor);
  }
}
