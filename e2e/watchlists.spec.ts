import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ viewport: { width: 1280, height: 4_400 } });

const MAJORS = { id: 'majors01', name: 'Majors' };

function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Markets' });
}

function symbolsOf(page: Page): Promise<readonly string[]> {
  return grid(page).locator('[role=gridcell][data-column=symbol]').allInnerTexts();
}

async function open(page: Page, address = '/'): Promise<void> {
  await page.goto(address);
  await expect(grid(page).getByRole('gridcell').first()).toBeVisible({ timeout: 15_000 });
}

interface Listed {
  readonly product_id: number;
  readonly symbol: string;
  readonly product_status: string;
}

async function readProducts(page: Page): Promise<readonly Listed[]> {
  return ((await (await page.request.get('/api/desk/products')).json()) as { readonly products: readonly Listed[] }).products;
}

/** Before the page first loads; later changes of the page stay. */
async function store(page: Page, held: Readonly<Record<string, string>>): Promise<void> {
  await page.addInitScript((items) => {
    if (sessionStorage.getItem('stored') !== null) return;
    sessionStorage.setItem('stored', 'yes');
    for (const [name, text] of Object.entries(items)) localStorage.setItem(name, text);
  }, held);
}

async function storeMajors(page: Page, products: readonly number[]): Promise<void> {
  const lists = [{ id: 'favourites', name: 'Favourites', products: [] }, { ...MAJORS, products }];
  await store(page, { 'perpdesk.watchlists': JSON.stringify({ version: 1, lists }) });
}

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Watchlists' });
const star = (page: Page, symbol: string, list: string): Locator => page.getByRole('button', { name: `${symbol} in ${list}`, exact: true });

test('a list is created, filled, shown and found again, by keyboard alone', async ({ page }) => {
  await open(page, '/?type=perpetual&sort=symbol');
  await page.keyboard.press('w');
  await dialog(page).getByRole('textbox', { name: 'New watchlist' }).focus();
  await page.keyboard.type('  My   majors ');
  await page.keyboard.press('Enter');
  await expect(dialog(page)).toHaveCount(0);
  await grid(page).focus();
  await page.keyboard.press('Home');
  const first = await grid(page).locator('[role=row]:has([data-active]) [data-column=symbol]').innerText();
  await page.keyboard.press('Space');
  await expect(star(page, first, 'My majors')).toHaveAttribute('aria-pressed', 'true');
  await page.getByRole('button', { name: '★ My majors' }).press('Enter');
  await expect(page).toHaveURL(/\/\?type=perpetual&sort=symbol&only=[a-z\d]{10}$/);
  await expect.poll(() => symbolsOf(page)).toEqual([first]);
  await page.reload();
  await expect.poll(() => symbolsOf(page)).toEqual([first]);
  await expect(page.getByRole('button', { name: '★ My majors' })).toHaveAttribute('aria-pressed', 'true');
  await page.keyboard.press('w');
  await expect(dialog(page).getByRole('button', { name: /^Favourites 0 products/ })).toBeVisible();
  await expect(dialog(page).getByRole('button', { name: /^My majors 1 product$/ })).toHaveAttribute('aria-current', 'true');
});

test('the star goes to the list that is shown, and comes off it', async ({ page }) => {
  const [one, other] = (await readProducts(page)).filter(({ product_status: status }) => status === 'active');
  await storeMajors(page, [one?.product_id ?? 0, other?.product_id ?? 0]);
  await open(page, `/?only=${MAJORS.id}&sort=symbol`);
  await star(page, one?.symbol ?? '', 'Majors').click();
  await expect.poll(() => symbolsOf(page)).toEqual([other?.symbol]);
  await page.getByRole('button', { name: '★ Majors' }).click();
  await expect(page).toHaveURL('/?sort=symbol');
  await expect(star(page, other?.symbol ?? '', 'Majors')).toHaveAttribute('aria-pressed', 'true');
  await expect(star(page, one?.symbol ?? '', 'Majors')).toHaveAttribute('aria-pressed', 'false');
});

test('a list is renamed and deleted, and the focus stays where it was', async ({ page }) => {
  const [one] = await readProducts(page);
  await storeMajors(page, [one?.product_id ?? 0]);
  await open(page);
  await page.getByRole('button', { name: 'Watchlists' }).click();
  await dialog(page).getByRole('button', { name: 'Rename Majors' }).click();
  const name = dialog(page).getByRole('textbox', { name: 'New name of Majors' });
  await expect(name).toBeFocused();
  await name.fill('favourites');
  await name.press('Enter');
  await expect(dialog(page).getByRole('alert')).toHaveText('A watchlist named “Favourites” already exists.');
  await expect(name).toHaveAttribute('aria-invalid', 'true');
  await name.press('Escape');
  await expect(dialog(page).getByRole('button', { name: /^Majors/ })).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Rename Majors' }).click();
  await name.fill('Top');
  await name.press('Enter');
  await dialog(page).getByRole('button', { name: 'Delete Top' }).click();
  await expect(dialog(page)).toContainText('Delete “Top” with 1 product?');
  await page.keyboard.press('Enter');
  await expect(dialog(page).getByRole('button', { name: /^Top/ })).toBeFocused();
  await dialog(page).getByRole('button', { name: 'Delete Top' }).click();
  await dialog(page).getByRole('button', { name: 'Delete', exact: true }).click();
  await expect(dialog(page).getByRole('button', { name: /^Top/ })).toHaveCount(0);
  await expect(dialog(page).getByRole('textbox', { name: 'New watchlist' })).toBeFocused();
  // The star needs a list.
  await expect(dialog(page).getByRole('button', { name: /^Delete/ })).toHaveCount(0);
});

test('a link to a list of somebody else says so, and shows no table as if it were that list', async ({ page, strangersPage }) => {
  await storeMajors(page, [(await readProducts(page))[0]?.product_id ?? 0]);
  await open(page, `/?only=${MAJORS.id}`);
  await strangersPage.goto(page.url().replace(MAJORS.id, 'of-somebody-else'));
  await expect(strangersPage.getByRole('heading', { name: 'Watchlist not found' })).toBeVisible({ timeout: 15_000 });
  await expect(grid(strangersPage)).toHaveCount(0);
  await expect(strangersPage.getByRole('button', { name: '★ Favourites' })).toHaveAttribute('aria-pressed', 'false');
  await strangersPage.getByRole('button', { name: 'Show all products' }).click();
  await expect(strangersPage).toHaveURL('/');
  await expect(grid(strangersPage)).toBeVisible();
});

test('an empty list says how to fill it, and a filter that hides all of a list is cleared', async ({ page }) => {
  await page.goto('/?only=favourites');
  await expect(page.getByRole('heading', { name: '“Favourites” is empty' })).toBeVisible({ timeout: 15_000 });
  await page.getByRole('button', { name: 'Show all products' }).click();
  await grid(page).getByRole('button', { name: / in Favourites$/ }).first().click();
  await page.getByRole('button', { name: '★ Favourites' }).click();
  await expect(grid(page).getByRole('row')).toHaveCount(2);
  await page.getByRole('searchbox').fill('no such thing');
  await expect(page.getByRole('heading', { name: 'No matches for this filter' })).toBeVisible();
  await page.getByRole('button', { name: 'Clear filter' }).click();
  await expect(page).toHaveURL('/');
});

test('products of a list that are no longer active are counted, and removed', async ({ page }) => {
  const products = await readProducts(page);
  const active = products.find(({ product_status: status }) => status === 'active');
  const gone = Math.max(...products.map(({ product_id: id }) => id)) + 1;
  await storeMajors(page, [active?.product_id ?? 0, gone]);
  await open(page, `/?only=${MAJORS.id}`);
  await expect(page.getByText('1 product of “Majors” not shown.')).toBeVisible();
  await expect.poll(() => symbolsOf(page)).toEqual([active?.symbol]);
  await page.getByRole('button', { name: 'Remove from watchlist' }).click();
  await expect(page.getByText('1 product of “Majors” not shown.')).toHaveCount(0);
  expect(await page.evaluate(() => localStorage.getItem('perpdesk.watchlists'))).not.toContain(String(gone));
});

test('several tabs agree about the lists, and each keeps its own current one', async ({ page, context }) => {
  const [one] = (await readProducts(page)).filter(({ product_status: status }) => status === 'active');
  const symbol = one?.symbol ?? '';
  await storeMajors(page, []);
  await open(page);
  const other = await context.newPage();
  await open(other);
  await star(page, symbol, 'Favourites').click();
  await expect(star(other, symbol, 'Favourites')).toHaveAttribute('aria-pressed', 'true');
  await other.keyboard.press('w');
  await dialog(other).getByRole('button', { name: /^Majors/ }).click();
  await expect(other.getByRole('heading', { name: '“Majors” is empty' })).toBeVisible();
  await expect(page.getByRole('button', { name: '★ Favourites' })).toBeVisible();
  await expect(star(page, symbol, 'Favourites')).toHaveAttribute('aria-pressed', 'true');
});

for (const stored of ['{', '{"version":9,"lists":[]}', '{"version":1,"lists":[null,{"id":7}]}']) {
  test(`stored lists like ${stored} do no harm`, async ({ page }) => {
    await store(page, { 'perpdesk.watchlists': stored });
    await open(page);
    await grid(page).getByRole('button', { name: / in Favourites$/ }).first().click();
    await page.getByRole('button', { name: '★ Favourites' }).click();
    await expect(grid(page).getByRole('row')).toHaveCount(2);
  });
}

test('the command palette shows a list', async ({ page }) => {
  await storeMajors(page, [(await readProducts(page)).find(({ product_status: status }) => status === 'active')?.product_id ?? 0]);
  await open(page);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('majors');
  await page.getByRole('option', { name: /Majors/ }).click();
  await expect(page).toHaveURL(`/?only=${MAJORS.id}`);
  await expect(grid(page).getByRole('row')).toHaveCount(2);
});

test('the lists fit the window in every look, and axe finds no violation', async ({ page }) => {
  const lists = [{ ...MAJORS, products: [1, 2] }, { id: 'long', name: 'N'.repeat(40), products: [] }];
  const sizes = [[360, 800], [1280, 800], [2560, 800]] as const;
  await page.setViewportSize({ width: 360, height: 800 });
  await store(page, { 'perpdesk.watchlists': JSON.stringify({ version: 1, lists }), 'perpdesk.last.watchlist': 'long' });
  await open(page);
  await inEachLook(page, sizes, async (look) => {
    await takeShot(page, `watchlists-button-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
  });
  await page.getByRole('button', { name: 'Watchlists' }).click();
  await dialog(page).getByRole('button', { name: 'Rename Majors' }).click();
  await dialog(page).getByRole('textbox', { name: 'New name of Majors' }).fill('');
  await dialog(page).getByRole('button', { name: 'Save' }).click();
  await inEachLook(page, sizes, async (look) => {
    await expect(dialog(page).getByRole('alert')).toBeVisible();
    await takeShot(page, `watchlists-${look.colorScheme}-${String(look.width)}`);
    await expectToFit(page, look);
    await expectAccessible(page, look);
  });
});
