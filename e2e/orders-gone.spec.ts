import { expect, type Page } from '@playwright/test';
import { openOrders, orderGrid, withDesk, type WireOrder } from './orders-desk.ts';

/** A busy market: each second of the test is a minute of it. */
const test = withDesk(['--working', '300', '--live', 'on', '--speed', '60']);

test.use({ live: false });

const UPDATE_MS = 25_000;
const HOUR_MS = 3_600_000;

test.setTimeout(60_000);

async function findClosed({ request }: Pick<Page, 'request'>): Promise<WireOrder> {
  const { data } = (await (await request.get('/api/orders?limit=500')).json()) as { readonly data: readonly WireOrder[] };
  const closed = data.filter(({ status }) => status === 'Closed');
  const [first] = closed.slice(Math.floor(closed.length / 2));
  if (first === undefined) throw new Error('No order is closed.');
  return first;
}

test('the count of orders that are no longer working is a filter, in the address too', async ({ page }) => {
  await openOrders(page);
  const count = page.locator('footer').getByRole('button', { name: /no longer working$/ });
  await expect(count).toBeVisible({ timeout: UPDATE_MS });
  await page.keyboard.press('p');
  await count.click();
  await expect(count).toHaveAttribute('aria-pressed', 'true');
  await expect(page).toHaveURL(/f=status/);
  await expect(orderGrid(page).locator('[data-part=body] > [role=row]').first()).toHaveAttribute('data-mark', 'gone');
  await expect(orderGrid(page).locator('[data-part=body] > [role=row]:not([data-mark=gone])')).toHaveCount(0);
  await count.click();
  await expect(page).not.toHaveURL(/f=status/);
  await expect(orderGrid(page).locator('[data-part=body] > [role=row]:not([data-mark=gone])').first()).toBeVisible();
});

test('a link to an order that is gone, and a search for its id, lead to where the history has it', async ({ page }) => {
  const { id } = await findClosed(page);
  const link = page.getByRole('link', { name: `Look for order ${id} in order history` });
  await openOrders(page, `?beside=order&order=${id}`);
  await expect(page.getByRole('complementary', { name: 'Order' })).toContainText(`Order ${id} is not among these working orders.`);
  await link.click();
  const beside = page.getByRole('complementary', { name: 'Order' });
  await expect(beside).toContainText('Lived (to last change)');
  await expect(page.getByRole('grid', { name: 'Order history' }).locator('[role=row][aria-current=true]')).toContainText(id);
  await openOrders(page);
  await page.getByRole('searchbox').fill(id);
  await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await expect(link).toBeVisible();
  await page.getByRole('searchbox').fill(id.slice(0, 8));
  await expect(link).toHaveCount(0);
});

test('how orders closed is read in narrow requests, after all others', async ({ page }) => {
  const OUTCOMES = /\/api\/orders\?/;
  const read = page.waitForRequest(OUTCOMES, { timeout: UPDATE_MS });
  await openOrders(page);
  const request = await read;
  const query = new URL(request.url()).searchParams;
  expect(Date.parse(query.get('end_time') ?? '') - Date.parse(query.get('begin_time') ?? '')).toBeLessThanOrEqual(HOUR_MS + 2_000);
  expect(request.headers()['desk-purpose']).toBe('prefetch');
});

test('while less than half of the budget is left, nothing is read of orders that are gone', async ({ page }) => {
  await page.route('**/api/desk/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as { readonly budget: object };
    await route.fulfill({ json: { ...status, budget: { ...status.budget, limit: { requests: 200, seconds: 300, reserve: 30 }, used: 101 } } });
  });
  let reads = 0;
  page.on('request', (request) => { reads += Number(request.url().includes('/api/orders?')); });
  await page.clock.install();
  await openOrders(page);
  const gone = page.locator('footer').getByRole('button', { name: /no longer working$/ });
  await expect(gone).toBeVisible({ timeout: UPDATE_MS });
  await page.clock.runFor(16_000);
  await expect(gone).toBeVisible({ timeout: UPDATE_MS });
  expect(reads).toBe(0);
});
