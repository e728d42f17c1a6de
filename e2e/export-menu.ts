import type { Page } from '@playwright/test';

/** Chooses from the Export menu of what is named; without a name, from that of the whole screen. */
export async function exportAs(page: Page, form: string, of = ''): Promise<void> {
  await page.getByRole('button', { name: `Export ${of}`.trim(), exact: true }).click({ timeout: 20_000 });
  await page.getByRole('menuitem', { name: form }).click();
}
