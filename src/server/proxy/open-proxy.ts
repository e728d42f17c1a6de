import { API_PREFIX } from '#contract/desk/desk.ts';
import type { VenueProfile } from '#contract/exchange/venues.ts';
import type { GatewayPorts, RateLimiter, Reader, ResponseListeners, Venue } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import type { Routes } from '#server/web/router.ts';
import type { SendResponse } from '#server/web/send-response.ts';
import { createPermitLog } from './budget/permit-log.ts';
import { createRateLimiter } from './budget/rate-limiter.ts';
import { openSlidingWindow, type SlidingWindowParts } from './budget/sliding-window.ts';
import { openDiskCache } from './cache/disk-cache.ts';
import { createMemoryCache } from './cache/response-cache.ts';
import { createReader } from './cache/reader.ts';
import { createSigner, type Signer } from './upstream/signer.ts';
import { createTransport, type TransportLimits } from './upstream/transport.ts';
import { createVenueClient } from './upstream/venue-client.ts';
import { createVenueClock } from './upstream/venue-clock.ts';
import { createVenueProxy, type VenueProxyParts } from './venue-proxy.ts';

interface ProxyConfig extends Pick<SlidingWindowParts, 'budget' | 'keepsJournal'> {
  readonly profile: VenueProfile & { readonly baseUrl: string };
  /** Null: nothing private can be read. */
  readonly credential: { readonly connectionId: string; readonly token: string } | null;
  /** Identifies the exchange in the store. */
  readonly venueId: string;
  readonly limits?: Partial<TransportLimits> | undefined;
}

interface ProxyCore extends Pick<GatewayPorts, 'now' | 'elapsed' | 'pause' | 'random' | 'schedule'> {
  readonly store: Store;
  readonly listeners: ResponseListeners;
  readonly send: SendResponse;
}

/** The one way to the exchange: it signs, remembers, and spends no more than the budget. */
export interface Proxy {
  readonly venue: Venue;
  readonly reader: Reader;
  readonly rateLimiter: RateLimiter;
  /** The exchange's time; null while it is unknown. */
  readonly venueNow: () => number | null;
  readonly changeToken: Signer['changeToken'];
  /** The exchange's own paths. */
  readonly routes: (readPart: VenueProxyParts['readPart']) => Routes['below'];
}

const MEMORY_BYTES = 32 * 1_024 * 1_024;
const DISK_BYTES = 512 * 1_024 * 1_024;

export async function openProxy(
  { profile, credential, venueId, limits, ...spending }: ProxyConfig,
  { store, listeners, send, ...ports }: ProxyCore,
): Promise<Proxy> {
  const { now, elapsed } = ports;
  const window = await openSlidingWindow({ ...spending, log: createPermitLog(store, { now, elapsed }), elapsed });
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
  const reader = createReader({
    venue,
    memoryCache: createMemoryCache(MEMORY_BYTES),
    diskCache: await openDiskCache(store, DISK_BYTES),
    now,
    elapsed,
    venueId,
    identity: credential?.connectionId ?? '',
  });
  const venueNow = (): number | null => {
    const { clockOffsetMs } = venue.state();
    return clockOffsetMs === null ? null : now() + clockOffsetMs;
  };
  return {
    venue,
    reader,
    rateLimiter,
    venueNow,
    changeToken: (token) => signer?.changeToken(token),
    routes: (readPart) => ({
      prefix: API_PREFIX,
      handle: createVenueProxy({
        profile,
        reader,
        readPart,
        send,
        now,
        venueNow,
      }),
    }),
  };
}
