import { expect, type Page } from '@playwright/test';
import { readWorking, withDesk } from './orders-desk.ts';

const test = withDesk(['--working', '50']);

// In one worker: a second one would start the same servers again.
test.describe.configure({ mode: 'default' });
test.use({ live: false });

const [MINUTE_MS, HOUR_MS] = [60_000, 3_600_000];

const counts = (page: Page) => page.getByRole('grid', { name: 'Counts of changes' });
const list = (page: Page) => page.getByRole('grid', { name: 'Changes', exact: true });

async function openActivity(page: Page, query: string): Promise<void> {
  await readWorking(page);
  await page.goto(`/orders/activity?${query}`);
  await expect(list(page)).toBeVisible({ timeout: 15_000 });
}

async function writeFrom(page: Page, text: string): Promise<void> {
  const field = page.getByLabel('From (UTC)', { exact: true });
  await field.fill(text);
  await field.press('Enter');
}

/** The parameters of an address, if it is of this part of the journal. */
function paramsOf(url: string, part: 'activity' | 'changes'): URLSearchParams | null {
  const { pathname, searchParams } = new URL(url);
  return pathname === `/api/desk/journal/${part}` ? searchParams : null;
}

/** What lists are requested with, each once as it begins. */
function recordLists(page: Page): URLSearchParams[] {
  const lists: URLSearchParams[] = [];
  page.on('request', (request) => {
    const params = paramsOf(request.url(), 'changes');
    if (params !== null && params.get('order') === null) lists.push(params);
  });
  return lists;
}

test('the list begins anew with each window, also where two are counted alike, and with each beginning of a range', async ({ page }) => {
  const lists = recordLists(page);
  const minutesBack = (): number => Math.round((Date.now() - Date.parse(lists.at(-1)?.get('begin_time') ?? '')) / MINUTE_MS);
  await openActivity(page, 'window=15m');
  expect(minutesBack()).toBeLessThan(45);
  await page.getByRole('radio', { name: '1 h', exact: true }).check();
  await expect.poll(minutesBack).toBeGreaterThan(45);
  await page.getByRole('radio', { name: 'Range' }).check();
  await writeFrom(page, '2 h ago');
  await expect.poll(minutesBack).toBeGreaterThan(90);
  await writeFrom(page, '3 h ago');
  await expect.poll(minutesBack).toBeGreaterThan(150);
});

test('where a range ends some time ago, the list reads on as that moves on', async ({ page }) => {
  // Ahead of the server's: what it reads now is long ago for the browser.
  await page.clock.install({ time: Date.now() + HOUR_MS });
  const lists = recordLists(page);
  await openActivity(page, 'window=range&to=30+min+ago');
  const first = lists[0]?.get('end_time') ?? '';
  const isLater = (params: URLSearchParams | null): boolean => params !== null && (params.get('end_time') ?? '') > first;
  const counted = page.waitForResponse((response) => isLater(paramsOf(response.url(), 'activity')));
  const readOn = page.waitForResponse((response) => isLater(paramsOf(response.url(), 'changes')));
  await page.clock.fastForward(2 * MINUTE_MS);
  await counted;
  expect(paramsOf((await readOn).url(), 'changes')?.get('order')).toBe('asc');
  expect(new Set(lists.map((params) => params.get('end_time')))).toEqual(new Set([first]));
});

test('figures of a range are not shown for another one', async ({ page }) => {
  await openActivity(page, 'window=range&from=2+h+ago');
  await expect(counts(page)).toBeVisible();
  const released = Promise.withResolvers<undefined>();
  await page.route('**/api/desk/journal/activity?*', async (route) => {
    await released.promise;
    await route.continue();
  });
  await writeFrom(page, '3 h ago');
  await expect(counts(page)).toHaveCount(0);
  released.resolve(undefined);
  await expect(counts(page)).toBeVisible();
});
