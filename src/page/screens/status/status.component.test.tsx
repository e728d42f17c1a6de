import { expect, test, vi } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import type { DeskStatus } from '#contract/desk/status.ts';
import { changing, toBody, toProblem } from '#testing/component/change-answers.ts';
import { mount, open, type Change } from '#testing/component/mount.tsx';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { address, expectCount, expectText, expectToContain, fileSavedBy, textsOf } from '#testing/component/screen.ts';

const STATUS = /\/desk\/status$/;

const changeStatus = (change: (status: DeskStatus) => object): Change =>
  changing(
    STATUS,
    toBody((status: DeskStatus) => ({ ...status, ...change(status) })),
  );
const panel = (name: string): Locator => page.getByRole('region', { name, exact: true });
const rowOf = (name: string, text: string): Locator => panel(name).getByRole('row').filter({ hasText: text });
/** Returns the text without line breaks between names and values. */
const textOf = (locator: Locator): string => locator.element().textContent;

test('every endpoint of the policy is listed with its refresh interval and schema check, and every allowed request', async () => {
  const policies: string[] = [];
  await open('/status', {
    change: (answer) => {
      if (answer.target === '/api/desk/policy') policies.push(answer.text);
      return answer;
    },
  });
  await expect.poll(() => policies).toHaveLength(1);
  const policy = JSON.parse(policies[0] ?? '') as { readonly endpoints: readonly { readonly upstream: string }[] };
  expect(policy.endpoints.length).toBeGreaterThan(10);
  await expectCount(panel('Endpoints').getByRole('row'), policy.endpoints.length + 1);
  await expectToContain(rowOf('Endpoints', 'ordersWorking'), '4 s');
  await expectToContain(rowOf('Endpoints', 'fundingEstimated'), 'OK');
  for (const { upstream } of policy.endpoints)
    await expect.element(panel('Allowed requests').getByText(upstream, { exact: true })).toBeVisible();
});

test('the table has the counts of the desk, and is saved as CSV', async () => {
  await open('/status', {
    change: changeStatus(({ endpoints }) => ({
      endpoints: endpoints.map((each) =>
        each.endpoint === 'trailingStatsAll' ? { ...each, asked: 4_321, failed: 9, over_budget: 7 } : each,
      ),
    })),
  });
  await expectText(rowOf('Endpoints', 'trailingStatsAll').getByRole('cell').nth(1), '4,321');
  expect(textsOf(rowOf('Endpoints', 'trailingStatsAll').getByRole('cell'))).toEqual(expect.arrayContaining(['9', '7']));
  const { name, text } = await fileSavedBy(() => page.getByRole('button', { name: 'CSV' }).click());
  expect(name).toBe('endpoints.csv');
  const lines = text.split('\r\n');
  expect(lines[0]).toBe(
    'endpoint,client_requests,failed_requests,last_request_at,last_http_status,last_source,exchange_responded_at,latency_ms,refresh_interval_s,schema_check,over_budget_requests',
  );
  expect(lines.find((line) => line.startsWith('ordersWorking'))).toMatch(/,4,good,0$/);
  expect(lines.find((line) => line.startsWith('trailingStatsAll'))).toMatch(/^trailingStatsAll,4321,9,.*,7$/);
});

test('the filter for issues is in the address, and an empty result offers to clear it', async () => {
  await open('/status');
  await page.getByRole('radio', { name: 'Issues only' }).click();
  await expect.poll(address).toBe('/status?show=odd');
  await open(address());
  await expect.element(page.getByRole('radio', { name: 'Issues only' })).toBeChecked();
  const selfTest = panel('Startup self-test');
  await expect.element(selfTest.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await selfTest.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(address).toBe('/status');
  await expect.element(rowOf('Startup self-test', 'clock')).toBeVisible();
});

test('drift is an issue, and an unknown outcome is shown as received', async () => {
  const rows = [
    { subject: '/web/charts/voi', outcome: 'drift', remark: 'The response has changed.' },
    { subject: 'clock', outcome: 'wobbling', remark: 'It is new.' },
  ];
  await open('/status?show=odd', { change: changeStatus(({ self_test }) => ({ self_test: { ...self_test, rows } })) });
  await expectToContain(rowOf('Endpoints', 'chartVoi'), 'Drift');
  await page.getByRole('radio', { name: 'All', exact: true }).click();
  await expect.element(panel('Startup self-test').getByText('wobbling')).toBeVisible();
});

test('the store is named with its place, and while it cannot be read, its panels say why', async () => {
  await open('/status');
  await expect
    .poll(() => textOf(panel('Cache')))
    .toMatch(/DatabaseSQLiteLocation.*gateway\.sqliteFailed writes0Last failurenone/);
  const store = { kind: 'PostgreSQL', place: 'postgres://desk@db.example/desk', failed_writes: 12 };
  const detail = 'The store postgres://desk@db.example/desk does not respond.';
  await open('/status', {
    change: changeStatus(({ now }) => ({
      store: { ...store, last_failure: { at: now, type: 'desk-cannot-read', detail } },
      funding: null,
    })),
  });
  await expect
    .poll(() => textOf(panel('Cache')))
    .toMatch(
      /DatabasePostgreSQLLocationpostgres:\/\/desk@db\.example\/deskFailed writes12Last failure.*desk-cannot-read: The store .* does not respond\./,
    );
  const rates = panel('Settled funding rates');
  await expect.element(rates.getByRole('heading', { name: 'Stored rates cannot be read' })).toBeVisible();
  await expectToContain(rates, 'does not respond.');
});

test('without the role admin, panels about what others read say so', async () => {
  await open('/status', { change: changeStatus(() => ({ answers: null, endpoints: [], funding: [] })) });
  await expectToContain(panel('Cache'), 'Only administrators see these figures.');
  await expectToContain(panel('Cache'), 'SQLite');
  for (const name of ['Failures', 'Endpoints', 'Settled funding rates'])
    await expectToContain(panel(name), 'Only administrators see these figures.');
});

test('the journal says how long it keeps what it has, and when it will drop its oldest changes', async () => {
  const journal = {
    kept_from: '2026-08-15T12:30:00Z',
    read_to: '2026-08-17T12:30:00Z',
    changes: 1_234_567,
    bytes: 1_000_000_000,
    max_bytes: 5_000_000_000,
  };
  const topic = {
    topic: 'working-orders',
    followers: 0,
    every_seconds: 30,
    least_seconds: 5,
    watched_seconds: 30,
    requests: 1,
    read_at: null,
  };
  await open('/status', {
    change: changeStatus(({ live }) => ({
      journal,
      live: { ...live, topics: [topic, { ...topic, topic: 'volume', requests: null }] },
    })),
  });
  await expect
    .poll(() => textOf(panel('Journal')))
    .toMatch(
      /Kept2 d 0 h.*Background readingevery 30 s.*Changes1,234,567.*Sealed size1\.0 GB of 5\.0 GB.*Oldest changes droppedin 8 d 0 h, at its rate so far/,
    );
  await expectToContain(rowOf('Live topics', 'working-orders'), '30 s, for the journal');
  // The topic has never been read, so the duration of a reading is unknown.
  await expectText(rowOf('Live topics', 'volume').getByRole('cell').nth(4), '–');
});

test('a journal that is full, or empty, says so', async () => {
  const journal = {
    kept_from: '2026-08-15T12:30:00Z',
    read_to: '2026-08-17T12:30:00Z',
    changes: 1_234_567,
    bytes: 4_990_000_000,
    max_bytes: 5_000_000_000,
  };
  await open('/status', { change: changeStatus(() => ({ journal })) });
  await expect
    .poll(() => textOf(panel('Journal')))
    .toMatch(/Background readingoff \(DESK_JOURNAL_SECONDS is 0\).*Oldest changes droppednow: it is full/);
  await open('/status', { change: changeStatus(() => ({ journal: { ...journal, kept_from: null, read_to: null } })) });
  await expect.element(panel('Journal').getByRole('heading', { name: 'The journal is empty' })).toBeVisible();
});

test('requests without a new response are counted by their cause, with the first and the last time', async () => {
  const at = '2026-01-02T03:04:05.000Z';
  const causes = {
    venue: { stale: 0, failed: 0, first_at: null, last_at: null },
    budget: { stale: 5, failed: 9, first_at: at, last_at: at },
  };
  await open('/status', {
    change: changeStatus(({ answers }) => ({ answers: { ...answers, stale: 5, failed: 9, causes } })),
  });
  expect(textsOf(rowOf('Failures', 'Exchange failed').getByRole('cell')).slice(1)).toEqual(['0', '0', '–', '–']);
  expect(textsOf(rowOf('Failures', 'No request left').getByRole('cell')).slice(1)).toEqual([
    '5',
    '9',
    '2026-01-02 03:04:05 UTC',
    '2026-01-02 03:04:05 UTC',
  ]);
});

test('a failing exchange shows in the header, with the reason of its rejection', async () => {
  const change = changeStatus(({ venue, now }) => ({
    venue: {
      ...venue,
      circuit: 'open',
      last_failure: { at: now, type: 'venue-timeout', detail: 'The exchange did not respond in time.' },
      last_refusal: { at: now, type: 'key-refused', detail: 'The exchange rejects the key.' },
    },
  }));
  await open('/status', { change });
  await expectToContain(page.getByRole('banner'), 'Exchange not responding');
  await expectToContain(panel('Exchange'), 'paused after repeated failures');
  await expect.element(rowOf('Rejection reasons', 'Key rejected').getBySelector('time')).toBeVisible();
  await expectCount(rowOf('Rejection reasons', 'Clock offset too large').getBySelector('time'), 0);
});

test('the header is silent about the budget until data come slower for it, and then Status says which', async () => {
  const topic = { topic: 'product-data', followers: 1, every_seconds: 20, least_seconds: 20, requests: 1 };
  const withBudget = (used: number, every: number): Change =>
    changeStatus(({ budget, live }) => ({
      budget: { ...budget, limit: { requests: 200, seconds: 300, reserve: 30 }, used },
      live: { ...live, topics: [{ ...topic, every_seconds: every, watched_seconds: null, read_at: null }] },
    }));
  const exchange = page.getByRole('banner').getByRole('link', { name: /^Simulated exchange/ });
  const updates = panel('Request budget');
  await open('/status', { change: withBudget(169, 20) });
  await expectText(exchange, /^Simulated exchange\s12:30:0\d UTC$/);
  await expect.poll(() => textOf(updates)).toMatch(/UpdatesOK.*Requests left31 \/ 200.*Next refill.*Full refill/);
  await open('/status', { change: withBudget(169, 32) });
  await expectText(exchange, /Data slower$/);
  await expectToContain(updates, 'Data slower: updates come less often, as Live topics says');
  await open('/status', { change: withBudget(170, 20) });
  await expectText(exchange, /Data slower$/);
  await expectToContain(updates, 'Data slower: background updates are paused');
});

const fault = (target: RegExp): Change => changing(target, toProblem('desk-fault', 'A number was not one.'));

test('while Perpdesk fails, the last good data stay, dimmed, with the reason, until it responds again', async () => {
  let change: Change = (answer) => answer;
  await open('/status', { change: (...asked) => change(...asked) });
  await expectToContain(panel('Exchange'), 'Last response');
  change = fault(STATUS);
  vi.setSystemTime(RECORDED_AT + 10_000);
  const bar = page.getByRole('region', { name: 'Outage' });
  for (const text of ['Perpdesk returns errors', 'A number was not one.']) await expectToContain(bar, text);
  await expectToContain(panel('Exchange').getBySelector('[data-stale=true]'), 'Last response');
  await expect.poll(() => textOf(panel('Exchange'))).toMatch(/stale, 1\d s old/);
  await expectToContain(page.getByRole('banner'), 'Perpdesk returns errors');
  change = (answer) => answer;
  await bar.getByRole('button', { name: 'Try again' }).click();
  await expectCount(bar, 0);
  await expectCount(panel('Exchange').getBySelector('[data-stale=true]'), 0);
  await expect.poll(() => textOf(page.getByRole('banner'))).toMatch(/exchange ?\d\d:/);
});

test('a panel without data says what happened and what to do', async () => {
  let change = fault(/\/desk\/policy$/);
  mount('/status', { change: (...asked) => change(...asked) });
  const failure = panel('Allowed requests').getBySelector('section[data-level]');
  for (const text of ['A number was not one.', 'Report this error with the request ID below.'])
    await expectToContain(failure, text);
  change = (answer) => answer;
  await panel('Allowed requests').getByRole('button', { name: 'Try again' }).click();
  await expect.element(panel('Allowed requests').getByRole('row').nth(1)).toBeVisible();
});
