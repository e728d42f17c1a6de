import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type Page } from '@playwright/test';
import { readCpu } from '../lib/page-costs.ts';
import type { PageName } from './bundle.ts';
import type { panAndZoom } from './pages/stage.ts';

export interface Shown {
  /** Wall time from the start to the frame that shows it. */
  readonly wallMs: number;
  /** Time of the page's main thread, including work for what is out of sight. */
  readonly coreMs: number;
}

export type Moved = Awaited<ReturnType<typeof panAndZoom>>;

export interface Meter {
  /** Measures a page in its own browser. With a selector, its chart is panned and zoomed afterwards. */
  readonly measure: (
    name: PageName,
    query: string,
    chart?: string,
  ) => Promise<Shown & { readonly moved: Moved | null }>;
  /**
   * Reads from a page once it is shown, so that another page can be made like it, optionally in a window of another
   * height.
   */
  readonly look: <T>(name: PageName, query: string, read: () => T, height?: number) => Promise<T>;
}

const FLAGS = ['--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
const VIEWPORT = { width: 1_440, height: 900 };

export function createMeter(address: string, executablePath: string): Meter {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const open = async (browser: Browser, name: PageName, query: string, height = VIEWPORT.height): Promise<Page> => {
    const page = await browser.newPage({ viewport: { ...VIEWPORT, height } });
    await page.goto(`${address}/${name}.html${query}`);
    await page.waitForFunction(() => window.bench !== undefined);
    await page.evaluate(() => window.bench?.prepare());
    return page;
  };
  return {
    measure: async (name, query, chart) => {
      await using browser = await chromium.launch({ executablePath, args: [...FLAGS, ...asRoot] });
      const page = await open(browser, name, query);
      const session = await page.context().newCDPSession(page);
      await session.send('Performance.enable', { timeDomain: 'threadTicks' });
      await pause(QUIET_MS);
      const before = await readCpu(session);
      const wallMs = (await page.evaluate(() => window.bench?.show())) ?? Number.NaN;
      await untilWhole(page);
      const coreMs = (await readCpu(session)) - before;
      const moved =
        chart === undefined
          ? null
          : ((await page.evaluate((selector) => window.bench?.panAndZoom(selector), chart)) ?? null);
      return { wallMs, coreMs, moved };
    },
    look: async (name, query, read, height) => {
      await using browser = await chromium.launch({ executablePath, args: [...FLAGS, ...asRoot] });
      const page = await open(browser, name, query, height);
      await page.evaluate(() => window.bench?.show());
      await untilWhole(page);
      return await page.evaluate(read);
    },
  };
}

async function untilWhole(page: Page): Promise<void> {
  await page.waitForFunction(() => window.bench?.isWhole?.() !== false);
}

/** The pause before the measurement, in which the page's preparation ends. */
const QUIET_MS = 300;
