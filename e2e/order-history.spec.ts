import { expect } from '@playwright/test';
import { parseInstant } from '#contract/exchange/instant.ts';
import { readCsv } from '#testing/read-csv.ts';
import { takeExport } from './export-files.ts';
import { expectAccessible, inEachLook } from './looks.ts';
import { test, grid, open, readAll, watchRequests, inColumn, scrollToEnd } from './history-page.ts';
import { takeShot } from './take-shot.ts';

test.use({ live: false });

/** Whether a request is for a page and not a check for newer orders, which a slow test may outlast. */
function isPage(query: URLSearchParams): boolean {
  return query.get('order') === 'desc';
}

test('scrolling loads to the end, which says why, and requests no page twice', async ({ page }) => {
  const requests = watchRequests(page);
  await open(page);
  await scrollToEnd(page);
  const all = await readAll(page);
  await expect(page.getByText(`${all.length.toLocaleString('en')} loaded in`)).toBeVisible();
  await expect(grid(page)).toHaveAttribute('aria-rowcount', String(all.length + 1));
  const cursors = requests.filter(isPage).map((query) => query.get('cursor'));
  expect(new Set(cursors).size).toBe(cursors.length);
  await expect.poll(() => inColumn(page, 'id')).toContain(all.at(-1)?.id);
});

test('an export holds every order of the exchange, with a report that says so', async ({ page }) => {
  await open(page);
  const all = await readAll(page);
  const files = await takeExport(page, async () => {
    await page.getByRole('button', { name: 'Export' }).click();
    await expect(page.getByText(/One request per 1,000 orders/)).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Export' }).click();
  });
  const [heading = [], ...rows] = readCsv(await files.read(files.csv));
  const cell = (row: readonly string[], name: string): string => (row[heading.indexOf(name)] ?? '').replace(/^'/, '');
  expect(
    rows.map((row) => [
      cell(row, 'order_id'),
      parseInstant(cell(row, 'accepted_at')),
      cell(row, 'price_ticks'),
      cell(row, 'status'),
    ]),
  ).toEqual(
    all.map((order) => [order.id, parseInstant(String(order['time'])), String(order['price']), order['status']]),
  );
  expect(JSON.parse(await files.read(files.statement))).toMatchObject({
    set: 'complete',
    exported_orders: all.length,
    orders_read: all.length,
    repeated_orders_left_out: 0,
  });
});

test('the list fits the width in every look and is accessible', async ({ page }) => {
  // On a phone, a page opens with its filters folded and leaves them so.
  for (const sizes of [
    [[360, 740]],
    [
      [1440, 900],
      [2560, 900],
    ],
  ] as const) {
    await page.setViewportSize({ width: sizes[0][0], height: sizes[0][1] });
    await open(page);
    await inEachLook(page, sizes, async (look) => {
      await expect
        .poll(() => page.getByRole('main').evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth))
        .toBe(0);
      await takeShot(page, `history-${look.colorScheme}-${String(look.width)}`);
      await expectAccessible(page, look);
    });
  }
});
