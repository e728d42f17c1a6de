import { chromium, type Browser, type BrowserContext, type Page } from '@playwright/test';
import { findBrowser } from '../../../src/tools/browser.ts';
import { withoutStream } from '../../watched-page.ts';
import { paintedWhen } from '../grid/paint.ts';
import type { Program } from '../lib/program.ts';
import { textOf } from './in-page.ts';

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
const VIEWPORT = { width: 1_440, height: 900 };

/** How pages get their data: by the stream of a worker, by a stream of their own, or by polling. */
export type Way = 'worker' | 'page' | 'polling';

/** Starts the browser and returns it with its address and the process that all its others come from. */
export async function startBrowser() {
  const found = await findBrowser();
  if ('problem' in found) throw new Error(found.problem);
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const server = await chromium.launchServer({ executablePath: found.path, args: [...FLAGS, ...asRoot] });
  const browser = await chromium.connect(server.wsEndpoint());
  return {
    browser,
    pid: server.process().pid ?? 0,
    [Symbol.asyncDispose]: async () => {
      await browser.close();
      await server.close();
    },
  };
}

export async function openContext(browser: Browser, way: Way): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: VIEWPORT });
  if (way === 'page') await context.addInitScript(() => void Reflect.deleteProperty(globalThis, 'SharedWorker'));
  if (way === 'polling') await withoutStream(context);
  return context;
}

export async function openOrders(page: Page, { address }: Program): Promise<void> {
  await page.goto(new URL('/orders', address).href);
  await page
    .locator('[aria-label="Working orders"]:is([role=grid], [role=treegrid]) [role=gridcell]')
    .first()
    .waitFor({ timeout: 120_000 });
}

/** Matches what the page says when changes are pushed to it. */
export async function untilPushed(page: Page): Promise<void> {
  await page
    .getByText(/refreshes every 5 s/)
    .first()
    .waitFor({ timeout: 120_000 });
}

export async function prepare(page: Page): Promise<void> {
  await page.evaluate(`globalThis.ofPage = { paintedWhen: ${String(paintedWhen)}, textOf: ${String(textOf)} }`);
}
