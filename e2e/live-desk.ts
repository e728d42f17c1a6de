import { expect, type Page } from '@playwright/test';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { DeskStatus } from '#contract/desk/status.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { toMountPrefix, VENUES } from '#contract/exchange/addresses.ts';
import { signatureHeaders } from '#venue/conformance/probe.ts';
import { CREDENTIAL, startVenue } from '#venue/conformance/run-conformance.ts';
import { readCsv } from '#testing/read-csv.ts';
import { startServer } from '#testing/start-desk.ts';
import type { StartedProcess } from '#testing/start-process.ts';
import { takeExport } from './export-files.ts';
import { openLiveProxy, type LiveProxy } from './live-proxy.ts';
import { test as watched } from './watched-page.ts';

export interface LiveDesk {
  readonly proxy: LiveProxy;
  /** Returns the ids of the working orders at the exchange itself. */
  readonly venueBook: () => Promise<readonly string[] | null>;
  readonly status: () => Promise<DeskStatus>;
  /** Follows a topic without a browser and beside the proxy, until it is stopped. */
  readonly follow: (topic: string) => Promise<() => Promise<void>>;
  readonly killServer: () => Promise<void>;
  readonly reviveServer: () => Promise<void>;
}

/** In this market, each second of a test is five. */
const SPEED = 5;

/** A market, a server, and a proxy in front of it. */
export const test = watched.extend<{ readonly desk: LiveDesk }>({
  desk: async ({}, use) => {
    const venue = await startVenue([
      '--history-days',
      '40',
      '--orders',
      '500',
      '--working',
      '300',
      '--live',
      'on',
      '--speed',
      String(SPEED),
    ]);
    const startedAt = Date.now();
    const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-live-'));
    let server: StartedProcess = await startServer(venue.address, dataDir);
    const proxy = await openLiveProxy(server.address);
    await use({
      proxy,
      venueBook: () => readVenueBook(venue.address, startedAt + SPEED * (Date.now() - startedAt)),
      status: async () => (await (await fetch(`${proxy.address}api/desk/status`)).json()) as DeskStatus,
      follow: async (topic) => {
        const { body } = await fetch(`${server.address}api/desk/live?topic=${topic}`);
        // The body is never used, but one without a reader is cancelled once its response is garbage-collected.
        const reader = body?.getReader();
        return async () => reader?.cancel();
      },
      killServer: () => server.kill(),
      reviveServer: async () => {
        server = await startServer(venue.address, dataDir);
        proxy.setTarget(server.address);
      },
    });
    await proxy.close();
    await server.stop();
    await venue.stop();
    rmSync(dataDir, { recursive: true, force: true });
  },
  baseURL: async ({ desk }, use) => {
    await use(desk.proxy.address);
  },
});

/** Reads with a signature by the exchange's own clock. Null if the exchange does not respond, as any may at times. */
async function readVenueBook(address: string, now: number): Promise<readonly string[] | null> {
  const sandbox = VENUES['sandbox'];
  if (sandbox === undefined) throw new Error('The sandbox has no profile.');
  const url = new URL(
    `${address.replace(/\/$/, '')}${toMountPrefix(sandbox, 'orders')}${ENDPOINTS.ordersWorking.path}`,
  );
  const response = await fetch(url, {
    headers: signatureHeaders(CREDENTIAL, url.pathname, '', new Date(now).toISOString()),
  });
  const text = await response.text();
  if (!response.ok || text === '') return null;
  return (JSON.parse(text) as readonly { readonly id: string }[]).map(({ id }) => id).sort();
}

export const TOPIC = 'working-orders';

export async function followersOf({ status }: LiveDesk, topic = TOPIC): Promise<number> {
  return (await status()).live.topics.find((each) => each.topic === topic)?.followers ?? 0;
}

/** Counts the requests that the page itself sends for working orders. */
export function countPolls(page: Page): () => number {
  let polls = 0;
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/api/desk/working') polls += 1;
  });
  return () => polls;
}

/**
 * Expects data to be pushed to the page. The test follows the topic as well for as long, because pushed data say how
 * many share them.
 */
export async function expectPushed(page: Page, { follow }: LiveDesk, timeout = 30_000): Promise<void> {
  const leave = await follow(TOPIC);
  await expect(page.getByText(/refreshes every 5 s, shared by \d+/).first()).toBeVisible({ timeout });
  await leave();
}

/**
 * Expects the page, by its own export, to have the exchange's working orders one by one: nothing lost, nothing twice.
 * The market continues meanwhile, so any reading from now on counts.
 */
export async function expectSameBook(page: Page, { venueBook }: LiveDesk): Promise<void> {
  const books = new Set<string>();
  let isOver = false;
  const watch = async (): Promise<void> => {
    while (!isOver) books.add((await venueBook())?.join() ?? '');
  };
  const watching = watch();
  await expect(async () => {
    const ids = await exportedIds(page);
    expect(ids).not.toEqual([]);
    expect(books.has(ids.join())).toBe(true);
  })
    .toPass({ timeout: 60_000 })
    .finally(() => {
      isOver = true;
    });
  await watching;
}

async function exportedIds(page: Page): Promise<readonly string[]> {
  const { csv, read } = await takeExport(page, async () => {
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Export' }).click();
    await page.getByRole('button', { name: /^Export [\d,]+ orders?$/ }).click();
  });
  const [header = [], ...rows] = readCsv(await read(csv));
  return rows.map((row) => row[header.indexOf('order_id')]?.replace(/^'/, '') ?? '').sort();
}
