import { expect, type Locator, type Page } from '@playwright/test';
import { startDesk, type StartedDesk } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

/** Creates tests with an exchange and a server of their own, started once per worker. */
export function withDesk(venue: readonly string[]) {
  return watched.extend<object, { readonly desk: StartedDesk }>({
    desk: [
      async ({}, use) => {
        const desk = await startDesk({ venue: ['--history-days', '40', '--orders', '500', ...venue] });
        await use(desk);
        await desk.stop();
      },
      { scope: 'worker', timeout: 60_000 },
    ],
    baseURL: async ({ desk }, use) => {
      await use(desk.server.address);
    },
  });
}

/** Enough orders to scroll; the default of the specs. */
export const test = withDesk(['--working', '1200']);

/** The server has just started and is reading its exchange for the first time. */
const STARTING = 15_000;

export function orderGrid(page: Page): Locator {
  return page.locator('[aria-label="Working orders"]:is([role=grid], [role=treegrid])');
}

export async function openOrders(page: Page, query = ''): Promise<void> {
  await page.goto(`/orders${query}`);
  await expect(orderGrid(page)).toBeVisible({ timeout: STARTING });
}

/** Waits until prices and tick sizes have been read, too: until then figures, notices and totals still appear. */
export async function expectPriced(page: Page): Promise<void> {
  await expect(page.locator('footer')).toContainText(/underlying notional [\d,]+\.\d/, { timeout: STARTING });
}

/** Opens the dialog that saves, deletes, exports and imports views. */
export async function manageViews(page: Page): Promise<void> {
  await viewsButton(page).click();
  await page.getByRole('button', { name: 'Save or manage…' }).click();
  await expect(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible();
}

export function viewsButton(page: Page): Locator {
  return page.getByRole('button', { name: 'Views' });
}

/** Saves what the list shows as a view, which is then the current one. */
export async function saveView(page: Page, name: string): Promise<void> {
  await manageViews(page);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(viewsButton(page)).toHaveText(`Views: ${name}`);
}

/** Returns the texts of a column from the top of the window down; empty for groups and missing rows. */
export function textsInSight(page: Page, column: string): Promise<readonly string[]> {
  return orderGrid(page).evaluate((grid, wanted) => {
    const rows = [...grid.querySelectorAll('[role=row]')].filter(
      (row) => row.getAttribute('aria-rowindex') !== '1' && row.querySelector('[role=gridcell]') !== null,
    );
    const placed = rows.map((row) => ({
      at: Number(row.getAttribute('aria-rowindex')),
      text: row.querySelector(`[data-column="${wanted}"]`)?.textContent ?? '',
    }));
    return placed.sort((a, b) => a.at - b.at).map(({ text }) => text);
  }, column);
}

/** Returns the id of the order that has the focus. */
export function activeOrder(page: Page): Promise<string> {
  return orderGrid(page).evaluate(
    (grid) =>
      document
        .getElementById(grid.getAttribute('aria-activedescendant') ?? '')
        ?.closest('[role=row]')
        ?.querySelector('[data-column="id"]')?.textContent ?? '',
  );
}

export interface WireOrder {
  readonly id: string;
  readonly side: string;
  readonly symbol: string;
  readonly account_id: string;
  readonly quantity_requested: number;
  readonly quantity_filled: number;
  readonly [field: string]: string | number | null;
}

/** Returns the working orders as Perpdesk returns them. */
export async function readWorking({ request }: Pick<Page, 'request'>): Promise<{
  readonly orders: readonly WireOrder[];
  readonly complete: boolean;
  readonly parts: readonly unknown[];
}> {
  return (await (await request.get('/api/desk/working')).json()) as Awaited<ReturnType<typeof readWorking>>;
}

export function toCount(text: string | null): number {
  return Number((text ?? '').replaceAll(/[^\d.]/g, ''));
}
