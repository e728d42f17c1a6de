import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { readOrders } from '../venue/servers.ts';
import { readCpu, readHeap } from '../lib/page-costs.ts';
import type { Program } from '../lib/program.ts';
import { quantile } from '../lib/statistics.ts';
import { scrollBare, toBarePage } from './bare.ts';
import { installScroller, readSeen, type ScrollReport } from './scroll.ts';

export interface Frames {
  readonly frames: number;
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  readonly over50Ms: number;
  /** Work of the main thread for each frame. */
  readonly cpuMs: number;
  readonly seconds: number;
}

export interface Way extends Frames, Omit<ScrollReport, 'frameMs'> {
  readonly missed: number;
  readonly twice: number;
  readonly outOfPlace: number;
}

export interface Measured {
  readonly orders: number;
  readonly heapMb: { readonly afterTenPages: number; readonly atTheEnd: number; readonly backAtTheTop: number };
  /** All there are, or as many as there was time for. */
  readonly pages: number;
  readonly scrolled: number;
  readonly down: Way;
  readonly up: Way;
  /** A page of rows and nothing else: before, between and after the two ways. */
  readonly bare: readonly Frames[];
}

export const PAGE_ROWS = 500;
const FLAGS = ['--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update'];
/** For each way. */
const LONGEST_MS = 1_200_000;
/** Odd: it ends at the tenth page. */
const TIMES_THERE = 101;
const VIEWPORT = { width: 1_440, height: 900 };
/** A million rows of all columns would take a quarter of an hour; what drawing costs, `bench:grid` measures. */
const COLUMNS = 'side,product,price,filled,status,time,id';

export async function measureScroll(desk: Program, venue: Program, executablePath: string): Promise<Measured> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  await using browser = await chromium.launch({ executablePath, args: [...FLAGS, ...asRoot] });
  const page = await browser.newPage({ viewport: VIEWPORT });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(`${desk.address.origin}/orders/history?cols=${COLUMNS}`);
  await page.getByRole('gridcell').first().waitFor();
  const all = await readAll(venue);
  await page.evaluate(installScroller, all.length + PAGE_ROWS);
  const tenPages = { line: 9.5 * PAGE_ROWS, ms: Infinity };
  // There and back first, as often as pages will be read: the code that the engine makes of what runs is most of what grows, and none of it the pages’.
  const waysThere = Array.from({ length: TIMES_THERE }, (_, at) => (at % 2 === 0 ? 'down' : 'up'));
  for (const way of waysThere) await page.evaluate(([to, limits]) => globalThis.scroller?.run(to, limits), [way, tenPages] as const);
  const afterTenPages = await readHeap(session);
  // A third of what the history takes, all three together.
  const bareFrames = Math.ceil(all.length / 100);
  const bare = [await goBare(browser, bareFrames)];
  const down = await go(page, session, 'down', all);
  const known = all.slice(0, down.farthest + 1);
  const atTheEnd = await readHeap(session);
  await page.evaluate(() => globalThis.scroller?.clear());
  bare.push(await goBare(browser, bareFrames));
  const up = await go(page, session, 'up', known);
  const backAtTheTop = await readHeap(session);
  bare.push(await goBare(browser, bareFrames));
  if (errors.length > 0) throw new Error(errors.join('; '));
  return { orders: all.length, scrolled: known.length, heapMb: { afterTenPages, atTheEnd, backAtTheTop }, pages: Math.ceil(known.length / PAGE_ROWS), down, up, bare };
}

async function go(page: Page, session: CDPSession, way: 'down' | 'up', known: readonly string[]): Promise<Way> {
  const [start, cpu] = [performance.now(), await readCpu(session)];
  const report = await page.evaluate(([to, ms]) => globalThis.scroller?.run(to, { line: Infinity, ms }), [way, LONGEST_MS] as const);
  if (report === undefined) throw new Error('the page has lost its scroller');
  const { frameMs, ...rest } = report;
  const frames = toFrames(frameMs, start, (await readCpu(session)) - cpu);
  const passed = known.slice(0, way === 'down' ? report.farthest + 1 : undefined);
  return { ...rest, ...frames, ...(await compare(page, passed)) };
}

/** In a process of its own, whose memory is not the history's. */
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

/** Holds what was drawn against the venue's own list, line by line. */
async function compare(page: Page, known: readonly string[]) {
  const seen: string[] = [];
  for (let from = 0; from < known.length; from += LINES_AT_ONCE) {
    const text = await page.evaluate(readSeen, [from, Math.min(from + LINES_AT_ONCE, known.length)] as const);
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

/** The venue's own list, newest first, straight from it. */
async function readAll(venue: Program): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let cursor = ''; ; ) {
    const body = await readOrders(venue, `?limit=1000${cursor && `&cursor=${cursor}`}`);
    const page = JSON.parse(body) as { readonly data: readonly { readonly id: string }[]; readonly pagination: { readonly cursor?: string } };
    if (page.data.length === 0) return ids;
    for (const { id } of page.data) ids.push(id);
    cursor = page.pagination.cursor ?? '';
    if (cursor === '') return ids;
  }
}
