import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { DeskStatus } from '#contract/desk.ts';
import { createParser } from '#contract/parse.ts';
import { toProblemAnswer } from './problem-answer.ts';
import { test } from './watched-page.ts';

const STATUS = '**/api/desk/status';
const parser = createParser(DeskStatus, 'endpoints');

/** From now on the desk's status is as the change makes it. */
async function changeStatus(page: Page, change: (status: DeskStatus) => object): Promise<void> {
  await page.route(STATUS, async (route) => {
    const response = await route.fetch();
    const status = parser.strict(await response.text());
    await route.fulfill({ status: 200, contentType: 'application/json', body: JSON.stringify({ ...status, ...change(status) }) });
  });
}

function panel(page: Page, name: string) {
  return page.getByRole('region', { name, exact: true });
}

test('every endpoint of the policy has its row, with cadence and shape', async ({ page, request }) => {
  const policy = (await (await request.get('/api/desk/policy')).json()) as { endpoints: { name: string; upstream: string }[] };
  await page.goto('/status');
  const rows = panel(page, 'Endpoints').getByRole('row');
  await expect(rows).toHaveCount(policy.endpoints.length + 1);
  await expect(rows.filter({ hasText: 'ordersWorking' })).toContainText('4 s');
  await expect(rows.filter({ hasText: 'fundingEstimated' })).toContainText('good');
  for (const { upstream } of policy.endpoints) {
    await expect(panel(page, 'What may be sent to the venue').getByText(upstream, { exact: true })).toBeVisible();
  }
});

test('what the table says is what the desk counted', async ({ page, request }) => {
  await request.get('/api/web/market/stats/trailing/all-products');
  const status = parser.strict(await (await request.get('/api/desk/status')).text());
  const before = status.endpoints.find(({ endpoint }) => endpoint === 'trailingStatsAll')?.asked ?? 0;
  expect(before).toBeGreaterThan(0);
  await page.goto('/status');
  const row = panel(page, 'Endpoints').getByRole('row').filter({ hasText: 'trailingStatsAll' });
  await expect.poll(async () => Number(await row.getByRole('cell').nth(1).textContent())).toBeGreaterThanOrEqual(before);
});

test('only what is odd is in the address, and where nothing is, that is said and undone by a button', async ({ page }) => {
  await page.goto('/status');
  await page.getByRole('radio', { name: 'Only what is odd' }).check();
  await expect(page).toHaveURL('/status?show=odd');
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Only what is odd' })).toBeChecked();
  const selfTest = panel(page, 'Self-test at the start');
  await expect(selfTest.getByRole('heading', { name: 'Nothing fits the filter' })).toBeVisible();
  await selfTest.getByRole('button', { name: 'Clear the filter' }).click();
  await expect(page).toHaveURL('/status');
  await expect(selfTest.getByRole('row').filter({ hasText: 'clock' })).toBeVisible();
});

test('drift is what is odd, and a word that nobody knows is shown as it came', async ({ page }) => {
  await changeStatus(page, ({ self_test }) => ({
    self_test: self_test && {
      ...self_test,
      rows: [
        { subject: '/web/charts/voi', outcome: 'drift', remark: 'The answer has changed.' },
        { subject: 'clock', outcome: 'wobbling', remark: 'It is new.' },
      ],
    },
  }));
  await page.goto('/status?show=odd');
  await expect(panel(page, 'Endpoints').getByRole('row').filter({ hasText: 'chartVoi' })).toContainText('drift');
  await page.goto('/status');
  await expect(panel(page, 'Self-test at the start').getByText('wobbling')).toBeVisible();
});

test('a venue that fails is told in the bar, with the meaning of its refusal', async ({ page }) => {
  await changeStatus(page, ({ venue, now }) => ({
    venue: {
      ...venue,
      circuit: 'open',
      last_failure: { at: now, type: 'venue-timeout', detail: 'The venue did not answer in time.' },
      last_refusal: { at: now, type: 'key-refused', detail: 'The venue refuses the key.' },
    },
  }));
  await page.goto('/status');
  await expect(page.getByRole('banner')).toContainText('The venue is not reached');
  await expect(panel(page, 'Venue')).toContainText('not asked for a while');
  const refusals = panel(page, 'What a refusal meant');
  await expect(refusals.getByRole('row').filter({ hasText: 'The key is refused' }).locator('time')).toBeVisible();
  await expect(refusals.getByRole('row').filter({ hasText: 'The clock is off' }).locator('time')).toHaveCount(0);
  await page.screenshot({ path: 'e2e/artifacts/screens/status-failing-light-1280.png' });
});

test.describe('when the desk fails', () => {
  test.use({ provoked: /500 \(|request failed|ERR_FAILED/ });

  const fault = toProblemAnswer('desk-fault', 'A number was not one.');

  test('the last good data stay, dimmed, with the reason, until it answers again', async ({ page }) => {
    await page.clock.install();
    await page.goto('/status');
    await expect(panel(page, 'Request budget')).toContainText('Comes back');
    await expect(panel(page, 'Request budget')).toContainText(/The next(–|in \d+ \w+)All(back|in \d+ \w+|not known while an answer is out)/);
    await page.route(STATUS, (route) => route.fulfill(fault));
    await page.clock.runFor(10_000);
    const venue = panel(page, 'Venue');
    await expect(venue).toContainText('Not current. These are the last good data. A number was not one.');
    await expect(venue).toContainText('Last answer');
    await expect(venue).toContainText(/stale, \d+ s old/);
    await expect(page.getByRole('banner')).toContainText('The desk does not answer');
    await page.screenshot({ path: 'e2e/artifacts/screens/status-stale-light-1280.png' });
    await page.unroute(STATUS);
    await venue.getByRole('button', { name: 'Try again' }).click();
    await expect(venue.getByText('Not current.')).toBeHidden();
    await expect(page.getByRole('banner')).toContainText(/venue \d\d:/);
  });

  test('a panel without data says what happened and what to do', async ({ page }) => {
    await page.route('**/api/desk/policy', (route) => route.fulfill(fault));
    await page.goto('/status');
    const policy = panel(page, 'What may be sent to the venue');
    await expect(policy.locator('section[data-level]')).toContainText('A number was not one.');
    await expect(policy.locator('section[data-level]')).toContainText('Look for the request’s id');
    await page.unroute('**/api/desk/policy');
    await policy.getByRole('button', { name: 'Try again' }).click();
    await expect(policy.getByRole('row').nth(1)).toBeVisible();
  });
});

test('the table can be had as CSV, for a spreadsheet', async ({ page }) => {
  await page.goto('/status');
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download as CSV' }).click();
  const file = await started;
  expect(file.suggestedFilename()).toBe('endpoints.csv');
  const chunks = await (await file.createReadStream()).toArray();
  const lines = Buffer.concat(chunks as Buffer[]).toString('utf8').split('\r\n');
  expect(lines[0]).toBe('endpoint,asked,failed,last_at,last_status,last_how,venue_at,venue_ms,reuse_seconds,shape');
  expect(lines.find((line) => line.startsWith('ordersWorking'))).toMatch(/,4,good$/);
});
