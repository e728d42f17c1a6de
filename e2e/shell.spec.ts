import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';
import { test } from './watched-page.ts';

const themes = { light: 'rgb(246, 247, 249)', dark: 'rgb(14, 17, 23)' } as const;
const widths = { 360: 740, 1440: 900, 3840: 2160 } as const;

function backgroundOf(page: Page): Promise<string> {
  return page.evaluate(() => getComputedStyle(document.body).backgroundColor);
}

for (const [colorScheme, background] of Object.entries(themes) as [keyof typeof themes, string][]) {
  for (const [width, height] of Object.entries(widths)) {
    test.describe(`in the ${colorScheme} theme at ${width} px`, () => {
      test.use({ colorScheme, viewport: { width: Number(width), height } });

      test('the shell says that there are no screens yet, within the width there is', async ({ page }) => {
        await page.goto('/');
        await expect(page.getByRole('banner').getByRole('link', { name: 'Perpdesk' })).toBeVisible();
        await expect(page.getByRole('main').getByRole('heading', { name: 'No screens yet' })).toBeVisible();
        expect(await backgroundOf(page)).toBe(background);
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(Number(width));
        await page.screenshot({ path: `e2e/artifacts/screens/shell-${colorScheme}-${width}.png` });
      });
    });
  }
}

test('the theme follows the system while the page is open', async ({ page }) => {
  await page.emulateMedia({ colorScheme: 'light' });
  await page.goto('/');
  expect(await backgroundOf(page)).toBe(themes.light);
  await page.emulateMedia({ colorScheme: 'dark' });
  expect(await backgroundOf(page)).toBe(themes.dark);
});

test('every address that could be a screen opens in the shell', async ({ page }) => {
  for (const path of ['/orders', '/price/PBTCUCZ50', '/funding/?window=7d']) {
    await page.goto(path);
    await expect(page.getByRole('heading', { name: 'No screens yet' })).toBeVisible();
  }
});

test('the keyboard reaches every link and shows where it is', async ({ page }) => {
  await page.goto('/');
  for (const name of ['Perpdesk', 'interface document']) {
    await page.keyboard.press('Tab');
    const link = page.getByRole('link', { name });
    await expect(link).toBeFocused();
    expect(await link.evaluate((element) => getComputedStyle(element).outlineStyle)).toBe('solid');
  }
});

test('the interface document that the shell points at is there', async ({ page, request }) => {
  await page.goto('/');
  const address = await page.getByRole('link', { name: 'interface document' }).getAttribute('href');
  const document: unknown = await (await request.get(address ?? 'missing')).json();
  expect(document).toHaveProperty('openapi');
});

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false });

  test('the page says what it needs', async ({ page }) => {
    await page.goto('/');
    const sentence = page.locator('noscript');
    await expect(sentence).toBeVisible();
    expect(await sentence.evaluate(({ textContent }) => textContent)).toContain('switched off in this browser');
  });
});
