import { expect, type Page } from '@playwright/test';

/**
 * Copies the selection. Keys pressed before the grid's code has loaded take effect once it has, but a copy does not, so
 * the selection comes first.
 */
export async function copySelection(page: Page): Promise<void> {
  await expect(page.locator(':is([role=row], [role=gridcell])[aria-selected=true]').first()).toBeVisible();
  await page.keyboard.press('Control+c');
}
