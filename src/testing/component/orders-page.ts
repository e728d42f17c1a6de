import { commands, page, userEvent, type Locator } from 'vitest/browser';
import { expect } from 'vitest';
import { DESKTOP, open, type Change } from './mount.tsx';
import { expectToContain, press, textsOf } from './screen.ts';

/** An order as the exchange and Perpdesk return it. */
export interface WireOrder {
  readonly id: string;
  readonly side: string;
  readonly symbol: string;
  readonly account_id: string;
  readonly time: string;
  readonly price: number;
  readonly status: string;
  readonly product_id: number;
  readonly quantity_requested: number;
  readonly quantity_filled: number;
}

export const WORKING = '/api/desk/working';

export interface Working {
  readonly complete: boolean;
  readonly unproven: readonly string[];
  readonly parts: readonly object[];
  readonly orders: readonly WireOrder[];
}

/** Reads the working orders as recorded: 400, newest first. */
export async function readWorking(): Promise<Working> {
  return JSON.parse((await commands.answer(WORKING))?.text ?? '') as Working;
}

/** Changes the responses of one path, regardless of its query. */
export function changing(path: string, change: (answer: never, query: URLSearchParams) => unknown): Change {
  return (answer) => {
    const { pathname, searchParams } = new URL(answer.target, 'http://desk');
    return pathname === path
      ? { ...answer, text: JSON.stringify(change(JSON.parse(answer.text) as never, searchParams)) }
      : answer;
  };
}

/** Returns the list, which is a tree if orders are grouped. */
export const list = (): Locator => page.getBySelector('[aria-label="Working orders"]:is([role=grid], [role=treegrid])');
export const footer = (): Locator => page.getBySelector('footer');
export const panel = (name: string): Locator => page.getByRole('complementary', { name });
export const chips = (): Locator => page.getByRole('list', { name: 'Filters', includeHidden: true });
/** Returns an active filter, whose button removes it. */
export const chip = (name: string): Locator => page.getByRole('button', { name });
export const button = (name: string): Locator => page.getByRole('button', { name, exact: true });
export const viewsButton = (): Locator => page.getByRole('button', { name: 'Views' });

export const cells = (column: string, grid = list()): Locator =>
  grid.getBySelector(`[role=gridcell][data-column=${column}]`);

/** Returns the texts of a column from the top of the window down. */
export function columnOf(column: string, grid = list()): readonly string[] {
  const rows = grid.getBySelector('[role=row]:has([role=gridcell])').elements();
  const placed = rows.map((row) => ({
    at: Number(row.getAttribute('aria-rowindex')),
    text: row.querySelector(`[data-column="${column}"]`)?.textContent ?? '',
  }));
  return placed.toSorted((a, b) => a.at - b.at).map(({ text }) => text);
}

/** Returns the id of the order with the keyboard cursor. */
export function activeOrder(): string {
  const active = document.getElementById(list().element().getAttribute('aria-activedescendant') ?? '');
  return active?.closest('[role=row]')?.querySelector('[data-column=id]')?.textContent ?? '';
}

export async function openOrders(query = '', options: Parameters<typeof open>[1] = {}): ReturnType<typeof open> {
  const opened = await open(`/orders${query}`, { size: DESKTOP, ...options });
  await expect.element(list()).toBeVisible();
  return opened;
}

export async function pressOn(locator: Locator, ...keys: readonly string[]): Promise<void> {
  await expect.element(locator).toBeVisible();
  (locator.element() as HTMLElement).focus();
  await press(...keys);
}

/** Returns how many orders the footer says are shown, and of how many. */
export async function expectShown(count: number, of = 400): Promise<void> {
  await expect.poll(() => textsOf(footer())[0]).toMatch(new RegExp(`^${String(count)} of ${String(of)} shown`));
}

/** Expects an active filter, even if a dialog hides it. */
export async function expectFilter(text: string, filters = chips()): Promise<void> {
  await expect.poll(() => filters.element().textContent).toContain(text);
}

export async function searchPalette(text: string): Promise<void> {
  await press('Control+k');
  await page.getByRole('combobox', { name: 'Search products, screens and commands' }).fill(text);
}

/** Opens the dialog of filters at a column. */
export async function openFilter(column: string): Promise<Locator> {
  await button('Filter').click();
  const dialog = page.getByRole('dialog');
  await userEvent.selectOptions(dialog.getByLabelText('Column'), column);
  return dialog;
}

export async function manageViews(): Promise<void> {
  await viewsButton().click();
  await button('Save or manage…').click();
  await expect.element(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible();
}

/** Saves what the list shows as a view, which is then the current one. */
export async function saveView(name: string): Promise<void> {
  await manageViews();
  const dialog = page.getByRole('dialog', { name: 'Saved views' });
  await dialog.getByLabelText('Name').fill(name);
  await dialog.getByRole('button', { name: 'Save view' }).click();
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expectToContain(viewsButton(), `Views: ${name}`);
}
