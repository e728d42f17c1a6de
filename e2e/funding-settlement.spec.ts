import { expect } from '@playwright/test';
import { startDesk } from '#testing/start-desk.ts';
import { takeShot } from './take-shot.ts';
import { test as watched } from './watched-page.ts';

/** The exchange runs forty times as fast, starting 45 minutes before a funding time, shortly before 95 % of the interval. */
const SPED = [
  '--history-days',
  '3',
  '--orders',
  '50',
  '--working',
  '10',
  '--live',
  'on',
  '--clock',
  '2026-08-17T07:15:00Z',
  '--speed',
  '40',
];

const test = watched.extend<object>({
  baseURL: async ({}, use) => {
    const desk = await startDesk({ venue: SPED });
    await use(desk.server.address);
    await desk.stop();
  },
  // Reading the canvas back makes the browser log a hint about drawing.
  provoked: /willReadFrequently/,
});

test('after a funding time the predicted rate settles without a reload, and its error is shown', async ({ page }) => {
  test.setTimeout(150_000);
  await page.goto('/funding/BTCUC');
  const estimate = page.getByTestId('estimate');
  await expect(estimate).toContainText('2026-08-17 08:00:00 UTC');
  await page.evaluate(() => {
    document.body.dataset['loaded'] = 'once';
  });
  await expect(page.getByTestId('last-settled')).toContainText('2026-08-17 08:00:00 UTC', { timeout: 90_000 });
  await expect(estimate).toContainText('2026-08-17 16:00:00 UTC', { timeout: 30_000 });
  const at95 = page.getByRole('table', { name: 'Prediction error' }).getByRole('row').last();
  await expect(at95.getByRole('cell').last()).toHaveText(/^1 of \d+$/, { timeout: 90_000 });
  await expect(page.locator('body')).toHaveAttribute('data-loaded', 'once');
  await takeShot(page, 'funding-one-settled');
});
