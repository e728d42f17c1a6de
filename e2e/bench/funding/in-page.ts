import { setTimeout as pause } from 'node:timers/promises';
import { chromium, type CDPSession, type Page } from '@playwright/test';
import { readCpu } from '../lib/page-costs.ts';
import { quantile } from '../lib/statistics.ts';
import type { PageName } from './bundle.ts';

export interface PageMeasured {
  /** Wall time, and CPU time of the main thread. */
  readonly mountMs: number;
  readonly mountCpuMs: number;
  readonly p95Ms: number;
  readonly medianMs: number;
  /** How long the main thread worked, for each frame. */
  readonly cpuMs: number;
}

const FLAGS = [
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
];
const STEPS = 150;
const FRAME_MS = 1_000 / 60;

/** Measures one page in its own browser: mounted, then dragged or scrolled with real input events. */
export async function measureInPage(address: string, name: PageName, executablePath: string): Promise<PageMeasured> {
  const asRoot = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  await using browser = await chromium.launch({ executablePath, args: [...FLAGS, ...asRoot] });
  const page = await browser.newPage({ viewport: { width: 1_440, height: 900 } });
  const errors: string[] = [];
  page.on('pageerror', (error) => errors.push(error.message));
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.goto(address);
  await page.waitForFunction(() => globalThis.fundingStage !== undefined);
  // Loading must be over before the clock starts.
  await pause(500);
  const before = await readCpu(session);
  const mountMs = (await page.evaluate(() => globalThis.fundingStage?.mount())) ?? Number.NaN;
  const mountCpuMs = (await readCpu(session)) - before;
  await pause(500);
  const start = await readCpu(session);
  await page.evaluate(() => globalThis.fundingStage?.startFrames());
  await (name.endsWith('chart') ? drag(page, session) : scroll(session));
  const frames = (await page.evaluate(() => globalThis.fundingStage?.stopFrames())) ?? [];
  const cpuMs = ((await readCpu(session)) - start) / Math.max(1, frames.length);
  if (errors.length > 0) throw new Error(`${address}: ${errors.join('; ')}`);
  return { mountMs, mountCpuMs, p95Ms: quantile(frames, 0.95), medianMs: quantile(frames, 0.5), cpuMs };
}

/** Sends one event per frame, as a hand does, without waiting for the previous one. */
async function everyFrame(act: (step: number) => Promise<unknown>): Promise<void> {
  const begun = performance.now();
  const sent: Promise<unknown>[] = [];
  for (let step = 0; step < STEPS; step += 1) {
    await pause(Math.max(0, begun + step * FRAME_MS - performance.now()));
    sent.push(act(step));
  }
  await Promise.all(sent);
}

async function drag(page: Page, session: CDPSession): Promise<void> {
  const box = await page.locator('canvas').first().boundingBox();
  if (box === null) throw new Error('there is no chart');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + 200, y);
  await page.mouse.down();
  await everyFrame((step) =>
    session.send('Input.dispatchMouseEvent', {
      type: 'mouseMoved',
      button: 'left',
      buttons: 1,
      x: box.x + 200 + 300 * Math.sin(step / 15),
      y,
    }),
  );
  await page.mouse.up();
}

async function scroll(session: CDPSession): Promise<void> {
  await everyFrame(() =>
    session.send('Input.dispatchMouseEvent', { type: 'mouseWheel', x: 700, y: 200, deltaX: -80, deltaY: 0 }),
  );
}
