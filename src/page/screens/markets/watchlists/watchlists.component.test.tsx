import { expect, test } from 'vitest';
import { page, userEvent, type Locator } from 'vitest/browser';
import { open } from '#testing/component/mount.tsx';
import { address, expectCount, expectText, expectToContain, press } from '#testing/component/screen.ts';
import { columnOf, grid, openMarkets } from '#testing/component/markets-page.ts';

const MAJORS = { id: 'majors01', name: 'Majors' };
const [BITCOIN, ETHER] = [5_614, 5_608];

function storeMajors(...ids: readonly number[]): void {
  const lists = [
    { id: 'favourites', name: 'Favourites', products: [] },
    { ...MAJORS, products: ids },
  ];
  localStorage.setItem('perpdesk.watchlists', JSON.stringify({ version: 1, lists }));
}

const dialog = (): Locator => page.getByRole('dialog', { name: 'Watchlists' });
const button = (name: string | RegExp): Locator => dialog().getByRole('button', { name });
const star = (symbol: string, list: string): Locator =>
  page.getByRole('button', { name: `${symbol} in ${list}`, exact: true });

test('a list is created, filled, shown and found again, by keyboard alone', async () => {
  await openMarkets('/?type=perpetual&sort=symbol');
  await press('w');
  await expect.element(dialog()).toBeVisible();
  dialog().getByRole('textbox', { name: 'New watchlist' }).element().focus();
  await userEvent.keyboard('  My   majors {Enter}');
  await expectCount(dialog(), 0);
  grid().element().focus();
  await press('Home', 'Space');
  await expect.element(star('PADAUKZ50', 'My majors')).toHaveAttribute('aria-pressed', 'true');
  page.getByRole('button', { name: '★ My majors' }).element().focus();
  await press('Enter');
  await expect.poll(address).toMatch(/^\/\?type=perpetual&sort=symbol&only=[a-z\d]{10}$/);
  await expect.poll(() => columnOf('symbol')).toEqual(['PADAUKZ50']);
  await openMarkets(address());
  expect(columnOf('symbol')).toEqual(['PADAUKZ50']);
  await expect.element(page.getByRole('button', { name: '★ My majors' })).toHaveAttribute('aria-pressed', 'true');
  await press('w');
  await expect.element(button(/^Favourites 0 products/)).toBeVisible();
  await expect.element(button(/^My majors 1 product$/)).toHaveAttribute('aria-current', 'true');
});

test('the star goes to the list that is shown, and comes off it', async () => {
  storeMajors(BITCOIN, ETHER);
  await openMarkets(`/?only=${MAJORS.id}&sort=symbol`);
  await star('PBTCUCZ50', 'Majors').click();
  await expect.poll(() => columnOf('symbol')).toEqual(['PETHUIZ50']);
  await page.getByRole('button', { name: '★ Majors' }).click();
  await expect.poll(address).toBe('/?sort=symbol');
  await expect.element(star('PETHUIZ50', 'Majors')).toHaveAttribute('aria-pressed', 'true');
  await expect.element(star('PBTCUCZ50', 'Majors')).toHaveAttribute('aria-pressed', 'false');
});

test('a list is renamed, and the focus stays where it was', async () => {
  storeMajors(BITCOIN);
  await openMarkets();
  await page.getByRole('button', { name: 'Watchlists' }).click();
  await button('Rename Majors').click();
  const name = dialog().getByRole('textbox', { name: 'New name of Majors' });
  await expect.element(name).toHaveFocus();
  await name.fill('favourites');
  await press('Enter');
  await expectText(dialog().getByRole('alert'), 'A watchlist named “Favourites” already exists.');
  await expect.element(name).toHaveAttribute('aria-invalid', 'true');
  await press('Escape');
  await expect.element(button(/^Majors/)).toHaveFocus();
  await button('Rename Majors').click();
  await name.fill('Top');
  await press('Enter');
  await expect.element(button(/^Top 1 product/)).toBeVisible();
});

test('a list is deleted only once that is confirmed, and the last list stays', async () => {
  storeMajors(BITCOIN);
  await openMarkets();
  await page.getByRole('button', { name: 'Watchlists' }).click();
  await button('Delete Majors').click();
  await expectToContain(dialog(), 'Delete “Majors” with 1 product?');
  await press('Enter');
  await expect.element(button(/^Majors/)).toHaveFocus();
  await button('Delete Majors').click();
  await dialog().getByRole('button', { name: 'Delete', exact: true }).click();
  await expectCount(button(/^Majors/), 0);
  await expect.element(dialog().getByRole('textbox', { name: 'New watchlist' })).toHaveFocus();
  // The star needs at least one list.
  await expectCount(button(/^Delete/), 0);
});

test('a link to a list of somebody else says so, and shows no table as if it were that list', async () => {
  storeMajors(BITCOIN);
  await open('/?only=of-somebody-else');
  await expect.element(page.getByRole('heading', { name: 'Watchlist not found' })).toBeVisible();
  await expectCount(grid(), 0);
  await expect.element(page.getByRole('button', { name: '★ Favourites' })).toHaveAttribute('aria-pressed', 'false');
  await page.getByRole('button', { name: 'Show all products' }).click();
  await expect.poll(address).toBe('/');
  await expect.element(grid()).toBeVisible();
});

test('an empty list says how to fill it, and a filter that hides all of a list is cleared', async () => {
  await openMarkets();
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await expect.element(page.getByRole('heading', { name: '“Favourites” is empty' })).toBeVisible();
  await page.getByRole('button', { name: 'Show all products' }).click();
  await star('PBTCUCZ50', 'Favourites').click();
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await expect.poll(() => columnOf('symbol')).toEqual(['PBTCUCZ50']);
  await page.getByRole('searchbox').fill('no such thing');
  await expect.element(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect.poll(address).toBe('/');
});

test('products of a list that are no longer active are counted, and removed', async () => {
  storeMajors(BITCOIN, 999_999);
  await openMarkets(`/?only=${MAJORS.id}`);
  const notice = page.getByText('1 product of “Majors” not shown.');
  await expect.element(notice).toBeVisible();
  expect(columnOf('symbol')).toEqual(['PBTCUCZ50']);
  await page.getByRole('button', { name: 'Remove from watchlist' }).click();
  await expectCount(notice, 0);
  expect(localStorage.getItem('perpdesk.watchlists')).not.toContain('999999');
});

test.each(['{', '{"version":9,"lists":[]}', '{"version":1,"lists":[null,{"id":7}]}'])(
  'stored lists like %s do no harm',
  async (stored) => {
    localStorage.setItem('perpdesk.watchlists', stored);
    await openMarkets('/?type=perpetual');
    await star('PBTCUCZ50', 'Favourites').click();
    await page.getByRole('button', { name: '★ Favourites' }).click();
    await expect.poll(() => columnOf('symbol')).toEqual(['PBTCUCZ50']);
  },
);

test('the command palette shows a list', async () => {
  storeMajors(BITCOIN);
  await openMarkets();
  await press('Control+k');
  await expect.element(page.getByRole('combobox')).toHaveFocus();
  await userEvent.keyboard('majors');
  await page.getByRole('option', { name: /Majors/ }).click();
  await expect.poll(address).toBe(`/?only=${MAJORS.id}`);
  await expect.poll(() => columnOf('symbol')).toEqual(['PBTCUCZ50']);
});
