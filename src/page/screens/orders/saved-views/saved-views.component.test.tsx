import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
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
  button,
  cells,
  chip,
  expectShown,
  list,
  manageViews,
  openOrders,
  pressOn,
  saveView,
  searchPalette,
  viewsButton,
} from '#testing/component/orders-page.ts';

const menu = () => page.getByRole('dialog', { name: 'Open a view' });
const inMenu = (name: string) => menu().getByRole('button', { name });
const isFilteredBy = (side: string) => page.getByRole('button', { name: `Side is ${side}` });
const importFile = (name: string, text: string): Promise<void> =>
  page.getByLabelText('Import from file').upload(new File([text], name, { type: 'application/json' }));
const history = () => page.getByRole('grid', { name: 'Order history' });
const field = (name: string) => page.getByRole('textbox', { name, exact: true });

/** Saves two views of the working orders; the list then shows the second. */
async function saveTwo(): Promise<void> {
  await openOrders('?f=side:is:Ask');
  await saveView('Asks');
  await chip('Side is Ask').click();
  await saveView('Both');
}

test('saved views are in a menu beside the filter', async () => {
  await saveTwo();
  await viewsButton().click();
  await expect.poll(() => textsOf(menu().getByRole('button'))).toEqual(['Asks', 'Both', 'Save or manage…']);
  await expect.element(inMenu('Both')).toHaveAttribute('aria-current', 'true');
  await viewsButton().click();
  await expectCount(menu(), 0);
  await viewsButton().click();
  await inMenu('Asks').click();
  await expect.element(isFilteredBy('Ask')).toBeVisible();
  await expect.poll(address).toContain('view=Asks');
  await expect.element(viewsButton()).toHaveFocus();
});

test('the menu of saved views is used by keyboard', async () => {
  await saveTwo();
  await pressOn(viewsButton(), 'ArrowDown');
  await expect.element(inMenu('Asks')).toHaveFocus();
  await press('ArrowUp', 'ArrowUp');
  await expect.element(inMenu('Both')).toHaveFocus();
  await press('ArrowUp', 'Enter');
  await expect.element(isFilteredBy('Ask')).toBeVisible();
  await expect.element(viewsButton()).toHaveFocus();
  await press('Enter');
  await expect.element(menu()).toBeVisible();
  await press('Escape');
  await expectCount(menu(), 0);
  await expect.element(viewsButton()).toHaveFocus();
});

test('without saved views the menu says so, and leads to where they are saved', async () => {
  await openOrders();
  await expectText(viewsButton(), 'Views');
  await viewsButton().click();
  await expectToContain(menu(), 'No saved views. A view holds filters, sorting, grouping and columns.');
  await button('Save or manage…').click();
  await expect.element(page.getByRole('dialog', { name: 'Saved views' })).toBeVisible();
});

test('a view is saved, opened again, exported and imported', async () => {
  await openOrders('?f=tif:is:GTC&sort=-remaining&group=product');
  await manageViews();
  await page.getByLabelText('Name').fill('Resting for long');
  await button('Save view').click();
  const { name, text } = await fileSavedBy(() => button('Export to file').click());
  await button('Delete Resting for long').click();
  await expectCount(button('Resting for long'), 0);
  await importFile(name, text);
  await expect.element(button('Resting for long')).toBeVisible();
  await openOrders();
  await viewsButton().click();
  await button('Resting for long').click();
  await expect.poll(address).toContain('view=Resting+for+long');
  expect(address()).toContain('sort=-remaining&group=product');
  await expect.element(chip('TIF is GTC')).toBeVisible();
  await expectShown(281);
});

test('a view shows its columns, also those hidden since', async () => {
  const head = () => list().getByRole('columnheader', { name: 'Account' });
  await openOrders();
  await saveView('As usual');
  await button('Columns').click();
  await page.getByRole('checkbox', { name: 'Account' }).click();
  await press('Escape');
  await expectCount(head(), 0);
  await viewsButton().click();
  await inMenu('As usual').click();
  await expect.element(head()).toBeVisible();
  await openOrders(location.search);
  await expect.element(head()).toBeVisible();
});

test('history and working orders each have views of their own, also in the command palette', async () => {
  await open('/orders/history?f=side:is:Ask');
  await saveView('Old asks');
  await openOrders();
  await viewsButton().click();
  await expectToContain(menu(), 'No saved views.');
  await open('/orders/history');
  await searchPalette('old asks');
  await expect.element(page.getByRole('option', { name: /Old asks/ })).toBeVisible();
  await press('Enter');
  await expect.element(isFilteredBy('Ask')).toBeVisible();
});

test('a view of the history holds its filters, those of the exchange too, and opening it starts the list once', async () => {
  await open('/orders/history?f=product:is:PBTCUCZ50&f=side:is:Bid&from=2026-08-01&sort=time');
  await saveView('Our bids');
  const { requested } = await open('/orders/history?day=2020-01-01&q=nothing');
  const before = requested.length;
  await viewsButton().click();
  await inMenu('Our bids').click();
  await expect.element(cells('side', history()).first()).toBeVisible();
  await expect.element(viewsButton()).toHaveFocus();
  const starts = requested
    .slice(before)
    .filter((target) => target.startsWith('/api/orders?') && !target.includes('cursor='));
  expect(starts).toEqual(['/api/orders?symbol=PBTCUCZ50&limit=500&begin_time=2026-08-01T00%3A00%3A00Z&order=asc']);
  await expect.element(field('Trading day')).toHaveValue('');
  await expect.element(field('From (UTC)')).toHaveValue('2026-08-01');
  expect(new Set(textsOf(cells('side', history())))).toEqual(new Set(['Bid']));
  await expect.poll(address).toContain('view=Our+bids');
});

test('a view without filters of the exchange clears those before it', async () => {
  await open('/orders/history');
  await saveView('All');
  await open('/orders/history?f=product:is:PBTCUCZ50&from=2026-08-01');
  await pressOn(viewsButton(), 'ArrowDown');
  await expect.element(inMenu('All')).toHaveFocus();
  await press('Enter');
  await expect.element(field('Product')).toHaveValue('');
  await expect.element(field('From (UTC)')).toHaveValue('');
});

test('a file of working orders’ views is not imported into the history', async () => {
  const toFile = (format: string): string =>
    JSON.stringify({ format, version: 1, views: [{ name: 'Ours', query: 'f=side:is:Bid' }] });
  await open('/orders/history');
  await manageViews();
  await importFile('views.json', toFile('perpdesk order views'));
  await expectToContain(
    page.getByRole('dialog', { name: 'Saved views' }),
    'This is not a file of this list’s saved views',
  );
  await importFile('views.json', toFile('perpdesk history views'));
  await expect
    .element(page.getByRole('list', { name: 'Saved views' }).getByRole('button', { name: 'Ours', exact: true }))
    .toBeVisible();
});
