import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { startDeskBefore } from '#testing/start-desk.ts';
import { takeExport } from './export-files.ts';
import { limitVenue } from './limited-venue.ts';
import { openOrders, orderGrid, readWorking, test, textsInSight, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

const many = withDesk(['--working', '12000']);

many.describe('twelve thousand orders', () => {
  many.setTimeout(60_000);
  // One at a time: so many orders are slow to make.
  many.describe.configure({ mode: 'default' });

  many('are read in parts, and the list is complete', async ({ page }) => {
    await openOrders(page, '?beside=proof');
    await expect(page.locator('footer')).toContainText('12,000 of 12,000 shown');
    const { parts, complete } = await readWorking(page);
    expect(complete).toBe(true);
    // By type, and on days when one type has too many, also by product.
    expect(parts.length).toBeGreaterThan(1);
    const check = page.getByRole('complementary', { name: 'Completeness check' });
    await expect(check).toContainText(`Complete, ${String(parts.length)} parts`);
    await expect(check.getByRole('table').locator('tbody tr')).toHaveCount(parts.length);
    await expect(check).toContainText('Sum over parts12,000');
    await expect(check).toContainText('Duplicate IDsnone');
    await expect(orderGrid(page)).toHaveAttribute('aria-rowcount', '12001');
    await takeShot(page, 'orders-12000-proof-light-1280');
  });

  many('scroll from the first to the last, each once and in order', async ({ page }) => {
    await openOrders(page, '?cols=id,side');
    const ids = (await readWorking(page)).orders.map(({ id }) => BigInt(id)).sort((a, b) => (a < b ? 1 : -1));
    await orderGrid(page).focus();
    await page.keyboard.press('Control+End');
    await expect.poll(async () => (await textsInSight(page, 'id')).at(-1)).toBe(String(ids.at(-1)));
    await page.keyboard.press('Control+Home');
    await expect.poll(async () => (await textsInSight(page, 'id'))[0]).toBe(String(ids[0]));
    expect(await scrollThrough(page)).toEqual(ids.map(String));
  });
});

/** The id of each line from the first to the last, screen by screen; both ids if two screens differ on a line. */
function scrollThrough(page: Page): Promise<readonly string[]> {
  return orderGrid(page).evaluate(async (grid) => {
    const lines = new Map<number, Set<string>>();
    const note = (): void => {
      for (const row of grid.querySelectorAll('[role=row]')) {
        const id = row.querySelector('[role=gridcell][data-column="id"]')?.textContent;
        const line = Number(row.getAttribute('aria-rowindex'));
        if (id !== undefined && line > 1) lines.set(line, (lines.get(line) ?? new Set()).add(id));
      }
    };
    for (let before = -1; before !== grid.scrollTop; ) {
      note();
      before = grid.scrollTop;
      grid.scrollTop += grid.clientHeight * 0.8;
      await new Promise(requestAnimationFrame);
      await new Promise(requestAnimationFrame);
    }
    return [...lines].sort(([a], [b]) => a - b).map(([, ids]) => [...ids].join(' '));
  });
}

/** The product with most working orders, which changes daily, has more than the venue returns at once. */
const limited = test.extend({
  baseURL: async ({ desk, playwright }, use) => {
    const request = await playwright.request.newContext({ baseURL: desk.gateway.address });
    const { orders } = await readWorking({ request });
    await request.dispose();
    const counts = [...Map.groupBy(orders, ({ symbol }) => symbol).values()].map(({ length }) => length);
    const own = await startDeskBefore(await limitVenue(desk.venue.address, Math.floor(Math.max(...counts) * 0.7)));
    await use(own.gateway.address);
    await own.stop();
  },
});

limited('a part that is too large to split further makes header, footer and export INCOMPLETE', async ({ page }) => {
  await openOrders(page, '?beside=proof');
  await expect(page.getByRole('main')).toContainText('INCOMPLETE. Some working orders may be missing from this list.');
  await expect(page.locator('[aria-live=assertive]')).toContainText('INCOMPLETE. Some working orders may be missing');
  await expect(page.locator('footer')).toContainText('INCOMPLETE');
  await expect(page.getByRole('complementary', { name: 'Completeness check' })).toContainText('accounts seen so far');
  await takeShot(page, 'orders-incomplete-light-1280');
  const files = await takeExport(page, async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: /^Export [\d,]+ orders?$/ }).click();
  });
  expect([files.csv.suggestedFilename(), files.statement.suggestedFilename()]).toEqual([expect.stringMatching(/INCOMPLETE\.csv$/), expect.stringMatching(/INCOMPLETE\.completeness\.json$/)]);
  const [csv, statement] = [await files.read(files.csv), await files.read(files.statement)];
  const [head = '', ...lines] = csv.trimEnd().split('\r\n');
  expect(head.split(',')).toContain('set');
  expect(lines.filter((line) => !line.includes(',INCOMPLETE,'))).toEqual([]);
  expect(JSON.parse(statement)).toMatchObject({ set: 'INCOMPLETE', exported_orders: lines.length });
  expect(statement).toMatch(/"statement": "INCOMPLETE:/);
});

const none = withDesk(['--orders', '20', '--working', '0']);

none('an empty working set is shown as such, not as a failure', async ({ page }) => {
  await page.goto('/orders');
  await expect(page.getByRole('heading', { name: 'No working orders' })).toBeVisible({ timeout: 15_000 });
  await expect(page.locator('footer')).toContainText('0 of 0 shown');
  await expect(page.locator('footer')).toContainText('Complete');
});
