import { expect } from '@playwright/test';
import { expectAccessible, expectToFit, inEachLook } from './looks.ts';
import { badgeOf, MANY, putRule, test } from './rules-desk.ts';
import { takeShot } from './take-shot.ts';

/** Each page with a text that it shows once it has loaded; null for the form. */
const PLACES = [
  ['/rules?alert=many', 'Many orders'],
  ['/rules/handover', 'working orders, over 3'],
  ['/rules?show=rules', 'Many orders'],
  ['/rules?show=history', 'Many orders'],
  ['/rules?show=changes', 'Many orders'],
  ['/rules/edit/many', null],
] as const;

const sizes = [
  [390, 900],
  [1_280, 900],
  [2_560, 900],
] as const;

test('no screen of rules has an accessibility violation or is wider than the window, in every look', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 900 });
  await putRule(page, MANY);
  for (const [path, text] of PLACES) {
    await page.goto(path);
    await expect(badgeOf(page)).toHaveText('1 warning', { timeout: 20_000 });
    await inEachLook(page, sizes, async (look) => {
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0, { timeout: 20_000 });
      await expect(text === null ? page.getByLabel('Name') : page.getByText(text).last()).toBeVisible();
      await expectToFit(page, look);
      // The actions on a row are visible, however narrow the window.
      if (path === '/rules?show=rules')
        await expect(page.getByRole('button', { name: 'Delete Many orders' })).toBeInViewport({ ratio: 1 });
      await expectAccessible(page, look);
      await takeShot(page, `rules${path.replaceAll(/\W+/g, '-')}-${look.colorScheme}-${String(look.width)}`);
    });
  }
  await badgeOf(page).click();
  await inEachLook(page, sizes, async (look) => {
    await expect(page.getByRole('dialog', { name: 'Alerts' })).toContainText(/\d+ working orders, over 3\./);
    await expectAccessible(page, look, { part: '[popover]' });
  });
});
