import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { rowsOf, tableOf, type Funding } from './funding-page.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

type Known = Readonly<Record<string, unknown>>;

/** Changes what the server knows of one perpetual. */
async function change(page: Page, symbol: string, known: Known): Promise<void> {
  await page.route(/\/api\/desk\/funding\?/, async (route) => {
    const response = await route.fetch();
    const body = (await response.json()) as Funding;
    const perpetuals = body.perpetuals.map((perpetual) => (perpetual.base_symbol === symbol ? { ...perpetual, ...known } : perpetual));
    await route.fulfill({ response, json: { ...body, perpetuals } });
  });
}

const NOT_READ = { prints: [], known_from: null, known_to: null, reaches_launch: false, read_at: null, stale_because: 'The exchange did not answer in time.' };
const NOT_SETTLED = { prints: [], known_from: null, known_to: null, reaches_launch: true, stale_because: null };

const cellOf = (page: Page, symbol: string, column: string) => rowsOf(page).filter({ has: page.getByRole('link', { name: symbol, exact: true }) }).locator(`[data-column="${column}"]`);

test('settled rates that could not be read do not count as gaps, and a notice gives the reason', async ({ page }) => {
  await change(page, 'BTCUC', NOT_READ);
  await page.goto('/funding?window=7d');
  await expect(tableOf(page).getByRole('link', { name: 'BTCUC', exact: true })).toBeVisible();
  await expect(page.getByText('BTCUC: the latest settled rates could not be read.')).toBeVisible();
  await expect(cellOf(page, 'BTCUC', 'coverage')).toHaveText('0 of 21');
  await expect(cellOf(page, 'BTCUC', 'gaps')).toHaveText('0');
  await takeShot(page, 'funding-not-read');
});

test('a perpetual without settled rates yet has no gaps', async ({ page }) => {
  await change(page, 'BTCUC', NOT_SETTLED);
  await page.goto('/funding?window=7d');
  await expect(cellOf(page, 'BTCUC', 'coverage')).toHaveText('0 of 0, new');
  await expect(cellOf(page, 'BTCUC', 'gaps')).toHaveText('0');
});

test('rows that are no settled rates of the perpetual are counted on both screens', async ({ page }) => {
  await change(page, 'BTCUC', { left_out: 2 });
  await page.goto('/funding?window=7d');
  await expect(page.getByText('2 rows from the exchange failed validation and are left out.')).toBeVisible();
  await page.goto('/funding/BTCUC');
  await expect(page.getByRole('note').getByText('2 rows from the exchange failed validation and are left out.')).toBeVisible();
  await expectNoViolation(page);
});

const emptyStates = [
  ['could not be read', NOT_READ, 'Settled rates of BTCUC could not be read'],
  ['has settled nothing yet', NOT_SETTLED, 'BTCUC has no settled rate yet'],
  ['has settled nothing in the range', { prints: [], known_from: '2020-01-01T00:00:00Z', known_to: '2021-01-01T00:00:00.000000000Z' }, 'No valid settled rate in this range'],
] as const;

for (const [name, known, title] of emptyStates) {
  test(`a perpetual that ${name} shows that as its empty state`, async ({ page }) => {
    await change(page, 'BTCUC', known);
    await page.goto('/funding/BTCUC');
    await expect(page.getByRole('heading', { name: title })).toBeVisible();
    await expect(page.getByText(/1969-|19[67]\d UTC/)).toHaveCount(0);
    await expectNoViolation(page);
    await takeShot(page, `funding-one-${name.replaceAll(' ', '-')}`, { fullPage: true });
  });
}
