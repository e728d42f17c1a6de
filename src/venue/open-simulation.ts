import type { Micros, Product } from './core/model.ts';
import type { Exchange, SavedState, Store } from './core/ports.ts';
import {
  createMarketSetup,
  type MarketSetup,
  reachedFact,
  readReached,
  readSeedSettings,
  type SeedSettings,
} from './simulation/market-setup.ts';
import { LONGEST_SIMULATED_DOWNTIME, makeBackfill } from './simulation/history/backfill.ts';
import { toTradeRetentionStart, writeGenesis } from './simulation/history/history.ts';
import { createLiveMarket, type LiveMarket } from './simulation/live/live-market.ts';
import { readResumeState } from './simulation/resume-state.ts';
import { createPublishedMarket } from './simulation/live/published-market.ts';

/** The exchange's clock. It may start at any instant and run faster than the wall clock. */
interface ExchangeClock {
  readonly now: () => Micros;
}

interface ClockSettings {
  /** Milliseconds of the wall clock. */
  readonly wall: () => number;
  readonly start: Micros;
  readonly speed: number;
}

/** @internal Exported for its test. */
export function createExchangeClock({ wall, start, speed }: ClockSettings): ExchangeClock {
  const begin = wall();
  let last = start;
  return {
    // The exchange's clock never goes back, even if the wall clock is set back.
    now: () => (last = Math.max(last, start + Math.floor((wall() - begin) * 1000 * speed))),
  };
}

export interface Simulation {
  readonly exchange: Exchange;
  readonly settings: SeedSettings;
  /** Null if the market is frozen. */
  readonly live: LiveMarket | null;
}

export interface SimulationConfig {
  readonly store: Store;
  /** The products. The map is shared with the store and filled here. */
  readonly products: Map<number, Product>;
  /** Milliseconds of the wall clock. */
  readonly wall: () => number;
  /**
   * The start of the exchange's clock, or null for the time of the wall clock. The clock never starts before the time
   * that the store has reached.
   */
  readonly start: Micros | null;
  readonly speed: number;
  readonly persistLag: Micros;
  /** How many times the usual number of orders the accounts send. */
  readonly activity: number;
  /** Yields to other work of the event loop. */
  readonly pause: () => Promise<void>;
  /** The settings for an empty store. Other stores have their own. */
  readonly settings: SeedSettings;
  /** Whether the market does not trade. */
  readonly frozen: boolean;
}

/** Opens the exchange on its store. History is generated for an empty store and for a long downtime. */
export async function openSimulation(config: SimulationConfig): Promise<Simulation> {
  const { store, products, wall, start, speed, frozen } = config;
  let beginning = await loadOrCreate(store, products, config.settings);
  const clock = createExchangeClock({
    wall,
    start: Math.max(beginning.reached, start ?? Math.floor(wall() * 1000)),
    speed,
  });
  if (!frozen && clock.now() - beginning.reached > LONGEST_SIMULATED_DOWNTIME) {
    beginning = await backfill(store, products, beginning, clock.now());
  }
  return assemble(config, clock, beginning);
}

interface StoredMarket {
  readonly saved: SavedState;
  readonly settings: SeedSettings;
  readonly reached: Micros;
}

async function loadOrCreate(
  store: Store,
  products: Map<number, Product>,
  newStory: SeedSettings,
): Promise<StoredMarket> {
  const before = await store.load(0);
  const settings = before === null ? newStory : readSeedSettings(before);
  const known = before === null ? null : readReached(before);
  if (before !== null && known !== null) return { saved: before, settings, reached: known };
  await writeGenesis(store, createMarketSetup(products, settings));
  return { saved: await reload(store, settings.genesis), settings, reached: settings.genesis };
}

async function backfill(
  store: Store,
  products: Map<number, Product>,
  { saved, settings, reached }: StoredMarket,
  now: Micros,
) {
  const setup = restoreSetup(products, settings, saved, now);
  const resumeState = await readResumeState(store, saved, setup, reached);
  // This is one transaction: if it were interrupted, part of the history would be generated twice.
  await store.commit({ ...makeBackfill(setup, resumeState, now), facts: reachedFact(now) }, { projected: true });
  return { saved: await reload(store, now), settings, reached: now };
}

async function assemble(
  config: SimulationConfig,
  clock: ExchangeClock,
  { saved, settings, reached }: StoredMarket,
): Promise<Simulation> {
  const { store, products, frozen, persistLag, activity, pause } = config;
  const setup = restoreSetup(products, settings, saved, reached);
  const published = createPublishedMarket(products);
  published.publish({ orders: saved.working, trades: saved.trades, samples: saved.samples }, reached);
  published.persist(saved.working);
  const resumeState = await readResumeState(store, saved, setup, reached);
  return {
    settings,
    live: frozen
      ? null
      : createLiveMarket({ store, setup, resumeState, published, persistLag, activity, pause, now: clock.now }),
    exchange: {
      now: clock.now,
      products: () => products,
      sessions: store.sessions,
      funding: store.funding,
      latestFunding: store.latestFunding,
      ordersPage: store.ordersPage,
      estimate: published.estimate,
      workingOrders: published.workingOrders,
      trailing: published.trailing,
      today: published.today,
    },
  };
}

function restoreSetup(
  products: Map<number, Product>,
  settings: SeedSettings,
  saved: SavedState,
  until: Micros,
): MarketSetup {
  const setup = createMarketSetup(products, settings);
  setup.universe.extend(until);
  setup.matching.restore(saved.working);
  return setup;
}

async function reload(store: Store, reached: Micros): Promise<SavedState> {
  const saved = await store.load(toTradeRetentionStart(reached));
  if (saved === null) throw new Error('The store is empty after its history was written.');
  return saved;
}
