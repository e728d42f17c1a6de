import { expect, type Page } from '@playwright/test';
import { SCREENS, SYMBOL, type Screen, type Evidence } from './fault.ts';

const marksOf = (page: Page) => page.getByRole('button', { name: /^\d+ (?:deviation|unknown field)s?$/ });

/** The screen shows the fault, and no part of it has crashed. */
export async function expectShown(page: Page, screen: Screen, shown: Evidence): Promise<void> {
  await page.goto(SCREENS[screen]);
  if (shown instanceof RegExp) await expect(page.locator('body')).toContainText(shown, { useInnerText: true });
  else if ('column' in shown) await expectMissing(page, shown);
  else {
    await marksOf(page).first().click();
    await expect(page.getByRole('dialog')).toContainText(shown.deviation);
  }
  await expect(page.getByText(/stopped working/)).toHaveCount(0);
}

async function expectMissing(page: Page, { column, text, reason }: Extract<Evidence, { readonly column: string }>): Promise<void> {
  const cell = page.getByRole('grid').locator('[role=row]', { hasText: SYMBOL }).locator(`[data-column="${column}"]`);
  await expect(cell).toHaveText(text);
  // By keyboard: what a pointer opens closes when a refresh moves the row away from it.
  await cell.click();
  await page.keyboard.press('i');
  await expect(page.getByRole('dialog')).toContainText(reason);
  await page.keyboard.press('Escape');
}

/** The screen, fully loaded, shows no fault of the catalogue. */
export async function expectNothingShown(page: Page, screen: Screen, patterns: readonly RegExp[]): Promise<void> {
  await page.goto(SCREENS[screen]);
  await page.waitForLoadState('networkidle');
  await expect(page.getByText(/ old/).first()).toBeVisible();
  const text = await page.locator('body').innerText();
  expect(patterns.filter((pattern) => pattern.test(text))).toEqual([]);
  await expect(marksOf(page)).toHaveCount(0);
  await expect(page.getByText(/stopped working/)).toHaveCount(0);
}
