import { test as base, expect } from '@playwright/test';
import type { BrowserContext, Page } from '@playwright/test';

interface Watch {
  /** What pages may complain of because the test provokes it; everything else fails the test. */
  readonly provoked: RegExp | undefined;
  readonly complaints: string[];
  /** A page of somebody else, whose browser keeps nothing of what the first one's does. */
  readonly strangersPage: Page;
}

/** Whatever a test is about, its pages stay within their origin and their security policy, and log no error. */
export const test = base.extend<Watch>({
  provoked: [undefined, { option: true }],
  complaints: [
    async ({ context, baseURL, provoked }, use) => {
      const complaints: string[] = [];
      await watch(context, baseURL, complaints);
      await use(complaints);
      expect(complaints.filter((complaint) => provoked?.test(complaint) !== true)).toEqual([]);
    },
    { auto: true },
  ],
  strangersPage: async ({ browser, baseURL, complaints }, use) => {
    const context = await browser.newContext();
    await watch(context, baseURL, complaints);
    await use(await context.newPage());
    await context.close();
  },
});

/** All pages there are and will be: a test may open more than the one it is given. */
async function watch(context: BrowserContext, baseURL: string | undefined, complaints: string[]): Promise<void> {
  const { origin } = new URL(baseURL ?? '');
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) complaints.push(`request to ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    // A screen that is left takes its questions back.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    complaints.push(`request failed: ${request.url()}`);
  });
  context.on('weberror', (uncaught) => {
    complaints.push(`uncaught: ${uncaught.error().message}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) complaints.push(`console: ${message.text()}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy violated: ${violatedDirective} by ${blockedURI}`);
    });
  });
}
