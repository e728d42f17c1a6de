import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { expectToFit, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

test.use({ live: false });

const themes = { light: 'rgb(246, 247, 249)', dark: 'rgb(14, 17, 23)' } as const;
const sizes = [[320, 640], [360, 740], [1440, 900], [3840, 2160]] as const;

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

test('screens, search, connection and preferences fit the width in every look', async ({ page }) => {
  await page.goto('/status');
  const banner = page.getByRole('banner');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await inEachLook(page, sizes, async (look) => {
    for (const name of ['Perpdesk', 'Markets', 'Price', 'Volume / OI', 'Status']) {
      await expect(banner.getByRole('link', { name, exact: true })).toBeInViewport();
    }
    for (const name of [/Search/, 'Preferences']) {
      await expect(banner.getByRole('button', { name })).toBeInViewport({ ratio: 1 });
    }
    await expect(banner.getByText(/Exchange \d\d:\d\d:\d\d UTC/)).toBeInViewport({ ratio: 1 });
    await expect.poll(() => backgroundOf(page)).toBe(themes[look.colorScheme]);
    await expectToFit(page, look);
    await takeShot(page, `status-${look.colorScheme}-${String(look.width)}`);
  });
});

test('at any width, no part of the header is cut, overlaps another or leaves the window', async ({ page }) => {
  await page.goto('/status');
  const banner = page.getByRole('banner');
  await expect(banner.getByText(/Exchange \d\d:\d\d:\d\d UTC/)).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  for (const width of [320, 390, 480, 640, 759, 760, 900, 1024, 1099, 1100, 1200, 1280, 1366]) {
    await page.setViewportSize({ width, height: 400 });
    expect(await banner.evaluate(findFaults), `at ${String(width)} px`).toEqual([]);
  }
});

/** The parts of the header that are cut or overlap another. */
function findFaults(banner: HTMLElement): string[] {
  const parts = [...banner.querySelectorAll<HTMLElement>('a, button, a > span')].filter((part) => part.getClientRects().length > 0);
  const isCut = (part: HTMLElement): boolean => {
    const { left, right } = part.getBoundingClientRect();
    const nav = part.closest('nav')?.getBoundingClientRect();
    return left < 0 || right > innerWidth || (nav !== undefined && right > nav.right + 1);
  };
  const isOver = (one: HTMLElement, other: HTMLElement): boolean => {
    if (one.contains(other) || other.contains(one)) return false;
    const [a, b] = [one.getBoundingClientRect(), other.getBoundingClientRect()];
    return a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
  };
  return parts.filter((part) => isCut(part) || parts.some((other) => isOver(part, other))).map((part) => part.innerText);
}

for (const [path, chunk] of [['/', 'markets-screen'], ['/price/5614', 'price-screen'], ['/funding', 'compare-screen'], ['/funding/BTCUC', 'perpetual-screen'], ['/orders/history', 'history-screen']] as const) {
  test(`the page at ${path} preloads the code of its screen and the list of products`, async ({ page }) => {
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const response = await page.goto(path);
    expect(await response?.text()).toMatch(new RegExp(`<link rel="modulepreload"[^>]*/assets/${chunk}-`));
    await expect(page.getByRole('gridcell').or(page.getByRole('heading', { level: 2 })).first()).toBeVisible();
    const times = (wanted: (name: string) => boolean): number => requested.filter(wanted).length;
    expect(times((name) => name.startsWith(`/assets/${chunk}-`))).toBe(1);
    expect(times((name) => name === '/api/desk/products')).toBe(1);
  });
}

test('a page shows that it is loading until its code arrives', async ({ page }) => {
  let release = (): void => undefined;
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/*.js', async (route) => {
    await held;
    await route.continue();
  });
  await page.goto('/price', { waitUntil: 'commit' });
  await expect(page.getByText('Loading the screen')).toBeVisible();
  release();
  await expect(page.getByRole('application')).toBeVisible();
  await expect(page.getByText('Loading the screen')).toHaveCount(0);
});

test('a first visit throws no exception, not even a caught one', async ({ page }) => {
  const session = await page.context().newCDPSession(page);
  const thrown: (string | undefined)[] = [];
  session.on('Debugger.paused', ({ data }) => {
    thrown.push((data as { readonly description?: string } | undefined)?.description);
    void session.send('Debugger.resume');
  });
  await session.send('Debugger.enable');
  await session.send('Debugger.setPauseOnExceptions', { state: 'all' });
  await page.goto('/');
  await expect(page.getByRole('gridcell').first()).toBeVisible();
  expect(thrown).toEqual([]);
});

test('the descriptions of the OpenAPI document are not part of the page’s code', async ({ request }) => {
  const page = await (await request.get('/')).text();
  const scripts = [...page.matchAll(/"(\/assets\/[^"]+\.js)"/g)].map(([, path = '']) => path);
  const code = (await Promise.all(scripts.map(async (path) => await (await request.get(path)).text()))).join('\n');
  const { components } = (await (await request.get('/openapi.json')).json()) as { components: { schemas: object } };
  const schemas = JSON.stringify(components.schemas);
  const sentences = new Set([...schemas.matchAll(/"description":"([^"\\]{20,})"/g)].map(([, sentence = '']) => sentence));
  expect(code.length).toBeGreaterThan(100_000);
  expect(sentences.size).toBeGreaterThan(50);
  expect([...sentences].filter((sentence) => code.includes(sentence))).toEqual([]);
});

test('the theme follows the system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/status');
  await expect.poll(() => backgroundOf(page)).toBe(themes.light);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => backgroundOf(page)).toBe(themes.dark);
});

test('a link opens its screen without reloading the page, and Back returns', async ({ page }) => {
  await page.goto('/status');
  await page.evaluate(() => Object.assign(globalThis, { loadedOnce: true }));
  await page.getByRole('banner').getByRole('link', { name: 'Volume / OI' }).click();
  await expect(page).toHaveURL(/\/volume\?product=\w+$/);
  await expect(page).toHaveTitle('Volume / OI · Perpdesk');
  await page.goBack();
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  expect(await page.evaluate(() => 'loadedOnce' in globalThis)).toBe(true);
});

test('the current screen is marked in the navigation', async ({ page }) => {
  await page.goto('/status');
  const current = page.getByRole('navigation', { name: 'Screens' }).locator('[aria-current=page]');
  await expect(current).toHaveText('Status');
  await page.goto('/price/5614');
  await expect(current).toHaveText('Price');
});

test('a phone shows all screens on one line', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 800 });
  await page.goto('/status');
  const links = page.getByRole('navigation', { name: 'Screens' }).getByRole('link');
  await expect(links).toHaveCount(7);
  await page.evaluate(() => document.fonts.ready);
  const tops = await links.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().top));
  expect(new Set(tops)).toHaveProperty('size', 1);
});

test('an unknown address says so and lists the screens', async ({ page }) => {
  await page.goto('/pricing');
  await expect(page.getByRole('heading', { name: 'Page not found' })).toBeVisible();
  await expect(page.getByText('No screen exists at /pricing.')).toBeVisible();
  await page.getByRole('main').getByRole('link', { name: 'Status' }).click();
  await expect(page.getByRole('heading', { name: 'Status' })).toBeVisible();
});

test('the first Tab stop skips the header', async ({ page }) => {
  await page.goto('/status');
  await expect(page.getByRole('heading', { name: 'Request budget' })).toBeVisible();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('link', { name: 'Skip to content' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('main')).toBeFocused();
});

test.describe('without JavaScript', () => {
  // Without scripts the browser aborts their preloads.
  test.use({ javaScriptEnabled: false, provoked: /request failed: .*\/assets\/.*[.]js$/ });

  test('the page says that it needs JavaScript', async ({ page }) => {
    await page.goto('/');
    const sentence = page.locator('noscript');
    await expect(sentence).toBeVisible();
    expect(await sentence.evaluate(({ textContent }) => textContent)).toContain('switched off in this browser');
    await expect(page.getByText('Loading the screen')).toBeHidden();
  });
});
