import type { Page } from '@playwright/test';

/** In an outage of the server no more code arrives, so what shows one is fetched ahead: resolves once all of it is there. */
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
