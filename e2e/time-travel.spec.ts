import { expect, type Page } from '@playwright/test';
import { takeExport } from './export-files.ts';
import { orderGrid, textsInSight } from './orders-desk.ts';
import { openPast, readBook, readUntilChanged, test, toShownTime } from './past-desk.ts';
import { parseInstant } from '#contract/exchange/instant.ts';
import { readCsv } from '#testing/read-csv.ts';

test.use({ live: false });
test.setTimeout(90_000);

function heading(page: Page) {
  return page.getByRole('heading', { level: 1 });
}

test('the list, its footer and its file are those of the reading before an instant, and nothing on screen is of now', async ({
  page,
}) => {
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
  const { csv, statement, read } = await takeExport(page, () =>
    dialog.getByRole('button', { name: /^Export \d/ }).click(),
  );
  expect(csv.suggestedFilename()).toBe(`working-orders-at-${book.read_to.slice(0, 19).replaceAll(':', '')}Z.csv`);
  const [names = [], ...lines] = readCsv(await read(csv));
  expect(lines).toHaveLength(book.orders.length);
  const column = (name: string) => new Set(lines.map((line) => line[names.indexOf(name)]));
  expect([
    new Set([...column('responded_at')].map((at) => parseInstant(at ?? ''))),
    column('set'),
    column('endpoint'),
  ]).toEqual([new Set([parseInstant(book.read_to)]), new Set(['PAST complete']), new Set(['desk/journalBook'])]);
  expect(await read(statement)).toContain('not as they are now');
  expect(requests.filter((url) => url.includes('/api/desk/working'))).toEqual([]);
});

test('two instants are compared: what was added, changed and gone, in the list, the footer and the file', async ({
  page,
}) => {
  const times = await readUntilChanged(page, 4);
  const [from = '', to = ''] = [times[0], times[2]];
  const [earlier, later] = [await readBook(page, from), await readBook(page, to)];
  const known = new Map(earlier.orders.map((order) => [order.id, JSON.stringify(order)]));
  const added = later.orders.filter(({ id }) => !known.has(id)).length;
  const changed = later.orders.filter(
    (order) => known.has(order.id) && known.get(order.id) !== JSON.stringify(order),
  ).length;
  const gone = earlier.orders.filter(({ id }) => !later.orders.some((order) => order.id === id)).length;
  expect(added + changed + gone).toBeGreaterThan(0);
  await openPast(page, to, `&with=${from}`);
  await expect(heading(page)).toHaveText(
    `Working orders at ${toShownTime(to)} UTC, compared with ${toShownTime(from)} UTC`,
  );
  const counts = page.getByRole('group', { name: 'Differences' });
  await expect(counts).toContainText(`${String(added)} added`);
  await expect(counts).toContainText(`${String(changed)} changed`);
  await expect(counts).toContainText(`${String(gone)} gone`);
  await counts.getByRole('button', { name: `${String(gone)} gone` }).click();
  await expect(counts.getByRole('button', { name: `${String(gone)} gone` })).toHaveAttribute('aria-pressed', 'true');
  if (gone > 0) expect(new Set(await textsInSight(page, 'change'))).toEqual(new Set(['Gone']));
  await counts.getByRole('button', { name: `${String(gone)} gone` }).click();
  await page.getByRole('button', { name: 'Export' }).click();
  const { csv, read } = await takeExport(page, () =>
    page
      .getByRole('dialog')
      .getByRole('button', { name: /^Export \d/ })
      .click(),
  );
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
