import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_MOUNTS } from '#contract/exchange/addresses.ts';
import type { Credential } from './http/authenticate.ts';
import type { Budget } from './http/address-limiter.ts';
import type { CursorSettings } from './http/paging.ts';
import { createVenueApi, type VenueApi } from './venue-api.ts';
import { toOrderText } from './market/working-orders.ts';
import { type Micros, type Product, requireProduct } from './core/model.ts';
import type { Exchange, Store } from './core/ports.ts';
import { openStore } from './store/open-store.ts';
import { createMarketRunner } from './simulation/live/live-market.ts';
import { openSimulation, type Simulation, type SimulationConfig } from './open-simulation.ts';

export interface VenueOptions {
  /** The path of a file, or `:memory:`. */
  readonly store: string;
  readonly seed: number;
  /** How many closed and working orders are generated for an empty store. */
  readonly orders: number;
  readonly working: number;
  readonly historyDays: number;
  readonly credentials: readonly [Credential, ...Credential[]];
  readonly budget: Budget | null;
  readonly live: boolean;
  /** The start of the exchange's clock; null: the time of the wall clock. */
  readonly clock: Micros | null;
  readonly speed: number;
  readonly persistLagMs: number;
  /** How many times the usual number of orders the accounts send. */
  readonly activity: number;
  readonly cursors: CursorSettings;
}

/** The clock, timers and randomness that only entry files provide. */
export interface VenuePorts {
  /** Milliseconds since 1970. */
  readonly wall: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Makes one call after a number of milliseconds. Returns a function that cancels it. */
  readonly setTimer: (call: () => void, milliseconds: number) => () => void;
  /** Yields to other work of the event loop. */
  readonly pause: () => Promise<void>;
  /** Returns random bytes, in hex. */
  readonly randomHex: (bytes: number) => string;
  /** Reports an unexpected failure to the operator. */
  readonly report: (fault: unknown) => void;
}

export interface Venue {
  readonly exchange: Exchange;
  readonly api: VenueApi;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Identifies the records of this exchange, independently of its port. */
  readonly identity: string;
  readonly credential: Credential;
  /** The path that all endpoints are below, for example `/exchange/api`. */
  readonly basePath: string;
  readonly copyStore: Store['copyTo'];
  /** Starts the market, unless it is frozen. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** The base path of the real exchange. */
const BASE_PATH = '/exchange/api';

/** Creates the whole reference exchange: store, market and HTTP interface. */
export async function createVenue(options: VenueOptions, ports: VenuePorts): Promise<Venue> {
  const products = new Map<number, Product>();
  const store = await openStore(options.store, {
    toText: (order) => toOrderText(order, requireProduct(products, order.productId)),
    productOf: (id) => requireProduct(products, id),
  });
  try {
    return compose(await openCaughtUp({ store, products }, options, ports), store, options, ports);
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Records = Pick<SimulationConfig, 'store' | 'products'>;

/**
 * Opens the market and lets it catch up before it is published. Otherwise clients would see it minutes behind its
 * clock.
 */
async function openCaughtUp(
  records: Records,
  options: VenueOptions,
  { wall, pause, randomHex }: VenuePorts,
): Promise<Simulation> {
  const { seed, orders, working, historyDays, clock, speed, live, persistLagMs, activity } = options;
  const genesis = clock ?? Math.floor(wall() * 1000);
  const world = await openSimulation({
    ...records,
    wall,
    start: clock,
    speed,
    persistLag: persistLagMs * 1000,
    activity,
    pause,
    settings: { seed, genesis, historyDays, orders, working, cursorKey: randomHex(32) },
    frozen: !live,
  });
  await world.live?.catchUp();
  return world;
}

function compose(
  world: Simulation,
  store: Store,
  { credentials, budget, cursors, speed }: VenueOptions,
  ports: VenuePorts,
): Venue {
  const runner = world.live === null ? null : createMarketRunner(world.live, ports);
  const api = createVenueApi({
    exchange: world.exchange,
    credentials,
    profile: { name: 'venue', baseUrl: null, env: 'prod', mounts: DEFAULT_MOUNTS },
    cursorKey: world.settings.cursorKey,
    settings: { basePath: BASE_PATH, budget, cursors, speed },
    elapsed: ports.elapsed,
    pause: ports.pause,
    report: ports.report,
  });
  return {
    exchange: world.exchange,
    api,
    handle: api.handle,
    identity: `${String(world.settings.seed)}-${String(world.settings.genesis)}`,
    credential: credentials[0],
    basePath: BASE_PATH,
    copyStore: store.copyTo,
    start: () => runner?.start(),
    close: async () => {
      await runner?.stop();
      await store.close();
    },
  };
}
