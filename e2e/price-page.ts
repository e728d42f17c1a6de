import { expect, type Page } from '@playwright/test';

/**
 * Waits until the screen of PBTCUCZ50 has everything that it reads: its header has all figures, and its legend has open
 * interest. Until then the bar of the running session, figures and lines still appear.
 */
export async function expectPriceRead(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('dt')).toHaveCount(13);
  await expect(page.getByTestId('legend').first()).toContainText(/Open interest\s*\d/);
}
