import type { Locator, Page } from '@playwright/test';

export interface Print {
  readonly funding_rate: number;
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
