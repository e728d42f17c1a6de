import { expect } from '@playwright/test';
import { expectNoViolation } from './expect-no-violation.ts';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';
import { takeShot } from './take-shot.ts';

const PLACES = [
  ['/rules', 'list'],
  ['/rules?show=rules', 'group'],
  ['/rules?show=history', 'list'],
  ['/rules?show=changes', 'group'],
  ['/rules/edit/many', 'form'],
] as const;

for (const colorScheme of ['light', 'dark'] as const) {
  test.describe(`in the ${colorScheme} theme`, () => {
    test.use({ colorScheme, contextOptions: { reducedMotion: 'reduce' } });

    test('no screen of rules has an accessibility violation or is wider than the window, at 390, 1280 and 2560 px', async ({ page }) => {
      await putRule(page, MANY);
      for (const width of [390, 1_280, 2_560]) {
        await page.setViewportSize({ width, height: 900 });
        for (const [path, name] of PLACES) {
          await page.goto(path);
          await expect(badgeOf(page)).toHaveText('1 warning', { timeout: 20_000 });
          await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 20_000 });
          await expect(name === 'form' ? page.getByLabel('Name') : page.getByText('Many orders').last()).toBeVisible();
          expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
          // What can be done with a row is in sight, however narrow the window.
          if (path === '/rules?show=rules') await expect(page.getByRole('button', { name: 'Delete Many orders' })).toBeInViewport({ ratio: 1 });
          await expectNoViolation(page, { coloursOnly: colorScheme === 'dark' || width === 2_560 });
          await takeShot(page, `rules${path.replaceAll(/\W+/g, '-')}-${colorScheme}-${String(width)}`);
        }
        await badgeOf(page).click();
        await expect(page.getByRole('dialog', { name: 'Alerts' })).toContainText('Working orders');
        await expectNoViolation(page, { part: '[popover]', coloursOnly: colorScheme === 'dark' });
      }
    });
  });
}
