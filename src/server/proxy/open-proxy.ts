import { API_PREFIX, RESPONDED_AT_HEADER, VENUE_TIME_HEADER } from '#contract/desk/desk.ts';
import type { VenueProfile } from '#contract/exchange/addresses.ts';
import {
  provenanceOf,
  type RateLimiter,
  type Reader,
  type ReadOptions,
  type ResponseListeners,
  type Served,
  type ServerPorts,
  type Venue,
  type VenueRequest,
} from '#server/core/ports.ts';
import { countRows } from '#server/core/rows.ts';
import { isProblem, parseVenueRequest } from '#server/core/venue-request.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { sendFailure, sendProblem } from '#server/web/error-responses.ts';
import { abortOnDisconnect, pagePurposeOf } from '#server/web/request-context.ts';
import type { Routes } from '#server/web/router.ts';
import { provenanceHeaders, type SendResponse } from '#server/web/send-response.ts';
import type { Store } from '#server/store/store.ts';
import { ofAllDesks } from './budget/ledger.ts';
import { createPermitLog } from './budget/permit-log.ts';
import { ofOneDesk } from './budget/permits.ts';
import { createRateLimiter } from './budget/rate-limiter.ts';
import { openSlidingWindow, type SlidingWindowDeps } from './budget/sliding-window.ts';
import { createMemoryCache, openDiskCache } from './response-cache.ts';
import { createReader } from './reader.ts';
import { createSigner, type Signer } from './upstream/signer.ts';
import { createTransport, type TransportLimits } from './upstream/transport.ts';
import { createVenueClient } from './upstream/venue-client.ts';
import { createVenueClock } from './upstream/venue-clock.ts';
import { createWideReader } from './wide-reads.ts';

interface ProxyConfig extends Pick<SlidingWindowDeps, 'budget' | 'journalSeconds'> {
  readonly profile: VenueProfile & { readonly baseUrl: string };
  /** Null: nothing private can be read. */
  readonly credential: { readonly connectionId: string; readonly token: string } | null;
  /** Identifies the exchange in the store. */
  readonly venueId: string;
  readonly limits?: Partial<TransportLimits> | undefined;
}

interface ProxyCore extends Pick<ServerPorts, 'now' | 'elapsed' | 'pause' | 'random' | 'schedule' | 'log'> {
  /** The ID of this desk, unique among all starts. */
  readonly desk: string;
  readonly store: Store;
  readonly listeners: ResponseListeners;
  readonly send: SendResponse;
}

/** The only way to the exchange: it signs, caches, and never exceeds the budget. */
export interface Proxy {
  readonly venue: Venue;
  readonly reader: Reader;
  readonly rateLimiter: RateLimiter;
  /** The exchange’s time; null while it is unknown. */
  readonly venueNow: () => number | null;
  readonly changeToken: Signer['changeToken'];
  /** Returns the routes of the exchange’s own paths. */
  readonly routes: (ways: Pick<VenueProxyDeps, 'readScoped' | 'readPredicted'>) => Routes['below'];
}

const MEMORY_BYTES = 32 * 1_024 * 1_024;
const DISK_BYTES = 512 * 1_024 * 1_024;

export async function openProxy(
  { profile, credential, venueId, limits, ...spending }: ProxyConfig,
  { desk, store, listeners, send, ...ports }: ProxyCore,
): Promise<Proxy> {
  const { now, elapsed } = ports;
  const window = await openSlidingWindow({
    ...spending,
    openPermits: store.isShared
      ? ofAllDesks({ ...ports, desk, store })
      : ofOneDesk(createPermitLog(store, ports), elapsed),
    elapsed,
  });
  const rateLimiter = createRateLimiter(window, ports.schedule, elapsed);
  const signer = credential && createSigner(credential.connectionId, credential.token);
  const { baseUrl } = profile;
  const venue = createVenueClient({
    ...ports,
    profile,
    baseUrl,
    basePath: new URL(baseUrl).pathname.replace(/\/$/, ''),
    transport: createTransport({ baseUrl, schedule: ports.schedule, limits }),
    rateLimiter,
    clock: createVenueClock(),
    signer,
    listeners,
  });
  const venueNow = (): number | null => {
    const { clockOffsetMs } = venue.state();
    return clockOffsetMs === null ? null : now() + clockOffsetMs;
  };
  const reader = createWideReader({
    profile,
    reader: createReader({
      venue,
      memoryCache: createMemoryCache(MEMORY_BYTES),
      diskCache: await openDiskCache(store, DISK_BYTES),
      now,
      elapsed,
      venueId,
      identity: credential?.connectionId ?? '',
    }),
    now,
    venueNow: () => venueNow() ?? now(),
  });
  return {
    venue,
    reader,
    rateLimiter,
    venueNow,
    changeToken: (token) => signer?.changeToken(token),
    routes: ({ readScoped, readPredicted }) => ({
      prefix: API_PREFIX,
      handle: createVenueProxy({
        profile,
        reader,
        readScoped,
        readPredicted,
        send,
        now,
        venueNow,
      }),
    }),
  };
}

interface VenueProxyDeps {
  readonly profile: VenueProfile;
  readonly reader: Reader;
  /** Reads private data for a viewer with a limited scope. */
  readonly readScoped: (request: VenueRequest, viewer: Viewer, options: ReadOptions) => Promise<Served>;
  /** Serves predicted rates, which are read for all screens together. */
  readonly readPredicted: Reader['read'];
  readonly send: SendResponse;
  readonly now: () => number;
  /** The exchange’s time; null while it is unknown. */
  readonly venueNow: () => number | null;
}

/** Serves `/api/<path of the interface>` from the cache or the exchange. */
function createVenueProxy(deps: VenueProxyDeps): Routes['below']['handle'] {
  return async ({ request, response, requestId, startedAt, rawQuery, viewer }, route) => {
    const venueRequest = parseVenueRequest(route, rawQuery, deps.profile);
    if (isProblem(venueRequest))
      return { endpoint: 'none', outcome: venueRequest.type, status: sendProblem(response, venueRequest, requestId) };
    const { name, endpoint } = venueRequest;
    try {
      const purpose = pagePurposeOf(request) ?? endpoint.purpose;
      const options = { purpose, signal: abortOnDisconnect(response), payers: [viewer.payer] } as const;
      // The cache holds what viewers with a full scope may see.
      const isScoped = viewer.scope !== 'all' && endpoint.access === 'signed';
      const served = isScoped
        ? await deps.readScoped(venueRequest, viewer, options)
        : await (name === 'fundingEstimated' ? deps.readPredicted : deps.reader.read)(venueRequest, options);
      const { body, tag, contentType, respondedAt } = served.response;
      const now = deps.now();
      const venueNow = deps.venueNow();
      const status = await deps.send(request, response, {
        type: contentType,
        body,
        tag,
        requestId,
        access: endpoint.access,
        headers: [
          ...provenanceHeaders(provenanceOf(served), now),
          ...[RESPONDED_AT_HEADER, new Date(respondedAt).toISOString()],
          ...['server-timing', `desk;dur=${(now - startedAt).toFixed(1)};desc="${served.outcome}"`],
          ...(venueNow === null ? [] : [VENUE_TIME_HEADER, new Date(venueNow).toISOString()]),
        ],
      });
      return { endpoint: name, outcome: served.outcome, status, rows: () => countRows(served.response) };
    } catch (error) {
      return { endpoint: name, ...sendFailure(response, error, requestId) };
    }
  };
}
