import { expect } from '@playwright/test';
import { openFaultyVenue } from '#testing/fault/faulty-venue.ts';
import { printsBefore, printText, servesFunding } from '#testing/fault/funding-script.ts';
import { startDesk, startDeskBefore } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

const HOUR = 3_600_000;
const boundary = Math.floor(Date.now() / (8 * HOUR)) * 8 * HOUR;
const at = (hours: number): string => new Date(boundary + hours * HOUR).toISOString();

/** Newest first: four good ones, a duplicate, an overlap, an interval of four hours, a hole of three, forty good ones. */
const FAULTY = [
  ...printsBefore(boundary, 4),
  ...[printText(at(-40), at(-32), '-0.0004'), printText(at(-40), at(-32), '-0.0004')],
  printText(at(-44), at(-36)),
  printText(at(-48), at(-40), '0.0003'),
  printText(at(-52), at(-48), '0.0009'),
  ...printsBefore(boundary - 76 * HOUR, 40),
];

/** Tests with a desk of their own, which is there as long as the test. */
function withDesk(start: () => Promise<{ readonly gateway: { readonly address: string }; readonly stop: () => Promise<void> }>) {
  return watched.extend<object>({
    baseURL: async ({}, use) => {
      const desk = await start();
      await use(desk.gateway.address);
      await desk.stop();
    },
    // Reading the canvas back makes the browser suggest a way of drawing.
    provoked: /willReadFrequently/,
  });
}

const SPED = ['--history-days', '3', '--orders', '50', '--working', '10', '--live', 'on', '--clock', '2026-08-17T07:30:00Z', '--speed', '40'];

/** Its exchange goes forty times as fast, half an hour of its own before a boundary. */
const sped = withDesk(() => startDesk({ venue: SPED }));

/** Its venue sends a history with faults. */
const faulty = withDesk(async () => {
  const venue = await openFaultyVenue({ now: Date.now });
  const estimate = { funding_rate: 0.00021, interval_start: at(0), interval_end: at(8) };
  venue.alwaysDoes(servesFunding({ rows: FAULTY, mostRows: 10_000, failure: null, estimate }));
  return startDeskBefore({ address: venue.baseUrl, stop: venue.close });
});

sped('after a boundary the estimate becomes a print without a reload, and how far it was off is kept', async ({ page }) => {
  sped.setTimeout(150_000);
  await page.goto('/funding/BTCUC');
  const estimate = page.getByTestId('estimate');
  await expect(estimate).toContainText('2026-08-17 08:00:00 UTC');
  await expect(page.getByText('No estimate has settled yet')).toBeVisible();
  await page.evaluate(() => {
    document.body.dataset['loaded'] = 'once';
  });
  await expect(page.getByTestId('last-settled')).toContainText('2026-08-17 08:00:00 UTC', { timeout: 90_000 });
  await expect(estimate).toContainText('2026-08-17 16:00:00 UTC', { timeout: 30_000 });
  await expect(page.getByRole('table', { name: 'How far estimates were off' })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(/1 interval settled\./)).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-loaded', 'once');
  await page.screenshot({ path: 'e2e/artifacts/screens/funding-one-settled.png' });
});

faulty('a hole, a duplicate, an overlap and four hours are found, told and never filled', async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 2_000 });
  await page.goto('/funding/BTCUC');
  const faults = page.getByRole('table', { name: 'Gaps and faults' });
  await expect(faults).toContainText('The same interval 2 times. All say the same: counted once.');
  await expect(faults).toContainText('3 intervals without a print. Not filled; left out of every sum.');
  await expect(faults).toContainText('It begins before the print before it had ended.');
  await expect(faults).toContainText('It lasts 4 h and not 8 h. Never annualised; left out of windows.');
  await expect(page.getByText(/\d+ intervals without a print that counts are hatched: none is filled\./)).toBeVisible();
  const prints = page.getByRole('grid', { name: 'Settled prints' });
  const remark = prints.getByRole('columnheader', { name: 'Remark' });
  // The words that are seldom come first from the end of the alphabet.
  await remark.click();
  await remark.click();
  await expect(remark).toHaveAttribute('aria-sort', 'descending');
  await expect(prints).toContainText('not 8 h');
  await expect(page.getByTestId('carry-sum')).toContainText('missing, not filled');
  await page.screenshot({ path: 'e2e/artifacts/screens/funding-one-faults.png' });
});
