import type { Micros, Product } from '../model.ts';
import type { Exchange, SavedState, Store } from '../ports.ts';
import { createExchangeClock } from './clock.ts';
import { createFloor } from './floor.ts';
import { writeGenesis } from './genesis.ts';
import { readReached, readStory, type Story } from './story.ts';
import { createPublishedMarket } from './views.ts';

export interface World {
  readonly exchange: Exchange;
  readonly story: Story;
  /** How far the market has come. */
  readonly reached: () => Micros;
}

export interface WorldConfig {
  readonly store: Store;
  /** The map that the store looks products up in; the world fills it. */
  readonly products: Map<number, Product>;
  /** Milliseconds on the wall. */
  readonly wall: () => number;
  /** Where the exchange's clock starts, if not on the wall clock's time. It never starts before what has happened already. */
  readonly start: Micros | null;
  readonly speed: number;
  /** What an empty store is filled with. */
  readonly story: Story;
  /** The market stands still. */
  readonly frozen: boolean;
}

/** The exchange as the store has it; an empty store is given its past first. */
export async function openWorld({ store, products, wall, start, speed, story: newStory, frozen }: WorldConfig): Promise<World> {
  const { saved, story, reached } = await loadOrBegin(store, products, newStory);
  const clock = createExchangeClock({ wall, start: Math.max(reached, start ?? Math.floor(wall() * 1000)), speed });
  const floor = createFloor(products, story);
  floor.universe.extend(reached);
  floor.matching.restore(saved.working);
  const marketNow = (): Micros => (frozen ? reached : clock.now());
  const published = createPublishedMarket(products, marketNow);
  published.publish({ orders: saved.working, trades: saved.trades, samples: saved.samples });
  published.persist(saved.working);
  return {
    story,
    reached: () => reached,
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
  const saved = await store.load(0);
  if (saved === null) throw new Error('The store forgets what it was given.');
  return { saved, story, reached: story.genesis };
}
