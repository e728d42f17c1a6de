import { expect, type Page } from '@playwright/test';
import { takeShot } from './take-shot.ts';
import { changeTrading, withLast } from './trading-data.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

test.use({ viewport: { width: 1280, height: 900 } });

const FIRST = 'PBTCUCZ50';
const SECOND = 'PETHUIZ50';

/** Sets the last prices of two perpetuals as the test decides; all other products keep theirs throughout. */
async function startPrices(page: Page): Promise<(first: number, second: number) => void> {
  const { products } = (await (await page.request.get('/api/desk/products')).json()) as {
    readonly products: readonly { readonly product_id: number; readonly symbol: string }[];
  };
  const idOf = (symbol: string): number => products.find((product) => product.symbol === symbol)?.product_id ?? 0;
  const [firstId, secondId] = [idOf(FIRST), idOf(SECOND)];
  const tradedAt = new Date(Date.now() - 60_000).toISOString();
  let ticks: readonly [number, number] = [10, 10];
  await changeTrading(page, (row) =>
    withLast(row, row.product_id === firstId ? ticks[0] : row.product_id === secondId ? ticks[1] : 3, tradedAt),
  );
  return (...next) => {
    ticks = next;
  };
}

/**
 * Records every flash from now on, as product, direction and what is animated. Each is paused at its start, so that no
 * test is too late for it.
 */
async function recordFlashes(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const flashes: string[] = [];
    Object.assign(window, { flashes });
    new MutationObserver((changes) => {
      for (const { target } of changes) {
        if (!(target instanceof HTMLElement)) continue;
        const animations = target.getAnimations({ subtree: true });
        for (const animation of animations) animation.pause();
        const animated = animations
          .slice(-1)
          .flatMap(({ effect }) => Object.keys((effect as KeyframeEffect).getKeyframes()[0] ?? {}))
          .filter((name) => !/offset|easing|composite/i.test(name));
        const subject =
          target.closest('[role=row]')?.querySelector('[data-column=symbol]')?.textContent ?? target.textContent;
        flashes.push(`${subject} ${target.dataset['flash'] ?? ''} ${animated.join()}`);
      }
    }).observe(document.body, { subtree: true, attributeFilter: ['data-flash'] });
  });
  return () => page.evaluate(() => (window as unknown as { flashes: readonly string[] }).flashes);
}

/** Opens Markets with the most expensive perpetuals first, because which ones trade most depends on the hour. */
async function openMarkets(page: Page, query = 'type=perpetual&sort=-last'): Promise<void> {
  await page.clock.install();
  await page.goto(`/?${query}`);
  await expect(page.locator('[role=gridcell][data-column=last]').first()).toHaveText(/\d/);
  await expect(page.getByRole('columnheader', { description: 'Loading…' })).toHaveCount(0);
  await expect(page.locator('[data-flash]')).toHaveCount(0);
}

function lastOf(page: Page, symbol: string) {
  return page
    .getByRole('row')
    .filter({ has: page.locator(`a[href="/price/${symbol}"]`) })
    .locator('[data-column=last]');
}

/** Refreshes until another price arrives. */
async function refreshUntilChanged(page: Page, symbol: string): Promise<void> {
  const before = await lastOf(page, symbol).innerText();
  await expect(async () => {
    await page.clock.runFor(10_000);
    await expect(lastOf(page, symbol)).not.toHaveText(before, { timeout: 500 });
  }).toPass();
}

test('a changed price flashes once, by colour and arrow, of which only the opacity is animated, and no other does', async ({
  page,
}) => {
  const set = await startPrices(page);
  await openMarkets(page);
  const flashes = await recordFlashes(page);
  set(12, 10);
  await refreshUntilChanged(page, FIRST);
  await expect.poll(flashes).toEqual(['PBTCUCZ50 up opacity']);
  const arrowOf = () =>
    lastOf(page, FIRST).evaluate((cell) => {
      const { content, transform, color } = getComputedStyle(cell, '::after');
      return { content, transform, color };
    });
  await takeShot(page, 'markets-flash');
  const up = await arrowOf();
  set(7, 10);
  await refreshUntilChanged(page, FIRST);
  await expect.poll(flashes).toEqual(['PBTCUCZ50 up opacity', 'PBTCUCZ50 down opacity']);
  const down = await arrowOf();
  expect([up.content, up.transform, down.transform]).toEqual(['"▲" / ""', 'none', 'matrix(1, 0, 0, -1, 0, 0)']);
  expect(down.color).not.toBe(up.color);
});

test('a flash stays with its product when the rows below it are recycled', async ({ page }) => {
  const set = await startPrices(page);
  await page.setViewportSize({ width: 1280, height: 400 });
  // More products of one underlying are listed than fit in sight, and this order has its perpetual first.
  await openMarkets(page, 'q=BTC&sort=-symbol');
  const flashes = await recordFlashes(page);
  set(12, 10);
  await refreshUntilChanged(page, FIRST);
  await expect.poll(flashes).toHaveLength(1);
  await page.getByRole('grid').evaluate((grid) => {
    grid.scrollTop = grid.scrollHeight;
  });
  await expect(lastOf(page, FIRST)).toHaveCount(0);
  expect(await page.getByRole('grid').evaluate((grid) => grid.getAnimations({ subtree: true }).length)).toBe(0);
});
