import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from '@playwright/test';
import { startVenue } from '#venue/conformance/run-conformance.ts';
import { startServer } from '#testing/start-desk.ts';
import { test as watched } from './watched-page.ts';

const VENUE = ['--history-days', '40', '--orders', '200', '--working', '50'];

interface RulesDesk {
  readonly killVenue: () => Promise<unknown>;
  readonly reviveVenue: () => Promise<void>;
  /** Starts Perpdesk again, on the same data and at the same address. */
  readonly restart: () => Promise<void>;
}

/** Rules belong to a server, so each test has its own, which it may restart. */
export const test = watched.extend<{
  readonly started: RulesDesk & { readonly address: string };
  readonly desk: RulesDesk;
}>({
  started: async ({}, use) => {
    const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-rules-'));
    const stops: (() => Promise<unknown>)[] = [];
    const venue = await startVenue(VENUE);
    let server = await startServer(venue.address, dataDir, { DESK_JOURNAL_SECONDS: '5' });
    const { address } = server;
    await use({
      address,
      killVenue: venue.kill,
      reviveVenue: async () => {
        stops.push((await startVenue([...VENUE, '--port', new URL(venue.address).port])).stop);
      },
      restart: async () => {
        await server.stop();
        server = await startServer(venue.address, dataDir, {
          DESK_JOURNAL_SECONDS: '5',
          DESK_PORT: new URL(address).port,
        });
      },
    });
    await server.stop();
    for (const stop of [...stops, venue.stop]) await stop();
    rmSync(dataDir, { recursive: true, force: true });
  },
  desk: async ({ started }, use) => {
    await use(started);
  },
  baseURL: async ({ started }, use) => {
    await use(started.address);
  },
});

/** Returns the button in the header. */
export function badgeOf(page: Page): Locator {
  return page.getByRole('banner').getByRole('button', { name: /alert|critical|warning|info|rules/i });
}

/** A rule that fires for every account at once. */
export const MANY = {
  ...{ id: 'many', name: 'Many orders', enabled: true, severity: 'warning', channels: [], for_seconds: 0 },
  ...{ about: 'orders', measure: 'count', filter: {}, each: 'all', comparison: 'over', value: 3, unit: 'orders' },
} as const;

export async function putRule(page: Page, rule: object): Promise<void> {
  const response = await page.request.put('/api/desk/rules', { headers: { 'desk-action': 'putRule' }, data: { rule } });
  if (!response.ok()) throw new Error(await response.text());
}
