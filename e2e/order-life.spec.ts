import { expect, type Page } from '@playwright/test';
import { MISPRICED } from './listed-products.ts';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { readWorking, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';
import { exportAs } from './export-menu.ts';

/** In this busy market, each second of the test is five minutes. */
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

/** Whether a product has settlements, which futures without trades lack. */
async function hasSettled(page: Page, id: number): Promise<boolean> {
  const begin = new Date(Date.now() - 6 * DAY_MS).toISOString();
  const sessions = (await (
    await page.request.get(`/api/web/charts/price/${String(id)}?begin_time=${begin}`)
  ).json()) as readonly { readonly time: string }[];
  return sessions.some(({ time }) => Date.parse(time) < Date.now());
}

/**
 * Returns a partially filled order from the journal, in a future or perpetual with settlements and prices in USD. Until
 * there is one, it reads working orders as a screen does.
 */
async function findFilled(page: Page): Promise<Change> {
  const isWanted = ({ order, before }: Change): boolean =>
    order.product_type === 'Future' &&
    order.symbol !== MISPRICED &&
    order.quantity_filled > (before?.quantity_filled ?? Infinity);
  let found: Change | undefined;
  await expect
    .poll(
      async () => {
        await readWorking(page);
        const { changes } = (await (
          await page.request.get('/api/desk/journal/changes?kind=changed&limit=1000')
        ).json()) as { readonly changes: readonly Change[] };
        for (const change of changes.filter(isWanted))
          if (found === undefined && (await hasSettled(page, change.order.product_id))) found = change;
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
  await expect(page.getByRole('link', { name: `Price of ${order.symbol}` })).toHaveAttribute(
    'href',
    new RegExp(`^/price/${encodeURIComponent(order.symbol)}`),
  );
  const group = page.getByRole('group', { name: 'Changes of the order, newest first' });
  await group.focus();
  await page.keyboard.press('Tab');
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText('/api/desk/journal/order');
  await page.keyboard.press('Escape');
  const file = page.waitForEvent('download');
  await exportAs(page, 'CSV, with sources');
  expect((await file).suggestedFilename()).toBe(`order-${id}.csv`);
  await inEachLook(
    page,
    [
      [390, 900],
      [1_280, 900],
      [2_560, 900],
    ],
    async (look) => {
      await expectToFit(page, look);
      await expectAccessible(page, look);
      await takeShot(page, `order-life-${look.colorScheme}-${String(look.width)}`);
    },
  );
});
