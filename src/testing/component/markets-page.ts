import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from './mount.tsx';
import { textsOf } from './screen.ts';

/** A height that fits all rows, because the list draws only those in sight. */
const size = [1_280, 4_400] as const;

/** Returns the list, which is a tree if products are grouped. */
export const grid = (): Locator =>
  page.getByRole('grid', { name: 'Markets' }).or(page.getByRole('treegrid', { name: 'Markets' }));
/** Returns the cell with the keyboard cursor. */
export const activeCell = (): Locator => grid().getBySelector('[data-active]');
/** Returns the products and, if they are grouped, their underlyings. */
export const lines = (): Locator => grid().getBySelector('[role=row]:has([role=gridcell])');
export const groups = (): Locator => grid().getBySelector('[role=row][data-group]:has([role=gridcell])');
export const products = (): Locator => grid().getBySelector('[role=row]:not([data-group]):has([role=gridcell])');
export const rowOf = (symbol: string): Locator =>
  grid()
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: symbol, exact: true }) });
export const cellOf = (symbol: string, column: string): Locator =>
  rowOf(symbol).getBySelector(`[data-column="${column}"]`);
export const head = (name: string): Locator => grid().getByRole('columnheader', { name });
export const footer = (): Locator => page.getBySelector('footer');
/** Returns a column's texts from top to bottom. */
export const columnOf = (column: string): readonly string[] =>
  textsOf(products().getBySelector(`[data-column="${column}"]`));
/** Returns a column's figures; NaN for a missing one. */
export const figuresOf = (column: string): readonly number[] =>
  columnOf(column).map((text) => Number(text.replaceAll(',', '').replace('−', '-')));

export async function openMarkets(at = '/', options: Parameters<typeof open>[1] = {}): Promise<void> {
  await open(at, { size, ...options });
  await expect.element(lines().first()).toBeVisible();
}
