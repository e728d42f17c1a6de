import type { Micros, Product } from '../model.ts';
import type { Exchange, SavedState, Store } from '../ports.ts';
import { createExchangeClock, type ExchangeClock } from './clock.ts';
import { createFloor, type Floor } from './floor.ts';
import { LONGEST_SIMULATED_GAP, makeGap } from './gap.ts';
import { writeGenesis } from './genesis.ts';
import { keepTradesFrom } from './history.ts';
import { createLiveMarket, type LiveMarket } from './live-market.ts';
import { readStanding } from './standing.ts';
import { reachedFact, readReached, readStory, type Story } from './story.ts';
import { createPublishedMarket } from './views.ts';

export interface World {
  readonly exchange: Exchange;
  readonly story: Story;
  /** Null where the market stands still. */
  readonly live: LiveMarket | null;
}

export interface WorldConfig {
  readonly store: Store;
  /** The map that the store looks products up in; the world fills it. */
  readonly products: Map<number, Product>;
  /** Milliseconds on the wall. */
  readonly wall: () => number;
  /** Where the exchange's clock starts, if not on the wall clock's time; never before what has happened already. */
  readonly start: Micros | null;
  readonly speed: number;
  readonly persistLag: Micros;
  /** Lets other work of the event loop go first. */
  readonly pause: () => Promise<void>;
  /** What an empty store is filled with. */
  readonly story: Story;
  /** The market stands still. */
  readonly frozen: boolean;
}

/** The exchange as the store has it; an empty store is given its past first, and what it missed since is made up. */
export async function openWorld(config: WorldConfig): Promise<World> {
  const { store, products, wall, start, speed, frozen } = config;
  let beginning = await loadOrBegin(store, products, config.story);
  const clock = createExchangeClock({
    wall,
    start: Math.max(beginning.reached, start ?? Math.floor(wall() * 1000)),
    speed,
  });
  if (!frozen && clock.now() - beginning.reached > LONGEST_SIMULATED_GAP) {
    beginning = await closeGap(store, products, beginning, clock.now());
  }
  return assemble(config, clock, beginning);
}

interface Beginning {
  readonly saved: SavedState;
  readonly story: Story;
  readonly reached: Micros;
}

async function loadOrBegin(store: Store, products: Map<number, Product>, newStory: Story): Promise<Beginning> {
  const before = await store.load(0);
  const story = before === null ? newStory : readStory(before);
  const known = before === null ? null : readReached(before);
  if (before !== null && known !== null) return { saved: before, story, reached: known };
  await writeGenesis(store, createFloor(products, story));
  return { saved: await loadAgain(store, story.genesis), story, reached: story.genesis };
}

async function closeGap(
  store: Store,
  products: Map<number, Product>,
  { saved, story, reached }: Beginning,
  now: Micros,
) {
  const floor = restoreFloor(products, story, saved, now);
  const standing = await readStanding(store, saved, floor, reached);
  // In one piece: killed halfway, it would be made up a second time.
  await store.commit({ ...makeGap(floor, standing, now), facts: reachedFact(now) }, { projected: true });
  return { saved: await loadAgain(store, now), story, reached: now };
}

async function assemble(
  config: WorldConfig,
  clock: ExchangeClock,
  { saved, story, reached }: Beginning,
): Promise<World> {
  const { store, products, frozen, persistLag, pause } = config;
  const floor = restoreFloor(products, story, saved, reached);
  const published = createPublishedMarket(products);
  published.publish({ orders: saved.working, trades: saved.trades, samples: saved.samples }, reached);
  published.persist(saved.working);
  const standing = await readStanding(store, saved, floor, reached);
  return {
    story,
    live: frozen ? null : createLiveMarket({ store, floor, standing, published, persistLag, pause, now: clock.now }),
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

function restoreFloor(products: Map<number, Product>, story: Story, saved: SavedState, until: Micros): Floor {
  const floor = createFloor(products, story);
  floor.universe.extend(until);
  floor.matching.restore(saved.working);
  return floor;
}

async function loadAgain(store: Store, reached: Micros): Promise<SavedState> {
  const saved = await store.load(keepTradesFrom(reached));
  if (saved === null) throw new Error('The store forgot what it was given.');
  return saved;
}
