import { page, type Locator } from 'vitest/browser';
import { expect } from 'vitest';
import { open, type Change } from './mount.tsx';
import { textsOf } from './screen.ts';
import { cells, changing, type WireOrder } from './orders-page.ts';

export interface OrdersPage {
  readonly data: readonly WireOrder[];
  readonly pagination: { readonly cursor?: string | null };
}

export const grid = (): Locator => page.getByRole('grid', { name: 'Order history' });
export const searchbox = (): Locator => page.getByRole('searchbox');
export const productField = (): Locator => page.getByRole('textbox', { name: 'Product', exact: true });

/** Returns the visible texts of a column. */
export const inColumn = (column: string): readonly string[] => textsOf(cells(column, grid()));

interface Opened {
  /** Returns the queries of the requests for pages of the list, and of the checks for newer orders. */
  readonly queries: () => readonly URLSearchParams[];
}

export async function openHistory(query = '', options: Parameters<typeof open>[1] = {}): Promise<Opened> {
  const { requested } = await open(`/orders/history${query}`, options);
  await expect.element(grid().getByRole('gridcell').first()).toBeVisible();
  return {
    queries: () =>
      requested
        .filter((target) => target.startsWith('/api/orders?'))
        .map((target) => new URL(target, 'http://desk').searchParams),
  };
}

export const changingPages = (change: (page: OrdersPage, query: URLSearchParams) => unknown): Change =>
  changing('/api/orders', change);

/** The list of 1,000 orders that ends with its second page. */
export const ENDING: Change = changingPages((answer, query) =>
  query.has('cursor') ? { ...answer, pagination: { cursor: null } } : answer,
);

/** Delays the newest orders until `isEarlier` is false. */
export function hidingNewest(count: number): { isEarlier: boolean; readonly change: Change } {
  const state: { isEarlier: boolean; readonly change: Change } = {
    isEarlier: true,
    change: changingPages(({ data, pagination }, query) => {
      return { data: state.isEarlier && !query.has('cursor') ? data.slice(count) : data, pagination };
    }),
  };
  return state;
}

export async function scrollToEnd(): Promise<void> {
  const element = grid().element();
  await expect
    .poll(() => {
      element.scrollTop = element.scrollHeight;
      return document.querySelector('footer')?.innerText ?? '';
    })
    .toContain('All orders loaded');
}
