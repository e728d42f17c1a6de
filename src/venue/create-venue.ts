import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_MOUNTS } from '#contract/exchange/venues.ts';
import type { Credential } from './http/authenticate.ts';
import type { Budget } from './http/address-limiter.ts';
import type { CursorSettings } from './http/cursors.ts';
import { createVenueApi, type VenueApi } from './venue-api.ts';
import { toOrderText } from './market/order-text.ts';
import { requireProduct } from './market/require-product.ts';
import type { Micros, Product } from './core/model.ts';
import type { Exchange, Store } from './core/ports.ts';
import { openStore } from './store/open-store.ts';
import { createMarketRunner } from './simulation/live/market-runner.ts';
import { openSimulation, type Simulation, type SimulationConfig } from './simulation.ts';

export interface VenueOptions {
  /** `:memory:`, or the path of a file. */
  readonly store: string;
  readonly seed: number;
  /** Closed and working orders generated for an empty store. */
  readonly orders: number;
  readonly working: number;
  readonly historyDays: number;
  readonly credentials: readonly [Credential, ...Credential[]];
  readonly budget: Budget | null;
  readonly live: boolean;
  /** Start of the exchange's clock; null: the wall clock's time. */
  readonly clock: Micros | null;
  readonly speed: number;
  readonly persistLagMs: number;
  readonly cursors: CursorSettings;
}

/** Clock, timers and randomness, which only entry files provide. */
export interface VenuePorts {
  /** Milliseconds since 1970. */
  readonly wall: () => number;
  /** Milliseconds of a monotonic clock. */
  readonly elapsed: () => number;
  /** Calls once after a number of milliseconds; returns a function that cancels the call. */
  readonly setTimer: (call: () => void, milliseconds: number) => () => void;
  /** Yields to other work of the event loop. */
  readonly pause: () => Promise<void>;
  /** Random bytes, in hex. */
  readonly randomHex: (bytes: number) => string;
  /** Reports an unexpected failure to the operator. */
  readonly report: (fault: unknown) => void;
}

export interface Venue {
  readonly exchange: Exchange;
  readonly api: VenueApi;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Identifies its records, independently of the port. */
  readonly identity: string;
  readonly credential: Credential;
  /** The path below which all endpoints are, for example `/exchange/api`. */
  readonly basePath: string;
  readonly copyStore: Store['copyTo'];
  /** Starts the market, unless it is frozen. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** As on the real exchange. */
const BASE_PATH = '/exchange/api';

/** The whole reference exchange: store, market and HTTP interface. */
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

/** The market catches up before it is published, so that nobody sees it minutes behind its clock. */
async function openCaughtUp(
  records: Records,
  options: VenueOptions,
  { wall, pause, randomHex }: VenuePorts,
): Promise<Simulation> {
  const { seed, orders, working, historyDays, clock, speed, live, persistLagMs } = options;
  const genesis = clock ?? Math.floor(wall() * 1000);
  const world = await openSimulation({
    ...records,
    wall,
    start: clock,
    speed,
    persistLag: persistLagMs * 1000,
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
