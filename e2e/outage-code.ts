import type { Page } from '@playwright/test';

/**
 * Resolves once all code that shows an outage has arrived. It is fetched ahead, because no code arrives during an
 * outage of the server.
 */
export async function awaitOutageCode(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    const wanted = Array.from(
      document.querySelectorAll<HTMLLinkElement>('link[rel=modulepreload]'),
      ({ href }) => href,
    );
    // Only what has arrived has an entry.
    const arrived = new Set(performance.getEntriesByType('resource').map(({ name }) => name));
    return wanted.some((href) => href.includes('outage-bar')) && wanted.every((href) => arrived.has(href));
  });
}
