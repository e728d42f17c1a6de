import { expect, type Page } from '@playwright/test';

/**
 * The screen of PBTCUCZ50 has all that it reads: its header has all figures, and the legend open interest. Before, the bar of
 * the running session, figures and lines are still added.
 */
export async function expectPriceRead(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('dt')).toHaveCount(12);
  await expect(page.getByTestId('legend').first()).toContainText(/Open interest\s*\d/);
}
