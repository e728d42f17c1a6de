import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { DeskStatus } from '#contract/desk.ts';
import { createParser } from '#contract/parsing/parse.ts';
import { toProblemResponse } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const STATUS = '**/api/desk/status';
const parser = createParser(DeskStatus, 'endpoints');

/** Serves the desk's status with these changes from now on. */
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

test('shows every endpoint of the policy with its refresh interval and schema check', async ({ page, request }) => {
  const policy = (await (await request.get('/api/desk/policy')).json()) as { endpoints: { name: string; upstream: string }[] };
  await page.goto('/status');
  const rows = panel(page, 'Endpoints').getByRole('row');
  await expect(rows).toHaveCount(policy.endpoints.length + 1);
  await expect(rows.filter({ hasText: 'ordersWorking' })).toContainText('4 s');
  await expect(rows.filter({ hasText: 'fundingEstimated' })).toContainText('OK');
  for (const { upstream } of policy.endpoints) {
    await expect(panel(page, 'Allowed requests').getByText(upstream, { exact: true })).toBeVisible();
  }
});

test('the table shows the counts of the desk', async ({ page, request }) => {
  await request.get('/api/web/market/stats/trailing/all-products');
  const status = parser.strict(await (await request.get('/api/desk/status')).text());
  const before = status.endpoints.find(({ endpoint }) => endpoint === 'trailingStatsAll')?.asked ?? 0;
  expect(before).toBeGreaterThan(0);
  await page.goto('/status');
  const row = panel(page, 'Endpoints').getByRole('row').filter({ hasText: 'trailingStatsAll' });
  await expect.poll(async () => Number(await row.getByRole('cell').nth(1).textContent())).toBeGreaterThanOrEqual(before);
});

test('the filter for issues is in the address, and an empty result offers to clear it', async ({ page }) => {
  await page.goto('/status');
  await page.getByRole('radio', { name: 'Issues only' }).check();
  await expect(page).toHaveURL('/status?show=odd');
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Issues only' })).toBeChecked();
  const selfTest = panel(page, 'Startup self-test');
  await expect(selfTest.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await selfTest.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page).toHaveURL('/status');
  await expect(selfTest.getByRole('row').filter({ hasText: 'clock' })).toBeVisible();
});

test('drift is an issue, and an unknown outcome is shown as received', async ({ page }) => {
  await changeStatus(page, ({ self_test }) => ({
    self_test: self_test && {
      ...self_test,
      rows: [
        { subject: '/web/charts/voi', outcome: 'drift', remark: 'The response has changed.' },
        { subject: 'clock', outcome: 'wobbling', remark: 'It is new.' },
      ],
    },
  }));
  await page.goto('/status?show=odd');
  await expect(panel(page, 'Endpoints').getByRole('row').filter({ hasText: 'chartVoi' })).toContainText('Drift');
  await page.goto('/status');
  await expect(panel(page, 'Startup self-test').getByText('wobbling')).toBeVisible();
});

test('the store is named with its place, and while it cannot be read, its panels say why', async ({ page }) => {
  await page.goto('/status');
  const cache = panel(page, 'Cache');
  await expect(cache).toContainText(/DatabaseSQLiteLocation.*gateway\.sqliteFailed writes0Last failurenone/);
  await changeStatus(page, ({ now }) => ({
    store: {
      kind: 'PostgreSQL',
      place: 'postgres://desk@db.example/desk',
      failed_writes: 12,
      last_failure: { at: now, type: 'desk-cannot-read', detail: 'The store postgres://desk@db.example/desk does not respond.' },
    },
    funding: null,
  }));
  await page.reload();
  await expect(cache).toContainText(/DatabasePostgreSQLLocationpostgres:\/\/desk@db\.example\/deskFailed writes12Last failure.*desk-cannot-read: The store .* does not respond\./);
  const rates = panel(page, 'Settled funding rates');
  await expect(rates.getByRole('heading', { name: 'Stored rates cannot be read' })).toBeVisible();
  await expect(rates).toContainText('does not respond.');
});

test('the journal says how long it keeps what it has, and when it will drop its oldest changes', async ({ page }) => {
  const journal = { kept_from: '2026-10-24T00:00:00Z', read_to: '2026-10-26T00:00:00Z', changes: 1_234_567, bytes: 1_000_000_000, max_bytes: 5_000_000_000 };
  const topic = { topic: 'working-orders', followers: 0, every_seconds: 30, least_seconds: 5, watched_seconds: 30, requests: 1, read_at: null };
  const facts = panel(page, 'Journal');
  await changeStatus(page, ({ live }) => ({ journal, live: { ...live, topics: [topic, { ...topic, topic: 'volume', requests: null }] } }));
  await page.goto('/status');
  await expect(facts).toContainText(/Kept2 d 0 h.*Background readingevery 30 s.*Changes1,234,567.*Sealed size1\.0 GB of 5\.0 GB.*Oldest changes droppedin 8 d 0 h, at its rate so far/);
  await expect(panel(page, 'Live topics').getByRole('row', { name: /working-orders/ })).toContainText('30 s, for the journal');
  // Never read, so that nobody knows yet what a reading takes.
  await expect(panel(page, 'Live topics').getByRole('row', { name: /volume/ }).getByRole('cell').nth(4)).toHaveText('–');
  await changeStatus(page, ({ live }) => ({ journal: { ...journal, bytes: 4_990_000_000 }, live: { ...live, topics: [] } }));
  await page.reload();
  await expect(facts).toContainText(/Background readingoff \(DESK_JOURNAL_SECONDS is 0\).*Oldest changes droppednow: it is full/);
  await changeStatus(page, () => ({ journal: { ...journal, kept_from: null, read_to: null } }));
  await page.reload();
  await expect(facts.getByRole('heading', { name: 'The journal is empty' })).toBeVisible();
});

test('requests without a new response are counted by their cause, with the first and the last time', async ({ page }) => {
  const at = '2026-01-02T03:04:05.000Z';
  await changeStatus(page, ({ answers, endpoints: [first, ...others] }) => ({
    answers: { ...answers, stale: 5, failed: 9, causes: { venue: { stale: 0, failed: 0, first_at: null, last_at: null }, budget: { stale: 5, failed: 9, first_at: at, last_at: at } } },
    endpoints: first === undefined ? [] : [{ ...first, failed: 9, over_budget: 7 }, ...others],
  }));
  await page.goto('/status');
  const rows = panel(page, 'Failures').getByRole('row');
  await expect(rows.filter({ hasText: 'Exchange failed' }).getByRole('cell')).toHaveText([/Exchange failed/, '0', '0', '–', '–']);
  await expect(rows.filter({ hasText: 'No request left' }).getByRole('cell')).toHaveText([/No request left/, '5', '9', '2026-01-02 03:04:05 UTC', '2026-01-02 03:04:05 UTC']);
  await expect(panel(page, 'Endpoints').getByRole('row').nth(1)).toContainText(/97/);
});

test('a failing exchange shows in the header, with the reason of its rejection', async ({ page }) => {
  await changeStatus(page, ({ venue, now }) => ({
    venue: {
      ...venue,
      circuit: 'open',
      last_failure: { at: now, type: 'venue-timeout', detail: 'The exchange did not respond in time.' },
      last_refusal: { at: now, type: 'key-refused', detail: 'The exchange rejects the key.' },
    },
  }));
  await page.goto('/status');
  await expect(page.getByRole('banner')).toContainText('Exchange not responding');
  await expect(panel(page, 'Exchange')).toContainText('paused after repeated failures');
  const reasons = panel(page, 'Rejection reasons');
  await expect(reasons.getByRole('row').filter({ hasText: 'Key rejected' }).locator('time')).toBeVisible();
  await expect(reasons.getByRole('row').filter({ hasText: 'Clock offset too large' }).locator('time')).toHaveCount(0);
  await takeShot(page, 'status-failing-light-1280');
});

test.describe('when Perpdesk fails', () => {
  test.use({ provoked: /500 \(|request failed|ERR_FAILED/ });

  const fault = toProblemResponse('desk-fault', 'A number was not one.');

  test('the last good data stay, dimmed, with the reason, until it responds again', async ({ page }) => {
    await page.clock.install();
    await page.goto('/status');
    await expect(panel(page, 'Request budget')).toContainText('Refill');
    await expect(panel(page, 'Request budget')).toContainText(/Next refill(–|in \d+ \w+)Full refill(now|in \d+ \w+|unknown while a request is in flight)/);
    await page.route(STATUS, (route) => route.fulfill(fault));
    await page.clock.runFor(10_000);
    const venue = panel(page, 'Exchange');
    const bar = page.getByRole('region', { name: 'Outage' });
    await expect(bar).toContainText('Perpdesk returns errors');
    await expect(bar).toContainText('A number was not one.');
    await expect(venue.locator('[data-stale=true]')).toContainText('Last response');
    await expect(venue).toContainText(/stale, \d+ s old/);
    await expect(page.getByRole('banner')).toContainText('Perpdesk returns errors');
    await takeShot(page, 'status-stale-light-1280');
    await page.unroute(STATUS);
    await bar.getByRole('button', { name: 'Try again' }).click();
    await expect(bar).toBeHidden();
    await expect(venue.locator('[data-stale=true]')).toHaveCount(0);
    await expect(page.getByRole('banner')).toContainText(/Exchange \d\d:/);
  });

  test('a panel without data says what happened and what to do', async ({ page }) => {
    await page.route('**/api/desk/policy', (route) => route.fulfill(fault));
    await page.goto('/status');
    const policy = panel(page, 'Allowed requests');
    await expect(policy.locator('section[data-level]')).toContainText('A number was not one.');
    await expect(policy.locator('section[data-level]')).toContainText('Report this error with the request ID below.');
    await page.unroute('**/api/desk/policy');
    await policy.getByRole('button', { name: 'Try again' }).click();
    await expect(policy.getByRole('row').nth(1)).toBeVisible();
  });
});

test('the table downloads as CSV', async ({ page }) => {
  await page.goto('/status');
  const started = page.waitForEvent('download');
  await page.getByRole('button', { name: 'CSV' }).click();
  const file = await started;
  expect(file.suggestedFilename()).toBe('endpoints.csv');
  const chunks = await (await file.createReadStream()).toArray();
  const lines = Buffer.concat(chunks as Buffer[]).toString('utf8').split('\r\n');
  expect(lines[0]).toBe('endpoint,asked,failed,last_at,last_status,last_how,venue_at,venue_ms,reuse_seconds,shape,over_budget');
  expect(lines.find((line) => line.startsWith('ordersWorking'))).toMatch(/,4,good,0$/);
});

test('the header says so where all requests that are left are reserved', async ({ page }) => {
  const left = page.getByRole('banner').getByRole('link', { name: /Exchange/ });
  await changeStatus(page, ({ budget }) => ({ budget: { ...budget, limit: { requests: 200, seconds: 300, reserve: 30 }, used: 182 } }));
  await page.goto('/status');
  await expect(left).toContainText('18 / 200, reserved');
  await page.unroute(STATUS);
  await changeStatus(page, ({ budget }) => ({ budget: { ...budget, limit: { requests: 200, seconds: 300, reserve: 30 }, used: 100 } }));
  await expect(left).toContainText('100 / 200');
  await expect(left).not.toContainText('reserved');
});
