import { expect } from '@playwright/test';
import { openFaultyVenue } from '#testing/fault/faulty-venue.ts';
import { printsBefore, printText, servesFunding } from '#testing/fault/funding-script.ts';
import { startDesk, startDeskBefore } from '#testing/start-desk.ts';
import { takeShot } from './take-shot.ts';
import { test as watched } from './watched-page.ts';

const HOUR = 3_600_000;
const fundingTime = Math.floor(Date.now() / (8 * HOUR)) * 8 * HOUR;
const at = (hours: number): string => new Date(fundingTime + hours * HOUR).toISOString();

/** Newest first: four good rates, a duplicate, an overlap, an interval of four hours, a gap of three intervals, forty good rates. */
const FAULTY = [
  ...printsBefore(fundingTime, 4),
  ...[printText(at(-40), at(-32), '-0.0004'), printText(at(-40), at(-32), '-0.0004')],
  printText(at(-44), at(-36)),
  printText(at(-48), at(-40), '0.0003'),
  printText(at(-52), at(-48), '0.0009'),
  ...printsBefore(fundingTime - 76 * HOUR, 40),
];

/** Each test has a server of its own. */
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

/** The exchange runs forty times as fast, starting half an hour before a funding time. */
const sped = withDesk(() => startDesk({ venue: SPED }));

/** The exchange sends a history with faults. */
const faulty = withDesk(async () => {
  const venue = await openFaultyVenue({ now: Date.now });
  const estimate = { funding_rate: 0.00021, interval_start: at(0), interval_end: at(8) };
  venue.alwaysDoes(servesFunding({ rows: FAULTY, maxRows: 10_000, failure: null, estimate }));
  return startDeskBefore({ address: venue.baseUrl, stop: venue.close });
});

sped('after a funding time the predicted rate settles without a reload, and its error is recorded', async ({ page }) => {
  sped.setTimeout(150_000);
  await page.goto('/funding/BTCUC');
  const estimate = page.getByTestId('estimate');
  await expect(estimate).toContainText('2026-08-17 08:00:00 UTC');
  await expect(page.getByText('No predicted rate settled yet')).toBeVisible();
  await page.evaluate(() => {
    document.body.dataset['loaded'] = 'once';
  });
  await expect(page.getByTestId('last-settled')).toContainText('2026-08-17 08:00:00 UTC', { timeout: 90_000 });
  await expect(estimate).toContainText('2026-08-17 16:00:00 UTC', { timeout: 30_000 });
  await expect(page.getByRole('table', { name: 'Prediction error' })).toBeVisible({ timeout: 90_000 });
  await expect(page.getByText(/1 interval settled\./)).toBeVisible();
  await expect(page.locator('body')).toHaveAttribute('data-loaded', 'once');
  await takeShot(page, 'funding-one-settled');
});

faulty('a gap, a duplicate, an overlap and an interval of four hours are listed and never filled in', async ({ page }) => {
  await page.setViewportSize({ width: 1_440, height: 2_000 });
  await page.goto('/funding/BTCUC');
  const faults = page.getByRole('table', { name: 'Gaps and faults' });
  await expect(faults).toContainText('Interval reported 2 times with the same rate. Counted once.');
  await expect(faults).toContainText('3 intervals without a settled rate. Not filled in; excluded from every sum.');
  await expect(faults).toContainText('Starts before the previous interval ended.');
  await expect(faults).toContainText('Lasts 4 h instead of 8 h. Not annualised; excluded from sums.');
  await expect(page.getByText(/\d+ intervals without a valid settled rate: hatched, not filled in\./)).toBeVisible();
  const prints = page.getByRole('grid', { name: 'Funding history' });
  const remark = prints.getByRole('columnheader', { name: 'Remark' });
  // In descending order, faults come before `at interest rate`.
  await remark.click();
  await remark.click();
  await expect(remark).toHaveAttribute('aria-sort', 'descending');
  await expect(prints).toContainText('not 8 h');
  await expect(page.getByTestId('carry-sum')).toContainText('missing (not filled in)');
  await takeShot(page, 'funding-one-faults');
});
