import { describe, expect, it } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, fileSavedBy, press, textsOf } from '#testing/component/screen.ts';

/** High enough for all rows: the list draws only those in sight. */
const size = [1_280, 4_400] as const;

/** A tree where products are grouped. */
const grid = (): Locator => page.getByRole('grid', { name: 'Markets' }).or(page.getByRole('treegrid', { name: 'Markets' }));
/** The cell with the keyboard cursor. */
const activeCell = (): Locator => grid().getBySelector('[data-active]');
/** Products and, where grouped, underlyings. */
const lines = (): Locator => grid().getBySelector('[role=row]:has([role=gridcell])');
const groups = (): Locator => grid().getBySelector('[role=row][data-group]:has([role=gridcell])');
const products = (): Locator => grid().getBySelector('[role=row]:not([data-group]):has([role=gridcell])');
const rowOf = (symbol: string): Locator => grid().getByRole('row').filter({ has: page.getByRole('link', { name: symbol, exact: true }) });
const cellOf = (symbol: string, column: string): Locator => rowOf(symbol).getBySelector(`[data-column="${column}"]`);
const head = (name: string): Locator => grid().getByRole('columnheader', { name });
/** A column's texts from top to bottom. */
const columnOf = (column: string): readonly string[] => textsOf(products().getBySelector(`[data-column="${column}"]`));
/** A column's figures; NaN where there is none. */
const figuresOf = (column: string): readonly number[] => columnOf(column).map((text) => Number(text.replaceAll(',', '').replace('−', '-')));

async function openMarkets(at = '/'): Promise<void> {
  await open(at, { size });
  await expect.element(lines().first()).toBeVisible();
}

function isOrdered(figures: readonly number[], descending: boolean): boolean {
  const known = figures.filter((figure) => !Number.isNaN(figure));
  const sorted = known.toSorted((a, b) => (descending ? b - a : a - b));
  const missingLast = figures.slice(known.length).every((figure) => Number.isNaN(figure));
  return known.length > 0 && missingLast && known.every((figure, index) => figure === sorted[index]);
}

describe('the list of markets', () => {
  it('is sorted by a header, both ways with missing values last, and has aria-sort', async () => {
    await openMarkets();
    expect(isOrdered(figuresOf('volumeUsd'), true)).toBe(true);
    await head('Funding').click();
    await expect.element(head('Funding')).toHaveAttribute('aria-sort', 'descending');
    const down = figuresOf('funding');
    expect(down.some((figure) => Number.isNaN(figure))).toBe(true);
    expect(isOrdered(down, true)).toBe(true);
    await head('Funding').click();
    await expect.element(head('Funding')).toHaveAttribute('aria-sort', 'ascending');
    expect(isOrdered(figuresOf('funding'), false)).toBe(true);
  });

  it('is sorted by one more level with Shift', async () => {
    await openMarkets('/?sort=type');
    await head('Symbol').click({ modifiers: ['Shift'] });
    await expect.poll(address).toBe('/?sort=type%2Csymbol');
    const types = columnOf('type');
    const symbols = columnOf('symbol').filter((_, index) => types[index] === 'perpetual');
    expect(symbols).toEqual(symbols.toSorted());
  });

  it('is the same by its address', async () => {
    await openMarkets();
    await page.getByRole('radio', { name: 'Perpetuals' }).click();
    await page.getByRole('button', { name: 'Group by underlying' }).click();
    await head('APR').click();
    await page.getByRole('searchbox').fill('dollar kilo');
    await expect.poll(address).toBe('/?type=perpetual&group=underlying&sort=-apr&q=dollar+kilo');
    const shown = columnOf('symbol');
    expect(shown).toContain('PXTZUKZ50');
    await openMarkets(address());
    await expect.element(page.getByRole('searchbox')).toHaveValue('dollar kilo');
    expect(columnOf('symbol')).toEqual(shown);
  });

  it('finds a product as one types, and Enter opens its price', async () => {
    await openMarkets();
    await press('/');
    await expect.element(page.getByRole('searchbox')).toHaveFocus();
    await userEvent.keyboard('perpetual ether');
    await expectCount(lines(), 1);
    await press('Enter');
    await expect.element(grid()).toHaveFocus();
    await expectText(activeCell(), 'PETHUIZ50');
    await press('Enter');
    await expect.poll(address).toMatch(/\/price\/\d+$/);
  });

  it('is saved as CSV with the rows shown and raw values', async () => {
    await openMarkets('/?type=perpetual&sort=-symbol');
    await expect.element(page.getByText('PSHBUNZ50: USD prices withheld.')).toBeVisible();
    const { text } = await fileSavedBy(() => page.getByRole('button', { name: 'CSV', exact: true }).click());
    const rows = text.split('\r\n').slice(0, -1);
    expect(rows.slice(1).map((line) => line.split(',')[1])).toEqual(columnOf('symbol'));
    expect(rows[0]).toContain('settlement_usd,settlement_usd_wire');
    for (const line of rows.slice(1)) expect(line).toMatch(/GET \/api\/.*all-products/);
    expect(rows.find((line) => line.includes('PSHBUNZ50'))).toContain('The published tick size, ');
  });

  it('shows provenance of a figure by pointer and by key', async () => {
    await openMarkets('/?q=PBTCUCZ50');
    const cell = cellOf('PBTCUCZ50', 'openInterestUsd');
    await cell.click();
    const tooltip = page.getByRole('dialog', { name: /PBTCUCZ50 open interest: [\d,.]+ USD/ });
    await expectToContain(tooltip, 'US cents × 0.01 = USD');
    await cell.click();
    await expectCount(tooltip, 0);
    await page.getByRole('searchbox').click();
    await press('Enter', 'End', ...Array<string>(5).fill('ArrowLeft'));
    await expect.element(cell).toHaveAttribute('data-active');
    await press('i');
    await expect.element(tooltip).toBeVisible();
    await press('Escape');
    await expect.element(grid()).toHaveFocus();
  });

  it('collapses a group, and its address shows the same', async () => {
    await openMarkets('/?group=underlying&sort=symbol');
    const all = products().elements().length;
    const group = lines().filter({ hasText: /[▾▸] BTC · \d+/ });
    const collapsed = Number(/\d+/.exec(textsOf(group)[0] ?? '')?.[0]);
    await group.click();
    await expect.element(group).toHaveAttribute('aria-expanded', 'false');
    await expectCount(products(), all - collapsed);
    expect(address()).toContain('closed=BTC');
    await openMarkets(address());
    await expectCount(products(), all - collapsed);
    expect(groups().elements().length).toBeGreaterThan(1);
  });
});
