import { expect, type Page } from '@playwright/test';
import { test } from './watched-page.ts';

test.use({ live: false });

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

test('a page preloads the code of its screen and the list of products', async ({ page }) => {
  let requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  for (const [path, chunk] of [
    ['/', 'markets-screen'],
    ['/price/5614', 'price-screen'],
    ['/funding', 'compare-screen'],
    ['/funding/BTCUC', 'perpetual-screen'],
    ['/orders/history', 'history-screen'],
  ] as const) {
    requested = [];
    const response = await page.goto(path);
    expect(await response?.text()).toMatch(new RegExp(`<link rel="modulepreload"[^>]*/assets/${chunk}-`));
    await expect(
      page
        .getByRole('gridcell')
        .or(page.getByRole('heading', { level: 2 }))
        .first(),
    ).toBeVisible();
    const times = (wanted: (name: string) => boolean): number => requested.filter(wanted).length;
    expect(times((name) => name.startsWith(`/assets/${chunk}-`))).toBe(1);
    expect(times((name) => name === '/api/desk/products')).toBe(1);
  }
});

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
  const sentences = new Set(
    [...schemas.matchAll(/"description":"([^"\\]{20,})"/g)].map(([, sentence = '']) => sentence),
  );
  expect(code.length).toBeGreaterThan(100_000);
  expect(sentences.size).toBeGreaterThan(50);
  expect([...sentences].filter((sentence) => code.includes(sentence))).toEqual([]);
});

test('the theme follows the system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/status');
  await expect.poll(() => backgroundOf(page)).toBe('rgb(246, 247, 249)');
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(() => backgroundOf(page)).toBe('rgb(14, 17, 23)');
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
