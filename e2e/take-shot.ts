import type { Page } from '@playwright/test';

const isAsked = (process.env['SHOTS'] ?? '') !== '';

/** With `SHOTS=1`, saves a picture in `e2e/artifacts/screens` for a person to look at. No test reads it. */
export async function takeShot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  if (isAsked) await page.screenshot({ path: `e2e/artifacts/screens/${name}.png`, fullPage });
}
