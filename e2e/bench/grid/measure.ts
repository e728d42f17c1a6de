import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type Browser, type CDPSession, type Page } from '@playwright/test';
import { readCpu, readHeap } from '../lib/page-costs.ts';
import { median, quantile } from '../lib/statistics.ts';
import { watchRows, type Watched } from './screencast.ts';
import type { ArrangeStep } from './stage.ts';

export interface Frames {
  readonly medianMs: number;
  readonly p95Ms: number;
  readonly longestMs: number;
  /** The share of frames that took over 33 ms. */
  readonly lateShare: number;
  /**
   * How long the main thread worked: for each frame or, on a busy machine that drops frames but not distance, for each
   * turn of the wheel.
   */
  readonly cpuMs: number;
}

/** The time of a user's step until it is painted. */
export interface Step {
  readonly paintMs: number;
  readonly cpuMs: number;
}

const UNDONE_BY = { sort: 'unsort', filter: 'unfilter', search: 'unsearch' } as const;
type Arranging = keyof typeof UNDONE_BY;

export interface Measured {
  readonly firstRowMs: number;
  readonly loadCpuMs: number;
  readonly fling: Frames;
  readonly wheel: Frames;
  readonly watched: Watched;
  readonly update: {
    readonly cpuMs: number;
    readonly paintMs: number;
    readonly frames: number;
    readonly longTasks: number;
  };
  readonly arrange: Readonly<Record<Arranging, Step>>;
  readonly heap: { readonly loadedMb: number; readonly scrolledMb: number };
}

const FLING_MS = 3_000;
const WHEEL_STEPS = 120;
const WATCHED_STEPS = 60;
const FRAME_MS = 1_000 / 60;
const ARRANGINGS = 5;
const REST_MS = 250;
const UPDATES = 10;
const UPDATE_EVERY_MS = 350;

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--enable-precise-memory-info',
];

/** Measures everything about one contender, in a browser started for it. */
export async function measureContender(address: string, executablePath: string): Promise<Measured> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  await using browser = await chromium.launch({ executablePath, args: [...FLAGS, ...asRoot] });
  const page = await browser.newPage({ viewport: { width: 1_800, height: 900 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  const start = await readCpu(session);
  await page.goto(address, { waitUntil: 'commit' });
  await page.waitForFunction(() => globalThis.gridStage !== undefined);
  const loadCpuMs = (await readCpu(session)) - start;
  const firstRowMs = await page.evaluate(() => globalThis.gridStage?.firstRowMs ?? NaN);
  const loadedMb = await readHeap(session);
  const fling = await measureFling(page, session);
  const wheel = await measureWheel(page, session);
  const scrolledMb = await readHeap(session);
  const watched = await watchWheel(browser, page, session);
  const arrange = await measureArranging(page, session);
  const update = await measureUpdates(page, session);
  if (errors.length > 0) throw new Error(`${address}: ${errors.join('; ')}`);
  return { firstRowMs, loadCpuMs, fling, wheel, watched, update, arrange, heap: { loadedMb, scrolledMb } };
}

async function measureFling(page: Page, session: CDPSession): Promise<Frames> {
  await page.evaluate(() => globalThis.gridStage?.toTop());
  const start = await readCpu(session);
  const frames = await page.evaluate((ms) => globalThis.gridStage?.fling(ms), FLING_MS);
  const cpuMs = (await readCpu(session)) - start;
  await page.evaluate(() => globalThis.gridStage?.toTop());
  return toFrames(frames ?? [], cpuMs);
}

/** Turns the wheel as a hand does: once for each frame, through the browser's own input. */
async function measureWheel(page: Page, session: CDPSession): Promise<Frames> {
  await page.evaluate(() => globalThis.gridStage?.startFrames());
  const start = await readCpu(session);
  await turnWheel(page, session, WHEEL_STEPS);
  const frames = await page.evaluate(() => globalThis.gridStage?.stopFrames());
  const cpuMs = (await readCpu(session)) - start;
  await page.evaluate(() => globalThis.gridStage?.toTop());
  return { ...toFrames(frames ?? [], cpuMs), cpuMs: cpuMs / WHEEL_STEPS };
}

async function turnWheel(page: Page, session: CDPSession, steps: number): Promise<void> {
  const middle = await page.evaluate(() => globalThis.gridStage?.middle());
  const begun = performance.now();
  const turns: Promise<unknown>[] = [];
  for (let turn = 0; turn < steps; turn++) {
    await pause(Math.max(0, begun + turn * FRAME_MS - performance.now()));
    turns.push(
      session.send('Input.dispatchMouseEvent', {
        type: 'mouseWheel',
        x: middle?.x ?? 0,
        y: middle?.y ?? 0,
        deltaX: 0,
        deltaY: 240,
      }),
    );
  }
  await Promise.all(turns);
  await pause(100);
}

/** Films the grid, separately from what is timed, because taking a picture of every frame takes time itself. */
async function watchWheel(browser: Browser, page: Page, session: CDPSession): Promise<Watched> {
  const area = await page.evaluate(() => globalThis.gridStage?.rowsArea());
  if (area === undefined) throw new Error('the page has no rows');
  const watched = await watchRows(browser, session, area, () => turnWheel(page, session, WATCHED_STEPS));
  await page.bringToFront();
  await page.evaluate(() => globalThis.gridStage?.toTop());
  return watched;
}

function toFrames(frames: readonly number[], cpuMs: number): Frames {
  return {
    medianMs: quantile(frames, 0.5),
    p95Ms: quantile(frames, 0.95),
    longestMs: Math.max(...frames),
    lateShare: frames.filter((ms) => ms > 33).length / frames.length,
    cpuMs: cpuMs / frames.length,
  };
}

async function measureArranging(page: Page, session: CDPSession): Promise<Measured['arrange']> {
  return {
    sort: await measureStep(page, session, 'sort'),
    filter: await measureStep(page, session, 'filter'),
    search: await measureStep(page, session, 'search'),
  };
}

/**
 * Repeats a step, because it is chance whether the next frame comes at once or a sixtieth of a second later. A step
 * that is not undone would make its repetition look like no step at all.
 */
async function measureStep(page: Page, session: CDPSession, step: Arranging): Promise<Step> {
  const arrange = async (name: ArrangeStep): Promise<number> => {
    const ms = await page.evaluate((which) => globalThis.gridStage?.arrange(which) ?? NaN, name);
    if (Number.isNaN(ms)) throw new Error(`${page.url()}: ${name} has not come about`);
    return ms;
  };
  const taken: Step[] = [];
  for (let time = 0; time < ARRANGINGS; time++) {
    const start = await readCpu(session);
    const paintMs = await arrange(step);
    taken.push({ paintMs, cpuMs: (await readCpu(session)) - start });
    await pause(REST_MS);
    await arrange(UNDONE_BY[step]);
    await pause(REST_MS);
  }
  return { paintMs: median(taken.map(({ paintMs }) => paintMs)), cpuMs: median(taken.map(({ cpuMs }) => cpuMs)) };
}

async function measureUpdates(page: Page, session: CDPSession): Promise<Measured['update']> {
  await page.evaluate((count) => globalThis.gridStage?.prepareUpdates(count), UPDATES);
  await readHeap(session);
  const start = await readCpu(session);
  const times = await page.evaluate((every) => globalThis.gridStage?.update(every), UPDATE_EVERY_MS);
  const cpuMs = ((await readCpu(session)) - start) / UPDATES;
  return {
    cpuMs,
    paintMs: quantile(times?.paintMs ?? [], 0.5),
    frames: quantile(times?.frames ?? [], 0.5),
    longTasks: times?.longTasks ?? NaN,
  };
}
