import { expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import {
  address,
  expectCount,
  expectText,
  expectToContain,
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
    .getByRole('button')
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
  expect(address()).toBe('/price/5608?range=1M&scale=log');
  await expect.element(page.getByRole('button', { name: 'Product: PETHUIZ50' })).toHaveFocus();
});

it('is zoomed by the wheel where the page does not scroll, and the part in view is in the address', async () => {
  await openPrice('?range=3M');
  await turnWheel(-100, 3);
  await expect.poll(address).toMatch(/zoom=\d{4}-\d\d-\d\d%2C\d{4}-\d\d-\d\d/);
  await chart().hover({ position: { x: 3, y: 60 } });
  const [first = ''] = textsOf(session());
  expect(Date.parse(first)).toBeGreaterThan(Date.parse('18 May 2026'));
  const zoomed = address();
  await openPrice(zoomed.slice('/price/PBTCUCZ50'.length));
  await chart().hover({ position: { x: 3, y: 60 } });
  await expectText(session(), first);
  expect(address()).toBe(zoomed);
  await press('Alt+r');
  await expect.poll(address).toBe('/price/PBTCUCZ50?range=3M');
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
  const { text } = await fileSavedBy(() => page.getByRole('button', { name: 'CSV', exact: true }).click());
  const [head, ...lines] = text.split('\r\n').slice(0, -1);
  expect(head).toContain('settlement_usd');
  expect(lines).toHaveLength(32);
  const published = lines.filter((line) => !line.includes(',running session,'));
  expect(published).toHaveLength(31);
  for (const line of published) expect(line).toMatch(/,PBTCUCZ50,chartPrice,GET \/api\/web\/charts\/price\/5614\?/);
});
