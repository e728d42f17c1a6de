import { expect, type Locator, type Page } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { expectAccessible, inEachLook } from './looks.ts';
import { takeShot } from './take-shot.ts';
import { test } from './watched-page.ts';

/** Each screen, and an element that is visible once it is rendered. `chart-looks.spec.ts` scans charts. */
const screens = [
  // Rows are alike, so a few of each kind show as much as all of them, in a tenth of the time.
  { path: '/?q=kilo', drawn: (page: Page): Locator => page.getByRole('grid', { name: 'Markets' }) },
  { path: '/status', drawn: (page: Page): Locator => page.getByRole('heading', { name: 'Allowed requests' }) },
  { path: '/nowhere', drawn: (page: Page): Locator => page.getByRole('heading', { name: 'Page not found' }) },
];
const dialogs = { palette: 'Control+k', preferences: ',', keys: '?' };

const sizes = [[1280, 720]] as const;

for (const { path, drawn } of screens) {
  test(`${path} has no accessibility violation`, async ({ page }) => {
    await page.goto(path);
    await expect(drawn(page)).toBeVisible();
    await expect(page.getByText('Loading…')).toHaveCount(0);
    await inEachLook(page, sizes, (look) => expectAccessible(page, look));
  });
}

for (const [name, key] of Object.entries(dialogs)) {
  test(`the ${name} dialog has no accessibility violation`, async ({ page }) => {
    await page.goto('/status');
    await expect(page.getByRole('heading', { name: 'Status' })).toBeVisible();
    await page.keyboard.press(key);
    await expect(page.getByRole('dialog')).toBeVisible();
    if (name === 'palette') await expect(page.getByRole('option').nth(10)).toBeVisible();
    await inEachLook(page, sizes, async (look) => {
      await expectAccessible(page, look);
      await takeShot(page, `${name}-${look.colorScheme}-1280`);
    });
  });
}

test.describe('at the width of a phone', () => {
  test.use({ viewport: { width: 320, height: 640 } });

  test('there is no accessibility violation, and every target is at least 24 px high', async ({ page }) => {
    await page.goto('/status');
    await expect(page.getByRole('heading', { name: 'Allowed requests' })).toBeVisible();
    await expectNoViolation(page);
    const sizes = await page
      .getByRole('button')
      .or(page.locator('summary'))
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().height));
    expect(Math.min(...sizes)).toBeGreaterThanOrEqual(24);
  });
});
