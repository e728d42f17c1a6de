import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, onTestFinished } from 'vitest';
import { VENUES } from '#contract/exchange/venues.ts';
import { createHttpServer } from '#server/web/server.ts';
import { createGateway, type GatewayConfig } from '#server/main/create-gateway.ts';
import { createLog } from '#server/ops/process/log.ts';
import { createRealPorts } from '#server/ops/process/real-ports.ts';
import { createFront } from '#server/web/front.ts';
import { openDatabase } from '#server/store/open-store.ts';
import { sendRequest, type HttpResponse, type RequestOptions } from '../http-client.ts';
import { GOOD_BODY } from './behaviours.ts';
import { openFaultyVenue, type FaultyVenue, type FaultyVenueOptions } from './faulty-venue.ts';

export const KEY = { connectionId: '3f', token: 'ab'.repeat(32) } as const;
export const PUBLIC = '/api/web/market/stats/trailing/all-products';
export const PRIVATE = '/api/orders/working';

export interface FaultOptions extends Partial<
  Pick<GatewayConfig, 'limits' | 'budget' | 'credential' | 'compressesLive'>
> {
  readonly certificate?: NonNullable<FaultyVenueOptions['certificate']>;
  /** The desk is configured to use TLS, which the venue does not. */
  readonly claimsTls?: boolean;
  /** As for what is read again and again. Otherwise the clock stands still, so that no age or pause depends on the speed of the machine. */
  readonly clockRuns?: boolean;
  /** How far the venue's clock is ahead of the desk's. */
  readonly venueAheadMs?: number;
  /** Statements that the desk's database runs before the desk opens it. */
  readonly corruptsDisk?: readonly string[];
}

/** A desk in front of a venue that misbehaves, with real sockets in between. */
export interface Fault {
  readonly venue: FaultyVenue;
  readonly address: string;
  readonly send: (path?: string, options?: RequestOptions) => Promise<HttpResponse>;
  /** The pauses before retries, in milliseconds, which take no time here. */
  readonly pauses: readonly number[];
  /** Advances the clock of desk and venue. Socket timeouts follow the real clock. */
  readonly advance: (milliseconds: number) => void;
  readonly logged: readonly string[];
  /** Sends a request once every cache has expired: it must succeed, and no broken connection may be left. */
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
  const gateway = await createGateway(
    { profile: { ...sandbox, baseUrl }, credential: KEY, budget: null, dataDir, databaseUrl: null, ...config },
    {
      ...createRealPorts('error'),
      now,
      elapsed: now,
      pause: async (milliseconds, signal) => {
        pauses.push(milliseconds);
        // Long enough for a connection to become free again.
        for (let turn = 0; turn < 4; turn++) await nextTurn(undefined, { signal });
      },
      log: createLog('debug', (line) => logged.push(line), now),
    },
  );
  const desk = createHttpServer({
    host: '127.0.0.1',
    port: 0,
    report: (error) => void logged.push(String(error)),
    handle: createFront(gateway.handle),
  });
  let closing: Promise<void> | null = null;
  const close = async (): Promise<void> => {
    await Promise.all([desk.close(), gateway.close()]);
    rmSync(dataDir, { recursive: true });
  };
  const closeDesk = (): Promise<void> => (closing ??= close());
  onTestFinished(closeDesk);
  return { address: await desk.listen(), pauses, logged, closeDesk };
}
