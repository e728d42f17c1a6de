import type { BrowserContext, Page } from '@playwright/test';

/**
 * Opens a page that was never clicked, so it may not play sound. Code that a test runs in a page counts as a click of
 * its user, too.
 */
export async function openUntouched(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  await page.addInitScript(() => {
    Object.defineProperty(navigator, 'userActivation', { value: { hasBeenActive: false, isActive: false } });
  });
  return page;
}
