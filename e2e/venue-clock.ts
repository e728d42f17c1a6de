import type { Page } from '@playwright/test';

/** Makes the exchange's clock appear ahead of the server's or behind it. */
export async function setVenueAhead(page: Page, milliseconds: number): Promise<void> {
  await page.route('**/api/desk/status', async (route) => {
    const response = await route.fetch();
    const status = (await response.json()) as { readonly venue: object };
    await route.fulfill({ response, json: { ...status, venue: { ...status.venue, clock_offset_ms: milliseconds } } });
  });
}
