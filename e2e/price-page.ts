import { expect, type APIResponse, type Page } from '@playwright/test';

/**
 * The screen of PBTCUCZ50 has all that it reads: its header has all figures, and the legend open interest. Before, the bar of
 * the running session, figures and lines are still added.
 */
export async function expectPriceRead(page: Page): Promise<void> {
  await expect(page.getByRole('region', { name: 'PBTCUCZ50 current figures' }).locator('dt')).toHaveCount(12);
  await expect(page.getByTestId('legend').first()).toContainText(/Open interest\s*\d/);
}

/** The running session stays as it is first read: its bar moves with trades, and pictures of the chart are compared. For pages that poll. */
export async function holdRunningSession(page: Page): Promise<void> {
  const first = new Map<string, Promise<APIResponse>>();
  await page.route(/\/api\/product\/data\/\d+$/, async (route) => {
    const url = route.request().url();
    const response = first.get(url) ?? route.fetch();
    first.set(url, response);
    await route.fulfill({ response: await response });
  });
}
