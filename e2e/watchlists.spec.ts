import { expect, type Locator, type Page } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ viewport: { width: 1280, height: 4_400 } });

const MAJORS = { id: 'majors01', name: 'Majors' };

function grid(page: Page): Locator {
  return page.getByRole('grid', { name: 'Markets' });
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
  return ((await (await page.request.get('/api/desk/products')).json()) as { readonly products: readonly Listed[] })
    .products;
}

/** Stores this before the page first loads; later changes by the page stay. */
async function store(page: Page, held: Readonly<Record<string, string>>): Promise<void> {
  await page.addInitScript((items) => {
    if (sessionStorage.getItem('stored') !== null) return;
    sessionStorage.setItem('stored', 'yes');
    for (const [name, text] of Object.entries(items)) localStorage.setItem(name, text);
  }, held);
}

async function storeMajors(page: Page, products: readonly number[]): Promise<void> {
  const lists = [
    { id: 'favourites', name: 'Favourites', products: [] },
    { ...MAJORS, products },
  ];
  await store(page, { 'perpdesk.watchlists': JSON.stringify({ version: 1, lists }) });
}

const dialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Watchlists' });
const star = (page: Page, symbol: string, list: string): Locator =>
  page.getByRole('button', { name: `${symbol} in ${list}`, exact: true });

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
  await dialog(other)
    .getByRole('button', { name: /^Majors/ })
    .click();
  await expect(other.getByRole('heading', { name: '“Majors” is empty' })).toBeVisible();
  await expect(page.getByRole('button', { name: '★ Favourites' })).toBeVisible();
  await expect(star(page, symbol, 'Favourites')).toHaveAttribute('aria-pressed', 'true');
});

test('the lists fit the window in every look, and axe finds no violation', async ({ page }) => {
  const lists = [
    { ...MAJORS, products: [1, 2] },
    { id: 'long', name: 'N'.repeat(40), products: [] },
  ];
  const sizes = [
    [360, 800],
    [1280, 800],
    [2560, 800],
  ] as const;
  await page.setViewportSize({ width: 360, height: 800 });
  await store(page, {
    'perpdesk.watchlists': JSON.stringify({ version: 1, lists }),
    'perpdesk.last.watchlist': 'long',
  });
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
