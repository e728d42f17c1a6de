import { expect, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { MISPRICED } from './listed-products.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { openOrders, readWorking, withDesk } from './orders-desk.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';

/** A busy market: each second of the test is five minutes of it. */
const test = withDesk(['--working', '300', '--live', 'on', '--speed', '300']);

test.use({ live: false });
test.setTimeout(90_000);

interface Change {
  readonly kind: string;
  readonly order_id: string;
  readonly order: FilledOrder;
  readonly before: FilledOrder | null;
}

interface FilledOrder {
  readonly product_id: number;
  readonly product_type: string;
  readonly quantity_filled: number;
  readonly symbol: string;
}

const DAY_MS = 86_400_000;

/** Futures without trades have no settlements. */
async function hasSettled(page: Page, id: number): Promise<boolean> {
  const begin = new Date(Date.now() - 6 * DAY_MS).toISOString();
  const sessions = (await (await page.request.get(`/api/web/charts/price/${String(id)}?begin_time=${begin}`)).json()) as readonly { readonly time: string }[];
  return sessions.some(({ time }) => Date.parse(time) < Date.now());
}

/** An order that filled in part, as the journal has it, of a future or perpetual with settlements and prices in USD; until there is one, working orders are read as by a screen. */
async function findFilled(page: Page): Promise<Change> {
  const isWanted = ({ order, before }: Change): boolean => order.product_type === 'Future' && order.symbol !== MISPRICED && order.quantity_filled > (before?.quantity_filled ?? Infinity);
  let found: Change | undefined;
  await expect
    .poll(
      async () => {
        await readWorking(page);
        const { changes } = (await (await page.request.get('/api/desk/journal/changes?kind=changed&limit=1000')).json()) as { readonly changes: readonly Change[] };
        for (const change of changes.filter(isWanted)) if (found === undefined && (await hasSettled(page, change.order.product_id))) found = change;
        return found;
      },
      { timeout: 60_000 },
    )
    .toBeDefined();
  if (found === undefined) throw new Error('No order filled.');
  return found;
}

test('the life of an order has an address of its own: line, changes, links and file', async ({ page }) => {
  const { order_id: id, order } = await findFilled(page);
  await page.goto(`/orders/life/${id}`);
  await expect(page.getByRole('img', { name: /^\d[\d,]* of \d[\d,]* filled in \d+ step/ })).toBeVisible();
  const table = page.getByRole('table', { name: 'Changes of the order, newest first' });
  await expect(table.getByRole('row', { name: /^First seen/ })).toHaveCount(1);
  await expect(table).toContainText(/\d → \d[\d,]* of \d/);
  await expect(page.getByText(/^Journal since /)).toBeVisible();
  const settlements = page.getByRole('table', { name: 'Settlements of the product, newest first' });
  await expect(settlements.getByRole('row').nth(1)).toContainText(/\d UTC.*\d USD.*\d (%|USD)/);
  await expect(page.getByRole('link', { name: `Price of ${order.symbol}` })).toHaveAttribute('href', new RegExp(`^/price/${encodeURIComponent(order.symbol)}`));
  const group = page.getByRole('group', { name: 'Changes of the order, newest first' });
  await group.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText('/api/desk/journal/order');
  await page.keyboard.press('Escape');
  const file = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV', exact: true }).click();
  expect((await file).suggestedFilename()).toBe(`order-${id}.csv`);
  await inEachLook(page, [[390, 900], [1_280, 900], [2_560, 900]], async (look) => {
    await expectToFit(page, look);
    await expectAccessible(page, look);
    await takeShot(page, `order-life-${look.colorScheme}-${String(look.width)}`);
  });
});

test('the panel of an order shows its life, whose link opens by keyboard', async ({ page }) => {
  await openOrders(page);
  // What the exchange no longer lists as working is not in the panel, so the order is one that has just been read.
  await page.keyboard.press('p');
  await expect(page.getByRole('button', { name: /^Paused/ })).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('grid', { name: 'Working orders' }).locator('[data-part=body] > [role=row]').first().dblclick();
  const life = page.getByRole('region', { name: 'Life' });
  await expect(life).toContainText(/First seen|Working when the journal began/);
  await expect(life).toContainText(/by \d{4}-|between \d{4}-/);
  await expect(life).toContainText('Journal since');
  await life.scrollIntoViewIfNeeded();
  await expectNoViolation(page, { part: 'aside' });
  await takeShot(page, 'order-life-panel-light-1280');
  await life.getByRole('link', { name: /^Open the life of order/ }).focus();
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/orders\/life\/\d+$/);
  await expect(page.getByRole('heading', { name: 'Life of an order' })).toBeVisible();
});

test('an order that the journal does not have, and an address that is no order, say so', async ({ page }) => {
  await readWorking(page);
  await page.goto('/orders/life/1');
  await expect(page.getByRole('heading', { name: 'Not in the journal' })).toBeVisible();
  await page.goto('/orders/life/abc');
  await expect(page.getByRole('heading', { name: 'Not an order ID' })).toBeVisible();
});

test.describe('failures', () => {
  test.use({ provoked: /429/ });

  test('a failed read says so and can be repeated, and later ones keep what was read', async ({ page }) => {
    const id = (await readWorking(page)).orders[0]?.id ?? '';
    let fails = true;
    await page.route('**/api/desk/journal/order?*', async (route) => {
      if (fails) await route.fulfill(toProblemResponse('budget-spent', 'The request budget is exhausted.'));
      else await route.continue();
    });
    await page.goto(`/orders/life/${id}`);
    const retry = page.getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible();
    fails = false;
    await retry.click();
    await expect(page.getByText(/^Journal since /)).toBeVisible();
    fails = true;
    await expect(page.getByText('Stale.').first()).toBeVisible({ timeout: 20_000 });
    await expect(page.getByText(/^Journal since /)).toBeVisible();
  });
});
