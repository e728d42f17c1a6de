import type { IncomingMessage, ServerResponse } from 'node:http';
import { DEFAULT_MOUNTS } from '#contract/venues.ts';
import type { Credential } from './http/authenticate.ts';
import type { Budget } from './http/address-limiter.ts';
import type { CursorSettings } from './http/cursors.ts';
import { createVenueApi, type VenueApi } from './http/venue-api.ts';
import { toOrderText } from './market/order-text.ts';
import { requireProduct } from './market/require-product.ts';
import type { Micros, Product } from './model.ts';
import type { Exchange, Store } from './ports.ts';
import { openStore } from './store/open-store.ts';
import { createMarketRunner } from './simulation/live/market-runner.ts';
import { openSimulation, type Simulation, type SimulationConfig } from './simulation/simulation.ts';

export interface VenueOptions {
  /** `:memory:`, the path of a file, or the address of a PostgreSQL database. */
  readonly store: string;
  readonly seed: number;
  /** Closed and resting orders that an empty store is given. */
  readonly orders: number;
  readonly working: number;
  readonly historyDays: number;
  readonly credentials: readonly [Credential, ...Credential[]];
  readonly budget: Budget | null;
  readonly live: boolean;
  /** Where the exchange's clock starts; null: at the wall clock's time. */
  readonly clock: Micros | null;
  readonly speed: number;
  readonly persistLagMs: number;
  readonly cursors: CursorSettings;
}

/** The world outside, which only entry files have. */
export interface VenuePorts {
  /** Milliseconds since 1970. */
  readonly wall: () => number;
  /** Milliseconds that go on evenly, however the wall clock is set. */
  readonly elapsed: () => number;
  /** Calls once, after so many milliseconds; gives what calls it off. */
  readonly setTimer: (call: () => void, milliseconds: number) => () => void;
  /** Lets other work of the event loop go first. */
  readonly pause: () => Promise<void>;
  /** So many random bytes, in hex. */
  readonly randomHex: (bytes: number) => string;
  /** Told of what must not happen. */
  readonly report: (fault: unknown) => void;
}

export interface Venue {
  readonly exchange: Exchange;
  readonly api: VenueApi;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => void;
  /** Tells its records from those of any other such exchange, on whatever port it stands. */
  readonly identity: string;
  /** A key that opens the private endpoints. */
  readonly credential: Credential;
  /** Where it stands on its server, for example `/exchange/api`. */
  readonly basePath: string;
  /** Sets the market going, unless it is to stand still. */
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** Where everything stands on the real exchange, too. */
const BASE_PATH = '/exchange/api';

/** The reference exchange, whole: its store, its market and its api, ready to be listened to. */
export async function createVenue(options: VenueOptions, ports: VenuePorts): Promise<Venue> {
  const products = new Map<number, Product>();
  const store = await openStore(options.store, {
    toText: (order) => toOrderText(order, requireProduct(products, order.productId)),
    productOf: (id) => requireProduct(products, id),
  });
  try {
    return compose(await openUpToNow({ store, products }, options, ports), store, options, ports);
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Records = Pick<SimulationConfig, 'store' | 'products'>;

/** Nobody is to be told of a market that is minutes behind its clock. */
async function openUpToNow(
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
    start: () => runner?.start(),
    close: async () => {
      await runner?.stop();
      await store.close();
    },
  };
}
