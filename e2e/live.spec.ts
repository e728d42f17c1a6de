import { expect, type Page } from '@playwright/test';
import { countPolls, expectPushed, expectSameBook, followersOf, test, TOPIC } from './live-desk.ts';
import { openOrders } from './orders-desk.ts';
import { awaitOutageCode } from './outage-code.ts';

test.setTimeout(120_000);
test.use({ provoked: /50[234] \(|403 \(|request failed|ERR_|Failed to load resource/ });

test('ten tabs share one stream, and every tab can still send requests', async ({ context, desk }) => {
  const pages: Page[] = [];
  for (let index = 0; index < 10; index++) {
    const page = await context.newPage();
    pages.push(page);
    await openOrders(page);
  }
  for (const page of pages) await expectPushed(page, desk);
  await expect.poll(desk.proxy.streams).toBe(1);
  await expect.poll(async () => (await desk.status()).live.streams).toBe(1);
  const polls = pages.map(countPolls);
  const read = (await desk.status()).live.topics.find(({ topic }) => topic === TOPIC)?.read_at;
  await expect
    .poll(async () => (await desk.status()).live.topics.find(({ topic }) => topic === TOPIC)?.read_at, {
      timeout: 20_000,
    })
    .not.toBe(read);
  expect(polls.map((count) => count())).toEqual(pages.map(() => 0));
  for (const page of pages) expect(await page.evaluate(async () => (await fetch('/api/desk/policy')).status)).toBe(200);
});

test('with nobody looking nothing is read; who looks again sees the present', async ({ page, desk }) => {
  await openOrders(page);
  await expectPushed(page, desk);
  await setHidden(page, true);
  await expect.poll(() => followersOf(desk), { timeout: 15_000 }).toBe(0);
  await setHidden(page, false);
  await expect.poll(() => followersOf(desk), { timeout: 15_000 }).toBe(1);
  await expectPushed(page, desk);
  await expectSameBook(page, desk);
});

test('the desk killed in the middle and back: the page has what the exchange has', async ({ page, desk }) => {
  await openOrders(page);
  await expectPushed(page, desk);
  await awaitOutageCode(page);
  await desk.killServer();
  await expect(page.getByRole('region', { name: 'Outage' })).toBeVisible({ timeout: 30_000 });
  await desk.reviveServer();
  await expect(page.getByRole('region', { name: 'Outage' })).toBeHidden({ timeout: 60_000 });
  await expect.poll(() => followersOf(desk), { timeout: 60_000 }).toBe(1);
  await expectPushed(page, desk);
  await expectSameBook(page, desk);
});

for (const fault of ['redirects', 'forbids', 'cuts', 'keeps silent'] as const) {
  test(`a proxy that ${fault}: the page polls, and says how often`, async ({ page, desk }) => {
    desk.proxy.setFault(fault);
    const polls = countPolls(page);
    await openOrders(page);
    await expect.poll(polls, { timeout: 30_000 }).toBeGreaterThan(2);
    await expect(page.getByText(/refreshes every 5 s/).first()).toBeVisible();
    // The footer counts down from the same figure.
    await page.waitForFunction(() => document.querySelector('footer')?.textContent.includes('next refresh in 5 s'));
  });
}

test('a stream that is cut goes on where it was, without a trace on screen', async ({ page, desk }) => {
  await openOrders(page);
  await expectPushed(page, desk);
  const polls = countPolls(page);
  await expect.poll(desk.proxy.streams).toBe(1);
  const opened = desk.proxy.opened();
  desk.proxy.breakStreams();
  await expect.poll(desk.proxy.opened, { timeout: 15_000 }).toBeGreaterThan(opened);
  const asOf = page.locator('footer time').first();
  const before = (await asOf.textContent()) ?? '';
  await expect(asOf).not.toHaveText(before, { timeout: 20_000 });
  expect(polls()).toBeLessThanOrEqual(1);
  await expectPushed(page, desk);
  await expectSameBook(page, desk);
});

test('without shared workers, only a tab that is looked at has a stream, and eight over HTTP/1.1 all load', async ({
  context,
  page: first,
  desk,
}) => {
  await context.addInitScript(() => {
    Reflect.deleteProperty(globalThis, 'SharedWorker');
  });
  await openOrders(first);
  await expectPushed(first, desk);
  await expectSameBook(first, desk);
  const pages = [first];
  while (pages.length < 8) {
    const page = await context.newPage();
    await setHidden(pages.at(-1) ?? first, true);
    pages.push(page);
    await openOrders(page);
    await expect.poll(desk.proxy.opened, { timeout: 20_000 }).toBeGreaterThanOrEqual(pages.length);
  }
  await expect.poll(desk.proxy.streams, { timeout: 15_000 }).toBe(1);
  for (const page of pages) expect(await page.evaluate(async () => (await fetch('/api/desk/policy')).status)).toBe(200);
  await setHidden(pages.at(-1) ?? first, true);
  await setHidden(first, false);
  await expectPushed(first, desk);
  await expect.poll(desk.proxy.streams, { timeout: 15_000 }).toBe(1);
});

async function setHidden(page: Page, isHidden: boolean): Promise<void> {
  await page.evaluate((hidden) => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => hidden });
    Object.defineProperty(document, 'visibilityState', {
      configurable: true,
      get: () => (hidden ? 'hidden' : 'visible'),
    });
    document.dispatchEvent(new Event('visibilitychange'));
  }, isHidden);
}
