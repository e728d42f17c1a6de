import { expect, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { readWorking, withDesk } from './orders-desk.ts';
import { takeShot } from './take-shot.ts';

/** In this busy market, each second of the test is five minutes. */
const test = withDesk(['--working', '300', '--live', 'on', '--speed', '300']);

// The tests run in one worker, because a second one would start the same servers again.
test.describe.configure({ mode: 'default' });
test.use({ live: false });
test.setTimeout(90_000);

interface Change {
  readonly kind: string;
  readonly order_id: string;
  readonly read_by: string;
  readonly read_after: string | null;
  readonly before: { readonly quantity_filled: number } | null;
  readonly order: { readonly account_id: string; readonly symbol: string; readonly quantity_filled: number };
}

async function readChanges(page: Page, query = ''): Promise<readonly Change[]> {
  const found: Change[] = [];
  for (let cursor = ''; ;) {
    const { changes, pagination } = (await (
      await page.request.get(`/api/desk/journal/changes?limit=1000${query}${cursor}`)
    ).json()) as { readonly changes: readonly Change[]; readonly pagination: { readonly cursor: string | null } };
    found.push(...changes);
    if (!pagination.cursor) return found;
    cursor = `&cursor=${encodeURIComponent(pagination.cursor)}`;
  }
}

/** Reads working orders as a screen does, until some have changed and some are gone. */
async function readUntilChanged(page: Page): Promise<readonly Change[]> {
  let changes: readonly Change[] = [];
  await expect
    .poll(
      async () => {
        await readWorking(page);
        changes = await readChanges(page);
        return changes.some(({ kind }) => kind === 'changed') && changes.some(({ kind }) => kind === 'gone');
      },
      { timeout: 60_000 },
    )
    .toBe(true);
  return changes;
}

const counts = (page: Page) => page.getByRole('grid', { name: 'Counts of changes' });
const list = (page: Page) => page.getByRole('grid', { name: 'Changes', exact: true });

test('counts are those of the changes one by one, for each account, and say what time they cover', async ({ page }) => {
  const changes = await readUntilChanged(page);
  await page.goto('/orders/activity?window=4h&counts=account');
  await expect(counts(page)).toBeVisible();
  await expect(
    page.getByText(/^\d{4}-\d\d-\d\d \d\d:\d\d.* UTC; read (once|\d+ times).*; (no gaps|.* not read)/),
  ).toBeVisible();
  const sum = (kind: string): string =>
    String(changes.filter((change) => change.kind === kind).length).replace(/\B(?=(?:\d{3})+$)/g, ',');
  await expect(page.getByText(new RegExp(`${sum('changed')} changed, ${sum('gone')} gone`))).toBeVisible();
  const { total } = (await (await page.request.get('/api/desk/journal/activity')).json()) as {
    readonly total: Readonly<Record<string, number>>;
  };
  const fills = changes
    .filter(({ kind }) => kind === 'changed')
    .map(({ before, order }) => Math.max(0, order.quantity_filled - (before?.quantity_filled ?? NaN)));
  expect(total).toMatchObject({
    quantity_filled: fills.reduce((one, other) => one + other, 0),
    fills: fills.filter((fill) => fill > 0).length,
  });
  const columns = page.getByRole('dialog', { name: 'Columns' });
  await page.getByRole('button', { name: 'Columns of counts' }).click();
  for (const name of ['Changed', 'Gone']) await columns.getByRole('checkbox', { name, exact: true }).check();
  await page.keyboard.press('Escape');
  const accounts = Map.groupBy(changes, ({ order }) => order.account_id);
  const rows = counts(page).locator('[data-part=body] > [role=row]');
  const first = [...accounts.keys()].sort()[0];
  await expect(rows.first().locator('[data-column=account]')).toHaveText(String(first));
  const texts = await rows.evaluateAll((each) =>
    each.map((row) =>
      ['account', 'changed', 'gone'].map((column) => row.querySelector(`[data-column=${column}]`)?.textContent ?? ''),
    ),
  );
  expect(texts.length).toBeGreaterThan(1);
  for (const [account = '', changed, gone] of texts.filter(([text]) => text !== '')) {
    const own = accounts.get(account) ?? [];
    expect([account, changed, gone]).toEqual([
      account,
      ...['changed', 'gone'].map((wanted) => String(own.filter(({ kind }) => kind === wanted).length)),
    ]);
  }
  await expect(page.getByRole('img', { name: /^Changes over time: at most \d/ })).toBeVisible();
});

test('the list fills as readings show changes, and waits while the reader is further down', async ({ page }) => {
  await readUntilChanged(page);
  await page.goto('/orders/activity?window=15m');
  await expect(list(page)).toBeVisible();
  const first = list(page).locator('[data-part=body] > [role=row]').first();
  const before = await first.textContent();
  await expect
    .poll(
      async () => {
        await readWorking(page);
        return first.textContent();
      },
      { timeout: 60_000 },
    )
    .not.toBe(before);
  await list(page).focus();
  await page.keyboard.press('Control+End');
  const newer = page.getByRole('button', { name: /^[\d,]+ new$/ });
  await expect
    .poll(
      async () => {
        await readWorking(page);
        return newer.count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await newer.click();
  await expect(page.getByRole('button', { name: 'Newest on top' })).toBeVisible();
});

test('at its top, the list begins anew where more is new than is read at once', async ({ page }) => {
  await readUntilChanged(page);
  await page.route(/[/]journal[/]changes[?].*order=asc/, async (route) => {
    const response = await route.fetch();
    const { changes } = (await response.json()) as { readonly changes: readonly object[] };
    const many = changes
      .slice(0, 1)
      .flatMap((change) => Array.from({ length: 1_000 }, (_, number) => ({ ...change, order_id: String(number + 1) })));
    await route.fulfill({
      response,
      json: { changes: many, pagination: { cursor: many.length === 0 ? null : 'more' } },
    });
  });
  const isNewestPage = (request: { readonly url: () => string }): boolean =>
    /[/]journal[/]changes[?].*limit=200$/.test(request.url());
  const opened = page.waitForRequest(isNewestPage);
  await page.goto('/orders/activity?window=15m');
  await opened;
  await page.waitForRequest(isNewestPage);
  await expect(list(page)).toBeVisible();
});

test('it is accessible and fits at all widths, in both themes', async ({ page }) => {
  await readUntilChanged(page);
  await page.goto('/orders/activity?by=both');
  await expect(list(page)).toBeVisible();
  await inEachLook(
    page,
    [
      [360, 900],
      [1_280, 900],
      [2_560, 900],
    ],
    async (look) => {
      await expectToFit(page, look);
      await expectAccessible(page, look);
      await takeShot(page, `activity-${look.colorScheme}-${String(look.width)}`);
    },
  );
});
