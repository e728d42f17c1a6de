import type { Micros, Product } from './core/model.ts';
import type { Exchange, SavedState, Store } from './core/ports.ts';
import { createExchangeClock, type ExchangeClock } from './simulation/exchange-clock.ts';
import { createMarketSetup, type MarketSetup } from './simulation/market-setup.ts';
import { LONGEST_SIMULATED_DOWNTIME, makeBackfill } from './simulation/history/backfill.ts';
import { writeGenesis } from './simulation/history/genesis.ts';
import { toTradeRetentionStart } from './simulation/history/history.ts';
import { createLiveMarket, type LiveMarket } from './simulation/live/live-market.ts';
import { readResumeState } from './simulation/resume-state.ts';
import { reachedFact, readReached, readSeedSettings, type SeedSettings } from './simulation/seed-settings.ts';
import { createPublishedMarket } from './simulation/live/published-market.ts';

export interface Simulation {
  readonly exchange: Exchange;
  readonly settings: SeedSettings;
  /** Null where the market is frozen. */
  readonly live: LiveMarket | null;
}

export interface SimulationConfig {
  readonly store: Store;
  /** The products, shared with the store; filled here. */
  readonly products: Map<number, Product>;
  /** Milliseconds of the wall clock. */
  readonly wall: () => number;
  /** Start of the exchange's clock, null for the wall clock's time; never before the time that the store has reached. */
  readonly start: Micros | null;
  readonly speed: number;
  readonly persistLag: Micros;
  /** Yields to other work of the event loop. */
  readonly pause: () => Promise<void>;
  /** Used for an empty store; others have settings of their own. */
  readonly settings: SeedSettings;
  /** The market does not trade. */
  readonly frozen: boolean;
}

/** Opens the exchange on its store. History is generated for an empty store, and for a long downtime. */
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
  // In one transaction: if it were interrupted, a part of it would be generated twice.
  await store.commit({ ...makeBackfill(setup, resumeState, now), facts: reachedFact(now) }, { projected: true });
  return { saved: await reload(store, now), settings, reached: now };
}

async function assemble(
  config: SimulationConfig,
  clock: ExchangeClock,
  { saved, settings, reached }: StoredMarket,
): Promise<Simulation> {
  const { store, products, frozen, persistLag, pause } = config;
  const setup = restoreSetup(products, settings, saved, reached);
  const published = createPublishedMarket(products);
  published.publish({ orders: saved.working, trades: saved.trades, samples: saved.samples }, reached);
  published.persist(saved.working);
  const resumeState = await readResumeState(store, saved, setup, reached);
  return {
    settings,
    live: frozen ? null : createLiveMarket({ store, setup, resumeState, published, persistLag, pause, now: clock.now }),
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
