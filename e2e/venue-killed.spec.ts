import { expect, type Page } from '@playwright/test';
import { test } from './own-desk.ts';
import { takeShot } from './take-shot.ts';

test.use({ provoked: /50[234] \(|request failed|ERR_/ });

const addresses = ['/price/PBTCUCZ50?range=1M', '/volume/PBTCUCZ50?range=1M'] as const;

function chartOf(page: Page) {
  return page.getByRole('application', { name: /PBTCUCZ50/ });
}

async function expectStale(page: Page): Promise<void> {
  const main = page.getByRole('main');
  // These are figures of the day, so a response that is a minute old still counts as fresh.
  await expect(page.getByRole('region', { name: 'Outage' })).toContainText('Exchange unreachable', { timeout: 90_000 });
  await expect(main.locator('[data-stale="true"]').first()).toBeVisible({ timeout: 90_000 });
  await expect(chartOf(page)).toBeVisible();
  await expect(main.locator('[data-stale="true"] [role=application] > [aria-hidden]').first()).toHaveCSS(
    'opacity',
    /^0\.\d+$/,
  );
  await expect(main.getByText(/stale, .* old/).first()).toBeVisible();
}

async function expectRecovered(page: Page): Promise<void> {
  const main = page.getByRole('main');
  await expect(page.getByRole('region', { name: 'Outage' })).toBeHidden({ timeout: 60_000 });
  await expect(main.locator('[data-stale="true"]')).toHaveCount(0, { timeout: 60_000 });
  await expect(chartOf(page)).toBeVisible();
  await expect(main.getByText(/stale, .* old/)).toHaveCount(0);
}

test('with the exchange killed, charts keep their last data, dimmed, with age and reason, and recover by themselves', async ({
  page,
  context,
  desk,
}) => {
  test.setTimeout(180_000);
  const pages = [page, await context.newPage()];
  for (const [index, each] of pages.entries()) await each.goto(addresses[index] ?? '');
  for (const each of pages) await expect(chartOf(each)).toBeVisible();
  await desk.killVenue();
  for (const each of pages) await expectStale(each);
  await takeShot(page, 'price-venue-killed-light-1280');
  await desk.reviveVenue();
  for (const each of pages) await expectRecovered(each);
});

/** What Perpdesk has recorded itself is current while only the exchange is away. */
const OWN_RECORDS = ['Predicted rate in this interval', 'Predictions'];

/** Lists the panels that are not dimmed. */
function listCurrent(page: Page): Promise<readonly string[]> {
  return page
    .locator('main [data-stale="false"]')
    .evaluateAll((bodies) => bodies.map((body) => body.closest('section')?.querySelector('h2')?.textContent ?? ''));
}

test('with the exchange killed, panels are dimmed with the bar, but not what was recorded of predicted rates', async ({
  page,
  context,
  desk,
}) => {
  test.setTimeout(180_000);
  const pages = [page, await context.newPage()];
  for (const [index, each] of pages.entries()) await each.goto(['/volume/PBTCUCZ50', '/funding/BTCUC'][index] ?? '');
  const [volume, funding] = pages;
  if (volume === undefined || funding === undefined) throw new Error('There are two pages.');
  const path = funding.getByRole('region', { name: 'Predicted rate in this interval' });
  await expect(path.locator('canvas').first()).toBeVisible();
  await expect(volume.locator('main canvas').first()).toBeVisible();
  await desk.killVenue();
  for (const each of pages) {
    await each.bringToFront();
    await expect(each.getByRole('region', { name: 'Outage' })).toContainText('Exchange unreachable', {
      timeout: 90_000,
    });
    // Daily figures are read again only after a minute.
    await expect.poll(() => listCurrent(each)).toEqual(each === funding ? OWN_RECORDS : []);
  }
  await expect(path).toContainText(/\d+ predicted rates? recorded/);
});
