import { test as base, type BrowserContext, expect, type Page } from '@playwright/test';
import { forgetSaved } from './forget-saved.ts';

interface Watch {
  /**
   * Whether data can be pushed. False mutes the worker that reads the stream: a test that changes responses in transit,
   * or the page's clock, changes neither in a worker.
   */
  readonly live: boolean;
  /** Errors that the test provokes; any other error fails it. */
  readonly provoked: RegExp | undefined;
  readonly pageErrors: string[];
  /** A page in a browser context of its own. */
  readonly strangersPage: Page;
}

/** In every test, pages stay within their origin and security policy and log no errors. */
export const test = base.extend<Watch>({
  live: [true, { option: true }],
  provoked: [undefined, { option: true }],
  pageErrors: [
    async ({ context, request, baseURL, provoked, live }, use) => {
      const pageErrors: string[] = [];
      if (!live) await withoutStream(context);
      await forgetSaved(request);
      await watch(context, baseURL, pageErrors);
      await use(pageErrors);
      expect(pageErrors.filter((error) => provoked?.test(error) !== true)).toEqual([]);
    },
    { auto: true },
  ],
  page: async ({ page }, use) => {
    await use(page);
    // The page still polls when a test ends: a response that its route was changing disappears with the page.
    await page.unrouteAll({ behavior: 'ignoreErrors' });
  },
  strangersPage: async ({ browser, baseURL, pageErrors, live }, use) => {
    const context = await browser.newContext();
    if (!live) await withoutStream(context);
    await watch(context, baseURL, pageErrors);
    await use(await context.newPage());
    await context.close();
  },
});

/** Watches all pages of the context, also those that the test opens later. */
async function watch(context: BrowserContext, baseURL: string | undefined, pageErrors: string[]): Promise<void> {
  const { origin } = new URL(baseURL ?? '');
  context.on('request', (request) => {
    if (new URL(request.url()).origin !== origin) pageErrors.push(`request to ${request.url()}`);
  });
  context.on('requestfailed', (request) => {
    // Leaving a screen aborts its requests.
    if (request.failure()?.errorText === 'net::ERR_ABORTED') return;
    pageErrors.push(`request failed: ${request.url()}`);
  });
  context.on('weberror', (uncaught) => {
    pageErrors.push(`uncaught: ${uncaught.error().message}`);
  });
  context.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) pageErrors.push(`console: ${message.text()}`);
  });
  await context.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      console.error(`policy violated: ${violatedDirective} by ${blockedURI}`);
    });
  });
}

/** Makes pages poll, by a reader of the stream that stays silent. */
export async function withoutStream(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const port = { postMessage: () => undefined, addEventListener: () => undefined, start: () => undefined };
    Object.assign(globalThis, {
      SharedWorker: class {
        readonly port = port;
      },
    });
  });
}
