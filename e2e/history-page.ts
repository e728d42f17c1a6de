import { expect, type Locator, type Page } from '@playwright/test';
import { withDesk, type WireOrder } from './orders-desk.ts';

/** More than three pages, in a market without new orders. */
export const test = withDesk(['--orders', '1700', '--working', '50']);
/** The server has just started and is reading its exchange for the first time. */
const STARTING = 15_000;

export function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Order history' });
}

export async function open(page: Page, query = ''): Promise<void> {
  await page.goto(`/orders/history${query}`);
  await expect(grid(page).getByRole('gridcell').first()).toBeVisible({ timeout: STARTING });
}

interface OrdersPage {
  readonly data: readonly WireOrder[];
  readonly pagination: { readonly cursor?: string | null };
}

/** Returns every order, as Perpdesk returns them. */
export async function readAll(page: Page, query = ''): Promise<readonly WireOrder[]> {
  const orders: WireOrder[] = [];
  for (let cursor = ''; ;) {
    const response = (await (
      await page.request.get(`/api/orders?limit=1000${query}${cursor && `&cursor=${cursor}`}`)
    ).json()) as OrdersPage;
    orders.push(...response.data);
    cursor = response.pagination.cursor ?? '';
    if (response.data.length === 0 || cursor === '') return orders;
  }
}

/**
 * Records the queries of the requests for pages of the list, and of the checks for newer orders, which come every half
 * minute.
 */
export function watchRequests(page: Page): URLSearchParams[] {
  const requests: URLSearchParams[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/orders') requests.push(url.searchParams);
  });
  return requests;
}

export function inColumn(page: Page, column: string): Promise<readonly string[]> {
  return grid(page).locator(`[role=gridcell][data-column="${column}"]`).allInnerTexts();
}

export async function scrollToEnd(page: Page): Promise<void> {
  await expect(async () => {
    await grid(page).evaluate((element) => {
      element.scrollTop = element.scrollHeight;
    });
    await expect(page.locator('footer').getByText('All orders loaded: the next page is empty')).toBeVisible({
      timeout: 100,
    });
  }).toPass();
  // The last rows may have arrived after the last step.
  await grid(page).evaluate((element) => {
    element.scrollTop = element.scrollHeight;
  });
}
