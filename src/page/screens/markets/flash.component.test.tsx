import { page, userEvent, type Locator } from 'vitest/browser';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { open, type Change } from '#testing/component/mount.tsx';
import { cellOf } from '#testing/component/markets-page.ts';
import { RECORDED_AT } from '#testing/component/recorded-at.ts';
import { expectToContain, press, textsOf } from '#testing/component/screen.ts';

const [FIRST, SECOND] = [5614, 5608];
const MARKETS = '/?type=perpetual&sort=-last';

interface TradingRow {
  readonly product_id: number;
  readonly settlement_price: number | null;
  readonly settlement_time: string | null;
  readonly high_price: number | null;
  readonly low_price: number | null;
}

/**
 * Sets a last price some ticks above the settlement, and everything that must agree with it. The range still covers all
 * trades.
 */
function withLast(row: TradingRow, ticks: number): object {
  const settlement = Math.round(row.settlement_price ?? 0);
  const last = settlement + ticks;
  const at = new Date(RECORDED_AT - 60_000).toISOString();
  const settled =
    row.settlement_time === null
      ? at
      : new Date(Math.min(Date.parse(row.settlement_time), Date.parse(at) - 1_000)).toISOString();
  return {
    ...row,
    settlement_time: settled,
    settlement_price: settlement,
    last_price: last,
    last_price_time: at,
    low_price: Math.min(row.low_price ?? last, settlement, last),
    high_price: Math.max(row.high_price ?? last, settlement, last),
    price_change: ticks,
  };
}

/** Lets the test set the last prices of two perpetuals; all other products keep theirs. */
function startPrices(): { readonly change: Change; readonly set: (first: number, second: number) => void } {
  let ticks: readonly [number, number] = [10, 10];
  const changeRow = (row: TradingRow): object =>
    withLast(row, row.product_id === FIRST ? ticks[0] : row.product_id === SECOND ? ticks[1] : 3);
  const change: Change = (answer) => {
    if (!/^\/api\/product\/data\/\d*$/.test(answer.target)) return answer;
    const body = JSON.parse(answer.text) as TradingRow | readonly TradingRow[];
    return { ...answer, text: JSON.stringify('product_id' in body ? changeRow(body) : body.map(changeRow)) };
  };
  return { change, set: (...next) => (ticks = next) };
}

/**
 * Records every flash from now on: product, direction and what is animated. Each is held at its start, so that no test
 * comes too late for it.
 */
function recordFlashes(): readonly string[] {
  const flashes: string[] = [];
  const observer = new MutationObserver((changes) => {
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
  });
  observer.observe(document.body, { subtree: true, attributeFilter: ['data-flash'] });
  onTestFinished(() => {
    observer.disconnect();
  });
  return flashes;
}

/** Refreshes the page as a person does who returns after a minute. */
async function refreshUntilChanged(price: Locator): Promise<void> {
  await expect.element(price).toBeVisible();
  const [before] = textsOf(price);
  vi.setSystemTime(Date.now() + 60_000);
  window.dispatchEvent(new Event('visibilitychange'));
  await expect.poll(() => textsOf(price)[0]).not.toBe(before);
}

describe('a changed price', () => {
  it('does not flash where the user wants no motion', async () => {
    const asked = window.matchMedia.bind(window);
    vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
      query.includes('reduced-motion')
        ? (Object.assign(new EventTarget(), { matches: true, media: query }) as MediaQueryList)
        : asked(query),
    );
    const { change, set } = startPrices();
    await open(MARKETS, { change });
    const flashes = recordFlashes();
    set(12, 10);
    await refreshUntilChanged(cellOf('PBTCUCZ50', 'last'));
    expect(flashes).toEqual([]);
  });
});

it('flashes nothing to sort, filter and scroll', async () => {
  const { change } = startPrices();
  await open(MARKETS, { change, size: [1_280, 400] });
  const flashes = recordFlashes();
  await page.getByRole('columnheader', { name: 'Symbol' }).click();
  await page.getByRole('searchbox').fill('bitcoin');
  await expectToContain(page.getBySelector('footer').filter({ hasText: /^\d of \d+ products/ }), 'products');
  await page.getByRole('searchbox').fill('');
  page.getByRole('grid').element().focus();
  await press('Control+End');
  await page.getByRole('radio', { name: 'All' }).click();
  await expect.element(page.getByRole('gridcell').first()).toBeVisible();
  expect(flashes).toEqual([]);
});

it('flashes no product that replaces another on Price, and the next price of it does', async () => {
  const { change, set } = startPrices();
  await open(`/price/${String(FIRST)}`, { change });
  const priceOf = (name: string): Locator =>
    page.getByRole('region', { name: `${name} current figures` }).getBySelector('[data-flashes]');
  await expectToContain(priceOf('PBTCUCZ50'), '.');
  const flashes = recordFlashes();
  await userEvent.keyboard('PETHUIZ50');
  await expect.element(page.getByRole('option', { name: 'PETHUIZ50' })).toBeVisible();
  await press('Enter');
  await expect.poll(() => textsOf(priceOf('PETHUIZ50'))[0]).toMatch(/\d/);
  expect(flashes).toEqual([]);
  set(10, 4);
  await refreshUntilChanged(priceOf('PETHUIZ50'));
  await expect.poll(() => flashes).toEqual([`${textsOf(priceOf('PETHUIZ50'))[0] ?? ''} down opacity`]);
});
