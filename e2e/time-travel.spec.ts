import { expect, type Page } from '@playwright/test';
import { takeExport } from './export-files.ts';
import { openOrders, orderGrid, textsInSight } from './orders-desk.ts';
import { openPast, readBook, readUntilChanged, test, toShownTime } from './past-desk.ts';
import { readCsv } from '#testing/read-csv.ts';

test.use({ live: false });
test.setTimeout(90_000);

function heading(page: Page) {
  return page.getByRole('heading', { level: 1 });
}

/** The instant that the address names. */
function atOf(page: Page): number {
  return Date.parse(new URL(page.url()).searchParams.get('at') ?? '');
}

test('the list, its footer and its file are those of the reading before an instant, and nothing on screen is of now', async ({ page }) => {
  const [, at = ''] = await readUntilChanged(page, 3);
  const book = await readBook(page, at);
  const requests: string[] = [];
  await openPast(page, at, '&sort=id&cols=id,product,status');
  page.on('request', (request) => requests.push(request.url()));
  await expect(heading(page)).toHaveText(`Working orders at ${toShownTime(at)} UTC`);
  await expect(page.getByText(`${String(book.orders.length)} of ${String(book.orders.length)} shown`)).toBeVisible();
  const ids = book.orders.map(({ id }) => id).toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
  expect(ids.slice(0, 5)).toEqual((await textsInSight(page, 'id')).slice(0, 5));
  const main = page.getByRole('main');
  await expect(main).toContainText('Past, from the journal');
  await expect(main).toContainText(`Read ${toShownTime(book.read_to).slice(11)} UTC`);
  await expect(main).not.toContainText(/refresh|pending|\bold\b/i);
  await page.getByRole('button', { name: 'Export' }).click();
  const dialog = page.getByRole('dialog');
  const { csv, statement, read } = await takeExport(page, () => dialog.getByRole('button', { name: /^Export \d/ }).click());
  expect(csv.suggestedFilename()).toBe(`working-orders-at-${book.read_to.slice(0, 19).replaceAll(':', '')}Z.csv`);
  const [names = [], ...lines] = readCsv(await read(csv));
  expect(lines).toHaveLength(book.orders.length);
  const column = (name: string) => new Set(lines.map((line) => line[names.indexOf(name)]));
  expect([column('answered_at'), column('set'), column('endpoint'), column('market_price_ticks')]).toEqual([new Set([book.read_to]), new Set(['PAST complete']), new Set(['desk/journalBook']), new Set([''])]);
  expect(await read(statement)).toContain('not as they are now');
  expect(requests.filter((url) => url.includes('/api/desk/working'))).toEqual([]);
});

test('a link shows the same book, Back and Escape leave it, and the newest reading is where it begins', async ({ page }) => {
  await readUntilChanged(page, 3);
  await openOrders(page, '?group=account');
  await page.getByRole('button', { name: 'Time travel' }).click();
  await expect(heading(page)).toHaveText(/^Working orders at \d/);
  const book = await readBook(page, new URL(page.url()).searchParams.get('at') ?? '');
  await expect(page.getByText(`of ${String(book.orders.length)} shown`)).toBeVisible();
  expect(new URL(page.url()).searchParams.get('group')).toBe('account');
  const title = await heading(page).textContent();
  await page.reload();
  await expect(heading(page)).toHaveText(title ?? '');
  await page.goBack();
  await expect(heading(page)).toHaveText('Working orders');
  await page.goForward();
  await expect(heading(page)).toHaveText(title ?? '');
  await page.keyboard.press('Escape');
  await expect(heading(page)).toHaveText('Working orders');
  expect(new URL(page.url()).search).toBe('?group=account');
  await page.goBack();
  await page.getByRole('button', { name: /^Back to live/ }).click();
  await expect(heading(page)).toHaveText('Working orders');
});

test('a time that is chosen while a step is looked for stays', async ({ page }) => {
  const [first = '', second = ''] = await readUntilChanged(page, 3);
  await openPast(page, second);
  const released = Promise.withResolvers<undefined>();
  await page.route('**/api/desk/journal/changes?*', async (route) => {
    await released.promise;
    await route.continue();
  });
  const step = page.waitForRequest('**/api/desk/journal/changes?*');
  await page.keyboard.press(']');
  const found = await step;
  const field = page.getByLabel('Time (UTC)', { exact: true });
  await field.fill(first.slice(11, 23));
  await field.press('Enter');
  await expect.poll(() => atOf(page)).toBe(Date.parse(first));
  released.resolve(undefined);
  // Null: it was cancelled.
  expect(await found.response()).toBeNull();
  expect(atOf(page)).toBe(Date.parse(first));
});

test('two instants are compared: what was added, changed and gone, in the list, the footer and the file', async ({ page }) => {
  const times = await readUntilChanged(page, 4);
  const [from = '', to = ''] = [times[0], times[2]];
  const [earlier, later] = [await readBook(page, from), await readBook(page, to)];
  const known = new Map(earlier.orders.map((order) => [order.id, JSON.stringify(order)]));
  const added = later.orders.filter(({ id }) => !known.has(id)).length;
  const changed = later.orders.filter((order) => known.has(order.id) && known.get(order.id) !== JSON.stringify(order)).length;
  const gone = earlier.orders.filter(({ id }) => !later.orders.some((order) => order.id === id)).length;
  expect(added + changed + gone).toBeGreaterThan(0);
  await openPast(page, to, `&with=${from}`);
  await expect(heading(page)).toHaveText(`Working orders at ${toShownTime(to)} UTC, compared with ${toShownTime(from)} UTC`);
  const counts = page.getByRole('group', { name: 'Differences' });
  await expect(counts).toContainText(`${String(added)} added`);
  await expect(counts).toContainText(`${String(changed)} changed`);
  await expect(counts).toContainText(`${String(gone)} gone`);
  await counts.getByRole('button', { name: `${String(gone)} gone` }).click();
  await expect(counts.getByRole('button', { name: `${String(gone)} gone` })).toHaveAttribute('aria-pressed', 'true');
  if (gone > 0) expect(new Set(await textsInSight(page, 'change'))).toEqual(new Set(['Gone']));
  await counts.getByRole('button', { name: `${String(gone)} gone` }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  const { csv, read } = await takeExport(page, () => page.getByRole('dialog').getByRole('button', { name: /^Export \d/ }).click());
  expect(csv.suggestedFilename()).toMatch(/^working-orders-at-\S+Z-compared-with-\S+Z\.csv$/);
  const [names = [], ...lines] = readCsv(await read(csv));
  const place = names.indexOf('difference');
  expect(names.slice(place - 1, place)).toEqual(['product_kind']);
  const countOf = (word: string): number => lines.filter((line) => line[place] === word).length;
  expect([countOf('added'), countOf('changed'), countOf('gone')]).toEqual([added, changed, gone]);
  await page.getByRole('button', { name: 'Stop comparing' }).click();
  await expect(heading(page)).toHaveText(`Working orders at ${toShownTime(to)} UTC`);
  await page.getByRole('button', { name: 'Compare with…' }).click();
  await expect(page.getByRole('slider', { name: 'Time compared with' })).toBeVisible();
  await expect(orderGrid(page).or(page.getByText('No matches for this filter'))).toBeVisible();
});
