import { expect } from 'vitest';
import { page, type Locator } from 'vitest/browser';
import { open } from './mount.tsx';
import { expectCount } from './screen.ts';

export const PRICES = /\/charts\/price\//;
export const VOLUMES = /\/charts\/voi/;
export const PRODUCT_DATA = /\/product\/data\/\d+$/;

export const header = (symbol = 'PBTCUCZ50'): Locator =>
  page.getByRole('region', { name: `${symbol} current figures` });
export const legend = (): Locator => page.getByTestId('legend').first();
/** Returns the session in the legend: that of the bar under the pointer, otherwise that of the last bar. */
export const session = (): Locator => legend().getBySelector('dd').first();
export const tableRows = (): Locator => page.getByRole('table', { name: /PBTCUCZ50/ }).getBySelector('tbody tr');
export const choice = (name: string): Locator => page.getByRole('radio', { name, exact: true });
/** Returns the control of a range. Bars may be as long as a range. */
export const range = (name: string): Locator =>
  page.getByRole('group', { name: 'Range', exact: true }).getByRole('radio', { name, exact: true });
export const dateField = (label: 'From' | 'To'): Locator => page.getByRole('textbox', { name: label, exact: true });
export const chart = (name = /PBTCUCZ50/): Locator => page.getByRole('application', { name });
export const heading = (name: string): Locator => page.getByRole('heading', { name, exact: true });

/** Opens the perpetual with all its current figures and waits until its chart is drawn. */
export async function openPrice(query = '', options: Parameters<typeof open>[1] = {}): ReturnType<typeof open> {
  const opened = await open(`/price/PBTCUCZ50${query}`, options);
  await expectCount(header().getBySelector('dt'), 13);
  await expect.element(chart().getBySelector('canvas').first()).toBeVisible();
  return opened;
}

/** Opens the perpetual as a table, newest session first. */
export async function openTable(query: string, options: Parameters<typeof open>[1] = {}): ReturnType<typeof open> {
  const opened = await open(`/price/PBTCUCZ50?${query}${query === '' ? '' : '&'}view=table`, options);
  await expect.element(tableRows().first()).toBeVisible();
  return opened;
}

/** Counts the pixels of the price pane that have a colour, in each row from the top. */
export function countPixels(colour: readonly number[]): readonly number[] {
  const rows: number[] = [];
  for (const canvas of chart().getBySelector('tr:first-child td:nth-child(2) canvas').elements()) {
    if (!(canvas instanceof HTMLCanvasElement)) continue;
    const { data } = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? { data: [] };
    for (let at = 0; at < data.length; at += 4) {
      const row = Math.floor(at / 4 / canvas.width);
      rows[row] = (rows[row] ?? 0) + Number(colour.every((part, index) => data[at + index] === part));
    }
  }
  return rows;
}

/** Finds the rows of the price pane that have more pixels of a colour than `least`. */
export function findRows(colour: readonly number[], least: number): readonly number[] {
  return countPixels(colour).flatMap((count, row) => (count > least ? [row] : []));
}
