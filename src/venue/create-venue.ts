import type { IncomingMessage, ServerResponse } from 'node:http';
import { USUAL_MOUNTS } from '#contract/venues.ts';
import type { Credential } from './door/authenticate.ts';
import type { Budget } from './door/budget.ts';
import type { CursorSettings } from './door/cursors.ts';
import { createDoor, type Door } from './door/door.ts';
import { toOrderText } from './market/order-text.ts';
import { productOf } from './market/product-of.ts';
import type { Micros, Product } from './model.ts';
import type { Exchange, Store } from './ports.ts';
import { openStore } from './store/open-store.ts';
import { createDriver } from './world/driver.ts';
import { openWorld, type World, type WorldConfig } from './world/world.ts';

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
  readonly door: Door;
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

/** The reference exchange, whole: its store, its market and its door, ready to be listened to. */
export async function createVenue(options: VenueOptions, ports: VenuePorts): Promise<Venue> {
  const products = new Map<number, Product>();
  const store = await openStore(options.store, {
    toText: (order) => toOrderText(order, productOf(products, order.productId)),
    productOf: (id) => productOf(products, id),
  });
  try {
    return compose(await openUpToNow({ store, products }, options, ports), store, options, ports);
  } catch (error) {
    await store.close();
    throw error;
  }
}

type Records = Pick<WorldConfig, 'store' | 'products'>;

/** Nobody is to be told of a market that is minutes behind its clock. */
async function openUpToNow(
  records: Records,
  options: VenueOptions,
  { wall, pause, randomHex }: VenuePorts,
): Promise<World> {
  const { seed, orders, working, historyDays, clock, speed, live, persistLagMs } = options;
  const genesis = clock ?? Math.floor(wall() * 1000);
  const world = await openWorld({
    ...records,
    wall,
    start: clock,
    speed,
    persistLag: persistLagMs * 1000,
    pause,
    story: { seed, genesis, historyDays, orders, working, cursorKey: randomHex(32) },
    frozen: !live,
  });
  await world.live?.catchUp();
  return world;
}

function compose(
  world: World,
  store: Store,
  { credentials, budget, cursors, speed }: VenueOptions,
  ports: VenuePorts,
): Venue {
  const driver = world.live === null ? null : createDriver(world.live, ports);
  const door = createDoor({
    exchange: world.exchange,
    credentials,
    profile: { name: 'venue', baseUrl: null, env: 'prod', mounts: USUAL_MOUNTS },
    cursorKey: world.story.cursorKey,
    settings: { basePath: BASE_PATH, budget, cursors, speed },
    elapsed: ports.elapsed,
    pause: ports.pause,
    report: ports.report,
  });
  return {
    exchange: world.exchange,
    door,
    handle: door.handle,
    identity: `${String(world.story.seed)}-${String(world.story.genesis)}`,
    credential: credentials[0],
    basePath: BASE_PATH,
    start: () => driver?.start(),
    close: async () => {
      await driver?.stop();
      await store.close();
    },
  };
}
