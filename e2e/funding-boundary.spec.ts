import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@playwright/test';
import { VENUE_ARGUMENTS } from '#testing/conformance/run-on.ts';
import { openFaultyVenue } from '#testing/fault/faulty-venue.ts';
import { printsBefore, printText, speaksFunding } from '#testing/fault/funding-script.ts';
import { startGateway } from '#testing/start-desk.ts';
import { startProcess } from '#testing/start-process.ts';
import { test as watched } from './watched-page.ts';

interface Addresses {
  /** Of a desk whose exchange goes forty times as fast, half an hour of its own before a boundary. */
  readonly sped: string;
  /** Of a desk whose venue sends a history with faults. */
  readonly faulty: string;
}

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

const test = watched.extend<Addresses>({
  sped: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
    const options = ['--store', ':memory:', '--history-days', '3', '--orders', '50', '--working', '10', '--live', 'on'];
    const venue = await startProcess('src/venue/main.ts', [...VENUE_ARGUMENTS, ...options, '--clock', '2026-08-17T07:30:00Z', '--speed', '40']);
    const gateway = await startGateway(venue.address, folder);
    await use(gateway.address);
    await gateway.stop();
    await venue.stop();
    rmSync(folder, { recursive: true, force: true });
  },
  faulty: async ({}, use) => {
    const folder = mkdtempSync(join(tmpdir(), 'perpdesk-'));
    const venue = await openFaultyVenue({ now: Date.now });
    const estimate = { funding_rate: 0.00021, interval_start: at(0), interval_end: at(8) };
    venue.alwaysDoes(speaksFunding({ rows: FAULTY, mostRows: 10_000, failure: null, estimate }));
    const gateway = await startGateway(venue.baseUrl, folder);
    await use(gateway.address);
    await gateway.stop();
    await venue.close();
    rmSync(folder, { recursive: true, force: true });
  },
});

// Each test says its own addresses: the page's origin is not the shared desk's.
test.use({ provoked: /willReadFrequently|^request to http:\/\/127\.0\.0\.1/ });

test('after a boundary the estimate becomes a print without a reload, and how far it was off is kept', async ({ page, sped }) => {
  test.setTimeout(150_000);
  await page.goto(`${sped}funding/BTCUC`);
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

test('a hole, a duplicate, an overlap and four hours are found, told and never filled', async ({ page, faulty }) => {
  test.slow();
  await page.setViewportSize({ width: 1_440, height: 2_000 });
  await page.goto(`${faulty}funding/BTCUC`);
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
