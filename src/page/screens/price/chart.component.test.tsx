import { expect, it, vi } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import type { Day } from '#contract/exchange/instant.ts';
import { formatDay } from '#model/format/format-time.ts';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
  exportAs,
  fileSavedBy,
  press,
  textsOf,
} from '#testing/component/screen.ts';
import {
  chart,
  choice,
  header,
  heading,
  legend,
  openPrice,
  openTable,
  session,
  tableRows,
} from '#testing/component/price-page.ts';

const PAST = '?from=2026-06-18&to=2026-07-08';
const focusChart = (): void => {
  (chart().element() as HTMLElement).focus();
};
const figureOf = (name: string): HTMLElement =>
  legend()
    .getBySelector('div')
    .filter({ has: page.getByText(name, { exact: true }) })
    .getBySelector('dd button')
    .element() as HTMLElement;

/** Presses the key that shows the provenance of a figure. */
async function ask(figure: HTMLElement): Promise<Locator> {
  figure.focus();
  await press('i');
  return page.getByRole('dialog');
}

/** Turns the wheel over the middle of the chart. */
async function turnWheel(y: number, times = 1): Promise<void> {
  await userEvent.wheel(chart(), { delta: { y }, times });
}

it('has a legend and current figures with their provenance', async () => {
  await openPrice();
  await expect.element(heading('PBTCUCZ50')).toBeVisible();
  expect(textsOf(legend().getBySelector('dt'))).toEqual([
    'Session',
    'Open',
    'High',
    'Low',
    'Close',
    'Settlement',
    'Change',
    'Volume',
    'Open interest',
  ]);
  await expect.element(page.getByText(/^\d+ s old · refreshes every 1 min$/)).toBeVisible();
  const settlement = header()
    .getBySelector('dl > div')
    .filter({ hasText: /^Settlement USD/ })
    .getByRole('button')
    .element() as HTMLElement;
  const tooltip = await ask(settlement);
  await expectToContain(tooltip, 'settlementPrice');
  await expectToContain(tooltip, '/api/web/charts/price/5614?begin_time=');
  await press('Escape');
  await expect.poll(() => document.activeElement).toBe(settlement);
});

it('has session, field and computation of the figures in the legend', async () => {
  await openPrice(PAST);
  for (const [name, words] of [
    ['Close', 'ohlc.close'],
    ['Change', 'Settlement vs. previous settlement.'],
    ['Open interest', 'openInterest'],
  ] as const) {
    const tooltip = await ask(figureOf(name));
    await expectToContain(tooltip, words);
    await press('Escape');
    await expectCount(tooltip, 0);
  }
  await choice('1W').click();
  await expectText(legend().getBySelector('dt').first(), 'Week of');
  // The bar covers Monday to Wednesday, the end of the range.
  await expectToContain(await ask(figureOf('High')), 'Highest of 3 sessions.');
});

it('is walked by keys: bar by bar, by pages, to the ends, and whole again', async () => {
  await openPrice();
  focusChart();
  await press('ArrowLeft');
  await expectText(session(), '17 Aug 2026, in progress');
  await press('ArrowLeft');
  await expectText(session(), '16 Aug 2026');
  await press('Control+ArrowUp');
  // A page is as wide as the view, which follows the key in the next frame.
  await expect.poll(address).toContain('zoom=');
  await press('Control+ArrowLeft');
  await expect.poll(() => Date.parse(textsOf(session())[0] ?? '')).toBeLessThan(Date.parse('1 Aug 2026'));
  await press('Home', 'ArrowLeft');
  await expectText(session(), '17 Feb 2026');
  await press('Alt+r');
  await expectText(session(), '17 Aug 2026, in progress');
  await press('Alt+l');
  await expect.poll(address).toBe('/price/PBTCUCZ50?scale=log');
});

it('gives letters that are typed to the search for another product, which keeps the range', async () => {
  await openPrice('?range=1M&scale=log');
  await userEvent.keyboard('PETHU');
  await expect.element(page.getByRole('option', { name: /PETHUIZ50/ })).toBeVisible();
  await press('Enter');
  await expect.element(heading('PETHUIZ50')).toBeVisible();
  expect(address()).toBe('/price/PETHUIZ50?range=1M&scale=log');
  await expect.element(page.getByRole('button', { name: 'Product: PETHUIZ50' })).toHaveFocus();
});

it('is zoomed by the wheel where the page does not scroll, and the part in view is in the address', async () => {
  await openPrice('?range=3M');
  await turnWheel(-100, 3);
  await expect.poll(address).toMatch(/zoom=\d{4}-\d\d-\d\d%2C\d{4}-\d\d-\d\d/);
  const zoomed = address();
  const [, first = ''] = /zoom=([\d-]+)/.exec(zoomed) ?? [];
  expect(first > '2026-05-18').toBe(true);
  await openPrice(zoomed.slice('/price/PBTCUCZ50'.length));
  await chart().hover({ position: { x: 3, y: 60 } });
  await expectText(session(), formatDay(first as Day));
  expect(address()).toBe(zoomed);
  await press('Alt+r');
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M');
});

it('is shown whole again by a double click, and by choosing its range, which is not marked while a part is in view', async () => {
  await openPrice('?range=3M');
  for (const showWhole of [() => chart().dblClick({ position: { x: 300, y: 60 } }), () => choice('3M').click()]) {
    await expect.element(choice('3M')).toBeChecked();
    await turnWheel(-100, 3);
    await expect.poll(address).toContain('zoom=');
    await expect.element(choice('3M')).not.toBeChecked();
    await showWhole();
    await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M');
    await chart().hover({ position: { x: 3, y: 60 } });
    await expectText(session(), '17 May 2026');
  }
});

it('shows the same dates in longer bars', async () => {
  await openPrice('?range=3M&zoom=2026-06-01,2026-07-05');
  await choice('1W').click();
  await expectText(legend().getBySelector('dt').first(), 'Week of');
  await chart().hover({ position: { x: 3, y: 60 } });
  await expectText(session(), '1 Jun 2026, 7 sessions');
  expect(address()).toContain('zoom=2026-06-01%2C2026-07-05');
});

it('keeps its panes where the pointer is a finger, which would resize them by a swipe over their edge', async () => {
  const edges = chart().getBySelector('[style*=row-resize]');
  await openPrice();
  // For each of two edges, a handle, and what covers the page while it is dragged.
  await expectCount(edges, 4);
  const match = matchMedia.bind(window);
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    match(query === '(pointer: coarse)' ? '(min-width: 0px)' : query),
  );
  await openPrice();
  await expectCount(edges, 0);
});

it('hides volume and open interest by their names in the legend, and its link does', async () => {
  const panes = chart().getBySelector('tr:has(> td > div > canvas)');
  await openPrice();
  // Prices, volume, open interest and the time axis.
  const count = 4;
  await expect.poll(() => panes.elements().length).toBe(count);
  await page.getByRole('button', { name: 'Volume', exact: true }).click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?hide=Settlement%2CVolume');
  await expect.poll(() => panes.elements().length).toBeLessThan(count);
  await openPrice('?hide=Volume');
  await expect
    .element(page.getByRole('button', { name: 'Volume', exact: true }))
    .toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Volume', exact: true }).click();
  await expect.poll(() => panes.elements().length).toBe(count);
});

it('marks settlements only once their name in the legend is clicked, and its link does', async () => {
  const settlement = page.getByRole('button', { name: 'Settlement', exact: true }).first();
  await openPrice();
  await expect.element(settlement).toHaveAttribute('aria-pressed', 'false');
  await settlement.click();
  await expect.poll(address).toBe('/price/PBTCUCZ50?hide=none');
  await openPrice('?hide=none');
  await expect.element(settlement).toHaveAttribute('aria-pressed', 'true');
  await settlement.click();
  await expect.poll(address).toBe('/price/PBTCUCZ50');
});

it('leaves the wheel to a page that scrolls until it has the focus', async () => {
  await openPrice('?range=3M', { size: [1_440, 420] });
  await turnWheel(100);
  await expect.poll(() => document.querySelector('main')?.scrollTop).toBeGreaterThan(0);
  await chart().hover({ position: { x: 3, y: 60 } });
  await expectText(session(), '17 May 2026');
  focusChart();
  await turnWheel(-100, 3);
  await expect.poll(address).toContain('zoom=');
});

it('has the same sessions as a table, and that the same as CSV', async () => {
  await openTable('range=1M');
  await expectCount(tableRows(), 32);
  const { text } = await fileSavedBy(() => exportAs('CSV, with sources'));
  const [head, ...lines] = text.split('\r\n').slice(0, -1);
  expect(head).toContain('settlement_usd');
  expect(lines).toHaveLength(32);
  const published = lines.filter((line) => !line.includes(',running session,'));
  expect(published).toHaveLength(31);
  for (const line of published) expect(line).toMatch(/,PBTCUCZ50,chartPrice,GET \/api\/web\/charts\/price\/5614\?/);
});

it('proposes a rule about the price under the crosshair, in whole ticks', async () => {
  await openPrice(PAST);
  focusChart();
  await press('End', 'ArrowLeft');
  await expectText(session(), '7 Jul 2026');
  const close = figureOf('Close').textContent.replaceAll(/[^\d.]/g, '');
  await press('a');
  const back = encodeURIComponent(`/price/PBTCUCZ50${PAST}`);
  await expect.poll(address).toBe(`/rules/new?product=PBTCUCZ50&price=${String(Number(close))}&back=${back}`);
});
