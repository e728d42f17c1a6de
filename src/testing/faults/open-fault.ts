import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { VENUES } from '#contract/exchange/addresses.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createDeskServer } from '#server/main/create-server.ts';
import type { ServerConfig } from '#server/main/server-config.ts';
import { createLog, createRealPorts } from '#server/ops/process/real-ports.ts';
import { createFront } from '#server/web/arrival.ts';
import { openDatabase } from '#server/store/open-store.ts';
import { sendRequest, type HttpResponse, type RequestOptions } from '../http-client.ts';
import { GOOD_BODY } from './behaviours.ts';
import { openFaultyVenue, type FaultyVenue, type FaultyVenueOptions } from './faulty-venue.ts';

export const KEY = { connectionId: '3f', token: 'ab'.repeat(32) } as const;
export const PUBLIC = '/api/web/market/stats/trailing/all-products';
export const PRIVATE = '/api/orders/working';

export interface FaultOptions extends Partial<
  Pick<ServerConfig, 'limits' | 'budget' | 'credential' | 'compressesLive'>
> {
  readonly certificate?: NonNullable<FaultyVenueOptions['certificate']>;
  /** Configures the server to use TLS, which the exchange does not. */
  readonly claimsTls?: boolean;
  /**
   * Whether the clock runs, as for data that are read repeatedly. Otherwise it stands still, so that no age or pause
   * depends on the speed of the machine.
   */
  readonly clockRuns?: boolean;
  /** How far the exchange's clock is ahead of the server's. */
  readonly venueAheadMs?: number;
  /** Statements that the server's database runs before the server opens it. */
  readonly corruptsDisk?: readonly string[];
}

/** A server in front of an exchange that misbehaves, with real sockets in between. */
export interface Fault {
  readonly venue: FaultyVenue;
  readonly address: string;
  readonly send: (path?: string, options?: RequestOptions) => Promise<HttpResponse>;
  /** The pauses before retries, in milliseconds. They take no time here. */
  readonly pauses: readonly number[];
  /** Advances the clock of server and exchange. Socket timeouts follow the real clock. */
  readonly advance: (milliseconds: number) => void;
  readonly logged: readonly string[];
  /** Sends a request after every cache has expired: it must succeed, and no broken connection may be left. */
  readonly expectRecovered: (mostConnections?: number) => Promise<void>;
  readonly closeDesk: () => Promise<void>;
}

const BEYOND_EVERY_CACHE_MS = 301_000;

export async function openFault({
  certificate,
  claimsTls = false,
  venueAheadMs = 0,
  clockRuns = false,
  ...config
}: FaultOptions = {}): Promise<Fault> {
  const begun = Date.now();
  let ahead = 0;
  const now = (): number => (clockRuns ? Date.now() : begun) + ahead;
  const venue = await openFaultyVenue({ now: () => now() + venueAheadMs, ...(certificate && { certificate }) });
  onTestFinished(venue.close);
  const desk = await openDesk(claimsTls ? venue.baseUrl.replace('http:', 'https:') : venue.baseUrl, now, config);
  const { address } = desk;
  const advance = (milliseconds: number): void => {
    ahead += milliseconds;
  };
  const sendToDesk: Fault['send'] = (path = PUBLIC, options = {}) => sendRequest(address, { path, ...options });
  return {
    ...desk,
    venue,
    send: sendToDesk,
    advance,
    expectRecovered: async (mostConnections = 1) => {
      advance(BEYOND_EVERY_CACHE_MS);
      const sent = venue.requests.length;
      const { status, body } = await sendToDesk();
      expect({ status, body: body.toString(), requests: venue.requests.length - sent }).toEqual({
        status: 200,
        body: GOOD_BODY,
        requests: 1,
      });
      await expect.poll(venue.openConnections).toBeLessThanOrEqual(mostConnections);
    },
  };
}

async function openDesk(
  baseUrl: string,
  now: () => number,
  {
    corruptsDisk,
    ...config
  }: Pick<FaultOptions, 'limits' | 'budget' | 'credential' | 'compressesLive' | 'corruptsDisk'>,
) {
  const sandbox = VENUES['sandbox'];
  if (sandbox === undefined) throw new Error('The sandbox has no profile.');
  const dataDir = mkdtempSync(join(tmpdir(), 'perpdesk-fault-'));
  if (corruptsDisk !== undefined) {
    const { driver } = await openDatabase({ dataDir, databaseUrl: null });
    await driver.define(corruptsDisk);
    await driver.close();
  }
  const pauses: number[] = [];
  const logged: string[] = [];
  const server = await createDeskServer(
    { profile: { ...sandbox, baseUrl }, credential: KEY, budget: null, dataDir, databaseUrl: null, ...config },
    {
      ...createRealPorts('error'),
      now,
      elapsed: now,
      pause: async (milliseconds, signal) => {
        pauses.push(milliseconds);
        // This is long enough for a connection to become free again.
        for (let turn = 0; turn < 4; turn++) await nextTurn(undefined, { signal });
      },
      log: createLog('debug', (line) => logged.push(line), now),
    },
  );
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    report: (error) => void logged.push(String(error)),
    handle: createFront(server.handle),
  });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([desk.close(), server.close()]);
    rmSync(dataDir, { recursive: true });
  };
  const closeDesk = (): Promise<void> => (closing ??= close());
  onTestFinished(closeDesk);
  return { address: await desk.listen(), pauses, logged, closeDesk };
}
