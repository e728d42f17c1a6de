import type { Order } from '#contract/exchange/order.ts';
import { createPageLimit } from '#contract/desk/page-limit.ts';
import { toNextCursor, type Cursor, type Page } from '#contract/exchange/paging.ts';
import type { ApiResponse } from '#model/response.ts';
import type { Api } from './create-api.ts';
import { ProblemError } from './errors.ts';

type OrdersRequest = Parameters<Api['venue']['orders']>[0];
type FetchOrders = (
  cursor: Cursor | null,
  options?: Parameters<Api['venue']['orders']>[1],
) => Promise<ApiResponse<Page<Order>>>;

/** Reads the pages of one orders request, with as many rows per page as the exchange allows. */
export function createOrderPages({ venue }: Api, request: OrdersRequest, rowsPerPage: number): FetchOrders {
  const withLimit = createPageLimit(isRejectedByVenue);
  return (cursor, options) =>
    withLimit(rowsPerPage, (limit) =>
      venue.orders({ ...request, ...(limit !== undefined && { limit }), ...(cursor !== null && { cursor }) }, options),
    );
}

/** If Perpdesk rejects a parameter itself, it names it in the problem document. */
function isRejectedByVenue(error: unknown): boolean {
  return error instanceof ProblemError && error.type === 'bad-parameter' && error.document.parameter === undefined;
}

/** The rows of a page, including those that failed validation. */
export type PageRows<Row> = Pick<ApiResponse<Page<Row>>, 'value' | 'setAside'>;

/** How the exchange signalled the end of a list. */
export type PageEnd = 'no cursor' | 'empty cursor' | 'repeated cursor' | 'empty page';

/**
 * Returns the cursor of the next page; null at the end. `sent` holds the cursors of all pages so far, null for the
 * first.
 */
export function toPageAfter(page: PageRows<unknown>, sent: readonly (Cursor | null)[]): Cursor | null {
  return toNextCursor({ ...page.value, data: allRows(page) }, sent);
}

/** Returns how the list ended with this page; null if another page follows. */
export function toPageEnd(page: PageRows<unknown>, sent: readonly (Cursor | null)[]): PageEnd | null {
  if (toPageAfter(page, sent) !== null) return null;
  if (allRows(page).length === 0) return 'empty page';
  const { cursor } = page.value.pagination;
  if (cursor === undefined || cursor === null) return 'no cursor';
  return cursor === '' ? 'empty cursor' : 'repeated cursor';
}

/** A page whose rows all failed validation is not empty: more pages may follow. */
function allRows({ value, setAside }: PageRows<unknown>): readonly unknown[] {
  return [...value.data, ...setAside];
}

/** Reads all pages to the end, for callers that need every row, such as an export. */
export async function* readPages<Row, Response extends PageRows<Row>>(
  fetchPage: (cursor: Cursor | null) => Promise<Response>,
): AsyncGenerator<Response, PageEnd> {
  const sent: (Cursor | null)[] = [null];
  for (let cursor: Cursor | null = null; ;) {
    const page = await fetchPage(cursor);
    yield page;
    cursor = toPageAfter(page, sent);
    if (cursor === null) return toPageEnd(page, sent) ?? 'no cursor';
    sent.push(cursor);
  }
}
