import type { Browser, CDPSession, Page } from '@playwright/test';
import { bundlePage } from '../grid/bundle.ts';
import { servePages } from '../grid/serve-pages.ts';
import { readCpu } from '../lib/page-costs.ts';
import { toDigits, type Goal } from '../lib/report.ts';
import { runRounds } from '../lib/rounds.ts';
import { median, toSpread } from '../lib/statistics.ts';
import { formatTable } from '../lib/table.ts';
import { createWireOrders } from '../lib/wire-orders.ts';
import { ORDERS } from './book.ts';
import { timePaint, watchLong, watchWorker } from './in-page.ts';
import { openContext, openOrders, prepare, untilPushed } from './pages.ts';
import { startServer, startUpstream } from './servers.ts';

const NAMES = ['pushed', 'grid'] as const;
type Name = (typeof NAMES)[number];
const UPDATES = 3;
/** The same as in the grid's benchmark. */
const UPDATE_EVERY_MS = 350;
const REFERENCE = 'ours';
/** A task that takes longer is a long one. */
const LONG_MS = 50;

interface Update {
  readonly paintMs: number;
  /** The work of the page's main thread, including everything else that it does meanwhile. */
  readonly cpuMs: number;
  /** The time in tasks of more than 50 ms. */
  readonly longMs: number;
  /** The longest run of the page's own code in a frame. */
  readonly ownMs: number;
}

export type Paint = ReadonlyMap<Name, readonly Update[]>;

/**
 * Measures changes of 600 rows, from when the browser has received them until they are painted, beside the grid alone
 * with the same changes.
 */
export async function measurePaint(venue: URL, browser: Browser, rounds: number): Promise<Paint> {
  await bundlePage(REFERENCE, 'ours.tsx');
  await using served = await servePages(JSON.stringify(createWireOrders(ORDERS)));
  await using upstream = await startUpstream(venue);
  await upstream.ask('by-reading');
  await using server = await startServer(upstream.address);
  await using context = await openContext(browser, 'worker');
  await context.addInitScript(watchWorker);

  const grid = await context.newPage();
  await grid.goto(`${served.address}/${REFERENCE}/`);
  await grid.waitForFunction(() => globalThis.gridStage !== undefined);
  const pushed = await context.newPage();
  await openOrders(pushed, server);
  await untilPushed(pushed);
  await prepare(pushed);

  const pages = { pushed: { page: pushed, run: runPushed }, grid: { page: grid, run: runGrid } };
  const sessions = { pushed: await openSession(pushed), grid: await openSession(grid) };
  const measure = async (name: Name): Promise<Update> => {
    const { page, run } = pages[name];
    await page.bringToFront();
    const before = await readCpu(sessions[name]);
    await page.evaluate(watchLong);
    const paintMs = median(await run(page));
    const cpuMs = ((await readCpu(sessions[name])) - before) / UPDATES;
    const { longMs, ownMs } = await page.evaluate(() => globalThis.seenLong ?? { longMs: NaN, ownMs: NaN });
    return { paintMs, cpuMs, longMs: longMs / UPDATES, ownMs };
  };
  for (const name of NAMES) await measure(name);
  return await runRounds(NAMES, rounds, measure);
}

async function runPushed(page: Page): Promise<readonly number[]> {
  const times: number[] = [];
  for (let update = 0; update < UPDATES; update++) times.push(await page.evaluate(timePaint));
  return times;
}

async function runGrid(page: Page): Promise<readonly number[]> {
  await page.evaluate((count) => globalThis.gridStage?.prepareUpdates(count), UPDATES);
  const times = await page.evaluate((every) => globalThis.gridStage?.update(every), UPDATE_EVERY_MS);
  return times?.paintMs ?? [];
}

async function openSession(page: Page): Promise<CDPSession> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  return session;
}

const COLUMNS = [
  ['painted ms', ({ paintMs }: Update) => paintMs],
  ['CPU ms of the page', ({ cpuMs }: Update) => cpuMs],
  ['ms in long tasks', ({ longMs }: Update) => longMs],
  ['longest own code ms', ({ ownMs }: Update) => ownMs],
] as const;

export function printPaint(results: Paint): void {
  const rows = [...results].map(([name, updates]) => [
    name,
    ...COLUMNS.map(([, read]) => {
      const values = updates.map(read);
      const { median: middle, lowest, highest } = toSpread(values);
      return `${toDigits(middle)} (${toDigits(lowest)}–${toDigits(highest)})`;
    }),
  ]);
  console.log('\n600 of 10,000 orders change: from received to painted\n');
  console.log(formatTable(['', ...COLUMNS.map(([title]) => title)], rows));
}

export function paintGoals(results: Paint): Goal[] {
  const grid = results.get('grid') ?? [];
  const pushed = results.get('pushed') ?? [];
  const ratios = pushed.map(({ paintMs }, round) => paintMs / (grid[round]?.paintMs ?? NaN));
  return [
    {
      what: 'changes received, until painted',
      measured: toSpread(ratios).median,
      relation: 'at most',
      limit: 1.5,
      unit: 'x the grid alone',
    },
    {
      what: 'long tasks of an update',
      measured: median(pushed.map(({ longMs }) => longMs)),
      relation: 'at most',
      limit: 1.2 * median(grid.map(({ longMs }) => longMs)),
      unit: 'ms (1.2 x the grid alone)',
    },
    {
      what: 'longest run of the page’s own code in a frame',
      measured: Math.max(...pushed.map(({ ownMs }) => ownMs)),
      relation: 'at most',
      limit: LONG_MS,
      unit: 'ms',
    },
  ];
}
