import { expect, type Page } from '@playwright/test';
import { DeskStatus } from '#contract/desk/status.ts';
import { createParser } from '#contract/parse/parse.ts';
import { expectPriced } from './orders-desk.ts';
import { awaitOutageCode } from './outage-code.ts';
import { toProblemResponse, UNREACHABLE } from './problem-response.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ provoked: /(429|50[0-4]) \(|request failed|ERR_/ });

const STATUS = '**/api/desk/status';
const parser = createParser(DeskStatus, 'endpoints');

/** Makes Perpdesk report this about itself from now on. */
async function report(page: Page, change: (status: DeskStatus) => object): Promise<void> {
  await page.route(STATUS, async (route) => {
    const response = await route.fetch();
    const status = parser.strict(await response.text());
    await route.fulfill({ json: { ...status, ...change(status) } });
  });
}

/**
 * Makes Perpdesk report that the exchange refuses connections: the circuit breaker is open, and lets a read through in
 * a few seconds.
 */
async function reportUnreachable(page: Page, type = 'venue-unreachable'): Promise<void> {
  await report(page, ({ now, venue }) => ({
    venue: {
      ...venue,
      circuit: 'open',
      retry_at: new Date(Date.parse(now) + 9_000).toISOString(),
      last_failure: { at: now, type, detail: 'It failed.' },
    },
  }));
}

/** Makes every read of the exchange fail. */
async function failReads(page: Page): Promise<void> {
  await page.route(/\/api\/(?!desk\/(status|policy))/, (route) => route.fulfill(UNREACHABLE));
}

function barOf(page: Page) {
  return page.getByRole('region', { name: 'Outage' });
}

const SCREENS = [
  '/',
  '/price/PBTCUCZ50',
  '/volume/PBTCUCZ50',
  '/funding',
  '/funding/BTCUC',
  '/orders',
  '/orders/history',
  '/rules',
  '/status',
] as const;

for (const path of SCREENS) {
  test(`on ${path}, one bar says what is wrong and since when, and offers the one retry; where nothing is shown, it promises nothing`, async ({
    page,
  }) => {
    await reportUnreachable(page);
    await failReads(page);
    await page.goto(path);
    await expect(barOf(page)).toContainText('Exchange unreachable');
    await expect(barOf(page)).toContainText(/Last response \d\d:\d\d:\d\d UTC, \d+ (s|min) ago\./);
    await expect(barOf(page)).toContainText(/Next retry in \d s\./);
    await expect(page).toHaveTitle(/^⚠ Exchange unreachable · .+ · Perpdesk$/);
    if (path !== '/status')
      await expect(page.getByRole('main').getByRole('heading', { name: 'Not loaded' }).first()).toBeVisible();
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
    await expect(page.getByRole('main')).not.toContainText('Exchange unreachable');
    if (path !== '/status') await expect(barOf(page)).not.toContainText('last ones received');
  });
}

test('with data on screen, these stay, dimmed, without a notice of their own; the end is noticed at once', async ({
  page,
}) => {
  await page.goto('/orders');
  const main = page.getByRole('main');
  await expect(main.getByLabel('Working orders')).toBeVisible();
  await expectPriced(page);
  await reportUnreachable(page);
  await failReads(page);
  await expect(barOf(page)).toContainText('The figures shown are the last ones received.', { timeout: 20_000 });
  await expect(main.locator('[data-stale=true]').first()).toBeVisible();
  await expect(main.getByText('Stale.', { exact: true })).toHaveCount(0);
  await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
  for (const [width, theme] of [
    [360, 'light'],
    [1280, 'light'],
    [2560, 'dark'],
  ] as const) {
    await page.setViewportSize({ width, height: 800 });
    await page.emulateMedia({ colorScheme: theme });
    await takeShot(page, `outage-${theme}-${String(width)}`);
  }
  // No read ends until the button is pressed: a poll that succeeded earlier would remove the bar and the button with
  // it.
  const { promise: pressed, resolve } = Promise.withResolvers<undefined>();
  await page.route('**/api/**', async (route) => {
    await pressed;
    await route.continue();
  });
  await barOf(page).getByRole('button', { name: 'Try again' }).click();
  resolve(undefined);
  await expect(barOf(page)).toBeHidden();
  await expect(page).toHaveTitle('Orders · Perpdesk');
  await expect(main.locator('[data-stale=true]')).toHaveCount(0);
});

test('an outage is announced once, and so is its end', async ({ page }) => {
  await page.addInitScript(() => {
    const announced: string[] = [];
    Object.assign(globalThis, { announced });
    new MutationObserver((changes) => {
      for (const { addedNodes, target } of changes) {
        const element = target instanceof Element ? target : target.parentElement;
        if (element?.closest('[aria-live]') !== null)
          for (const node of addedNodes) announced.push(node.textContent ?? '');
      }
    }).observe(document, { childList: true, subtree: true });
  });
  const announced = () =>
    page.evaluate(() =>
      (globalThis as unknown as { readonly announced: readonly string[] }).announced.filter((text) => text !== ''),
    );
  await page.goto('/orders');
  await expect(page.getByLabel('Working orders')).toBeVisible();
  await expectPriced(page);
  await reportUnreachable(page);
  await failReads(page);
  await expect(page.getByRole('main').locator('[data-stale=true]')).toBeVisible({ timeout: 20_000 });
  // Another failed read changes nothing.
  await page.waitForResponse(/\/api\/desk\/working/, { timeout: 20_000 });
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await expect(barOf(page)).toBeHidden({ timeout: 20_000 });
  await expect(page.locator('[data-stale=true]')).toHaveCount(0, { timeout: 20_000 });
  await expect.poll(async () => (await announced()).at(-1)).toBe('Exchange connection restored.');
  expect((await announced()).filter((text) => /unreachable|stale|not loaded|restored/i.test(text))).toEqual([
    'Exchange unreachable.',
    'Exchange connection restored.',
  ]);
});

for (const { what, title, begin } of [
  {
    what: 'an exchange that does not respond',
    title: 'Exchange not responding',
    begin: (page: Page) => reportUnreachable(page, 'venue-timeout'),
  },
  {
    what: 'an exchange that returns only errors',
    title: 'Exchange returns only errors',
    begin: (page: Page) => reportUnreachable(page, 'venue-fault'),
  },
  {
    what: 'a spent request budget',
    title: 'Request budget exhausted',
    begin: (page: Page) =>
      report(page, ({ now, budget }) => ({
        budget: {
          ...budget,
          limit: { requests: 200, seconds: 300, reserve: 30 },
          used: 200,
          next_back_at: new Date(Date.parse(now) + 9_000).toISOString(),
        },
      })),
  },
  {
    what: 'a server that does not respond',
    title: 'Perpdesk unreachable',
    begin: (page: Page) => page.route(STATUS, (route) => route.abort()),
  },
  {
    what: 'a server that returns errors',
    title: 'Perpdesk returns errors',
    begin: (page: Page) =>
      page.route(STATUS, (route) => route.fulfill(toProblemResponse('desk-fault', 'A number was not one.'))),
  },
]) {
  test(`the bar names ${what}`, async ({ page }) => {
    await begin(page);
    await page.goto('/status');
    await expect(barOf(page)).toContainText(title);
    await expect(barOf(page)).toContainText(/Next retry in \d s\.|Retries automatically\./);
    await expect(page.getByRole('button', { name: 'Try again' })).toHaveCount(1);
    const button = barOf(page).getByRole('button', { name: 'Try again' });
    // While no request may be sent, the button is not offered.
    if (title === 'Request budget exhausted') await expect(button).toHaveAttribute('aria-disabled', 'true');
    else await Promise.all([page.waitForRequest(STATUS), button.click()]);
    await page.unrouteAll({ behavior: 'ignoreErrors' });
    // The bar disappears by itself, with the next poll.
    await expect(barOf(page)).toBeHidden({ timeout: 20_000 });
  });
}

test('one failing endpoint is no outage: its panel says so, with a retry of its own', async ({ page }) => {
  await page.route('**/api/web/charts/voi*', (route) => route.fulfill(UNREACHABLE));
  await page.goto('/volume/PBTCUCZ50');
  await expect(page.getByRole('main').getByRole('button', { name: 'Try again' })).toBeVisible();
  await expect(page.getByRole('main')).toContainText('The connection was refused.');
  await expect(barOf(page)).toHaveCount(0);
  await expect(page).toHaveTitle('PBTCUCZ50 · Volume / OI · Perpdesk');
});

test('the bar comes although the server is gone by then', async ({ page }) => {
  await page.goto('/');
  await awaitOutageCode(page);
  await page.route('**/*', (route) => route.abort());
  await expect(barOf(page)).toContainText('Perpdesk unreachable', { timeout: 15_000 });
});
