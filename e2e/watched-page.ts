import { test as base, expect } from '@playwright/test';
import type { Page } from '@playwright/test';

interface Watch {
  /** What the page may complain of because the test provokes it; everything else fails the test. */
  readonly provoked: RegExp | undefined;
  readonly complaints: readonly string[];
}

/** Whatever a test is about, its page stays within its origin and its security policy, and logs no error. */
export const test = base.extend<Watch>({
  provoked: [undefined, { option: true }],
  complaints: [
    async ({ page, baseURL, provoked }, use) => {
      const complaints: string[] = [];
      await watch(page, new URL(baseURL ?? '').origin, (complaint) => complaints.push(complaint));
      await use(complaints);
      expect(complaints.filter((complaint) => provoked?.test(complaint) !== true)).toEqual([]);
    },
    { auto: true },
  ],
});

async function watch(page: Page, origin: string, complain: (complaint: string) => void): Promise<void> {
  page.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complain(`request to ${request.url()}`);
  });
  page.on('requestfailed', (request) => {
    // A screen that is left takes its questions back.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    complain(`request failed: ${request.url()}`);
  });
  page.on('pageerror', (error) => {
    complain(`uncaught: ${error.message}`);
  });
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complain(`console: ${message.text()}`);
  });
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy violated: ${violatedDirective} by ${blockedURI}`);
    });
  });
}
