import { expect, type Locator, type Page } from '@playwright/test';

export interface Print {
  readonly funding_rate: number;
  readonly interest_rate: number;
  readonly mark_price: number;
  readonly price_index: number;
  readonly interval_start: string;
  readonly interval_end: string;
}

/** The part of a funding response that tests read. */
export interface Funding {
  readonly perpetuals: readonly { readonly base_symbol: string; readonly prints: readonly Print[] }[];
}

export function tableOf(page: Page): Locator {
  return page.getByRole('grid', { name: 'Funding of all perpetuals' });
}

/** All rows are rendered, in order. */
export function rowsOf(page: Page): Locator {
  return tableOf(page).locator('[role=row]:has([role=gridcell])');
}

export function cellOf(page: Page, symbol: string, column: string): Locator {
  return rowsOf(page).filter({ has: page.getByRole('link', { name: symbol, exact: true }) }).locator(`[data-column="${column}"]`);
}

/** Shows these columns besides the pinned ones, as if they had been chosen before. */
export async function showColumns(page: Page, columns: readonly string[], layout = 'funding'): Promise<void> {
  const pinned = ['pick', 'symbol'];
  const stored = { version: 1, order: [...pinned, ...columns], widths: {}, hidden: [], pinned: { start: pinned, end: [] } };
  await page.addInitScript(([name, text]) => {
    localStorage.setItem(name, text);
  }, [`perpdesk.${layout}.layout`, JSON.stringify(stored)] as const);
}

export function toNumber(text: string): number {
  return Number(text.replace('−', '-').replace('+', '').replaceAll(',', ''));
}

/** That a column is in an order, as soon as it is: rows follow a choice a moment later. */
export async function expectOrdered(page: Page, column: string, compare: (a: number, b: number) => number): Promise<void> {
  await expect(async () => {
    const values = (await rowsOf(page).locator(`[data-column="${column}"]`).allInnerTexts()).map(toNumber);
    expect(values.length).toBeGreaterThan(0);
    expect(values).toEqual(values.toSorted(compare));
  }).toPass({ timeout: 10_000 });
}
