import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { readOrders } from '../venue/servers.ts';
import { readCpu, readHeap } from '../lib/page-costs.ts';
import { pinThisProcess, type Program } from '../lib/program.ts';
import { quantile } from '../lib/statistics.ts';
import { scrollBare, toBarePage } from './bare.ts';
import { installScroller, readSeen, type Limits, type ScrollReport } from './scroll.ts';

export interface Frames {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  readonly over50Ms: number;
  /** The work of the main thread for each frame. */
  readonly cpuMs: number;
  readonly seconds: number;
}

export interface Way extends Frames, Omit<ScrollReport, 'frameMs' | 'lowest' | 'highest'> {
  /** The lines passed: all, or as many as there was time for. */
  readonly scrolled: number;
  readonly missed: number;
  readonly twice: number;
  readonly outOfPlace: number;
}

export interface Measured {
  readonly orders: number;
  readonly heapMb: { readonly afterTenPages: number; readonly atTheEnd: number; readonly backAtTheTop: number };
  readonly pages: number;
  readonly down: Way;
  readonly up: Way;
  /** A page of rows and nothing else, measured before, between and after the two ways. */
  readonly bare: readonly Frames[];
}

export const PAGE_ROWS = 500;
const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
/** The time limit for each way. */
const LONGEST_MS = 1_200_000;
const WARM_UP = { pages: 30, ways: 32 };
const VIEWPORT = { width: 1_440, height: 900 };
/** A million rows of all columns would take a quarter of an hour; `bench:grid` measures the cost of drawing. */
const COLUMNS = 'side,product,price,filled,status,time,id';

export interface Parts {
  readonly desk: Program;
  readonly venue: Program;
  readonly executablePath: string;
  /** The core of this process, set once the browser has started, which uses any. */
  readonly core: number;
}

export async function measureScroll({ desk, venue, executablePath, core }: Parts): Promise<Measured> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  await using browser = await chromium.launch({ executablePath, args: [...FLAGS, ...asRoot] });
  pinThisProcess(core);
  const page = await browser.newPage({ viewport: VIEWPORT });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${desk.address.origin}/orders/history?cols=${COLUMNS}`);
  await page.getByRole('gridcell').first().waitFor();
  const all = await readAll(venue);
  await page.evaluate(installScroller, all.length + PAGE_ROWS);
  await warmUp(page, all);
  await scroll(page, 'down', { line: 9.5 * PAGE_ROWS, ms: Infinity });
  const afterTenPages = await readHeap(session);
  // All three together are a third of what the history takes.
  const bareFrames = Math.ceil(all.length / 100);
  const bare = [await goBare(browser, bareFrames)];
  const down = await go(page, session, 'down', all);
  const atTheEnd = await readHeap(session);
  await page.evaluate(() => globalThis.scroller?.clear());
  bare.push(await goBare(browser, bareFrames));
  const up = await go(page, session, 'up', all.slice(0, down.scrolled));
  const backAtTheTop = await readHeap(session);
  bare.push(await goBare(browser, bareFrames));
  if (errors.length > 0) throw new Error(errors.join('; '));
  return {
    orders: all.length,
    heapMb: { afterTenPages, atTheEnd, backAtTheTop },
    pages: Math.ceil(down.scrolled / PAGE_ROWS),
    down,
    up,
    bare,
  };
}

/**
 * Scrolls back and forth in the list of the other order, about as often as pages will be read, and far enough for pages
 * to be dropped and read again. Most of the memory that grows is code that the engine compiles from what runs, and none
 * of it belongs to the pages.
 */
async function warmUp(page: Page, all: readonly string[]): Promise<void> {
  const far = { line: WARM_UP.pages * PAGE_ROWS, ms: Infinity };
  await turnRound(page, all.at(-1));
  for (let at = 0; at < WARM_UP.ways; at++) await scroll(page, at % 2 === 0 ? 'down' : 'up', far);
  await turnRound(page, all[0]);
  await page.evaluate(() => globalThis.scroller?.clear());
}

async function turnRound(page: Page, first = ''): Promise<void> {
  await page.getByRole('columnheader', { name: 'Accepted' }).click();
  await page.getByRole('gridcell', { name: first, exact: true }).waitFor();
}

async function scroll(page: Page, way: 'down' | 'up', limits: Limits): Promise<ScrollReport> {
  const report = await page.evaluate(([to, until]) => globalThis.scroller?.run(to, until), [way, limits] as const);
  if (report === undefined) throw new Error('the page has lost its scroller');
  return report;
}

async function go(page: Page, session: CDPSession, way: 'down' | 'up', known: readonly string[]): Promise<Way> {
  const [start, cpu] = [performance.now(), await readCpu(session)];
  const { frameMs, lowest, highest, ...rest } = await scroll(page, way, { line: Infinity, ms: LONGEST_MS });
  const frames = toFrames(frameMs, start, (await readCpu(session)) - cpu);
  // The way down began at the top, where the first ten pages are.
  const from = way === 'down' ? 0 : lowest;
  const passed = known.slice(from, highest + 1);
  return { ...rest, ...frames, scrolled: passed.length, ...(await compare(page, passed, from)) };
}

/** Measures in a separate process, whose memory is not the history's. */
async function goBare(browser: Browser, count: number): Promise<Frames> {
  await using page = await browser.newPage({ viewport: VIEWPORT });
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const [start, cpu] = [performance.now(), await readCpu(session)];
  const frameMs = await page.evaluate(scrollBare, toBarePage(count));
  return toFrames(frameMs, start, (await readCpu(session)) - cpu);
}

function toFrames(frameMs: readonly number[], start: number, cpuMs: number): Frames {
  return {
    frames: frameMs.length,
    medianMs: quantile(frameMs, 0.5),
    p95Ms: quantile(frameMs, 0.95),
    longestMs: Math.max(...frameMs),
    over50Ms: frameMs.filter((ms) => ms > 50).length,
    cpuMs: cpuMs / frameMs.length,
    seconds: (performance.now() - start) / 1_000,
  };
}

const LINES_AT_ONCE = 50_000;

/** Compares what was drawn with the exchange's own list, line by line. */
async function compare(page: Page, known: readonly string[], start: number) {
  const seen: string[] = [];
  for (let from = 0; from < known.length; from += LINES_AT_ONCE) {
    const to = Math.min(from + LINES_AT_ONCE, known.length);
    const text = await page.evaluate(readSeen, [start + from, start + to] as const);
    seen.push(...text.split(','));
  }
  const drawn = seen.filter((id) => id !== '0');
  const distinct = new Set(drawn);
  return {
    missed: known.filter((id) => !distinct.has(id)).length,
    twice: drawn.length - distinct.size,
    outOfPlace: known.filter((id, line) => seen[line] !== id).length,
  };
}

/** Reads the exchange's own list, newest first, directly from it. */
async function readAll(venue: Program): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ;) {
    const body = await readOrders(venue, `?limit=1000${cursor && `&cursor=${cursor}`}`);
    const page = JSON.parse(body) as {
      readonly data: readonly { readonly id: string }[];
      readonly pagination: { readonly cursor?: string };
    };
    if (page.data.length === 0) return ids;
    for (const { id } of page.data) ids.push(id);
    cursor = page.pagination.cursor ?? '';
    if (cursor === '') return ids;
  }
}
