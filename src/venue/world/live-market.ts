import type { Micros } from '../model.ts';
import type { Changes, Store } from '../ports.ts';
import type { Floor } from './floor.ts';
import { keepTradesFrom } from './history.ts';
import { toNanos } from './order-ids.ts';
import { createSimulation, type Standing } from './simulation.ts';
import { reachedFact } from './story.ts';
import type { PublishedMarket } from './views.ts';

const DAY = 86_400_000_000;
const KEEP_SAMPLES = 3 * DAY;

/** The market in motion: what happens is on disk before anybody sees it. */
export interface LiveMarket {
  /** Lets the market go on until now. Calls follow one another, however they come. */
  readonly catchUp: () => Promise<void>;
  /** Lets it go no further than the step that is being written. */
  readonly halt: () => void;
}

export interface LiveMarketConfig {
  readonly store: Store;
  readonly floor: Floor;
  readonly standing: Standing;
  readonly published: PublishedMarket;
  readonly persistLag: Micros;
  readonly pause: () => Promise<void>;
  readonly now: () => Micros;
}

export function createLiveMarket(config: LiveMarketConfig): LiveMarket {
  const { store, floor, standing, published, persistLag, pause, now } = config;
  const simulation = createSimulation(floor, standing);
  // The first step prunes: an exchange that never lives for a whole day would forget nothing.
  let pruned = -Infinity;
  let turn = Promise.resolve();
  let isHalted = false;

  const prune = async (reached: Micros): Promise<void> => {
    if (reached - pruned < DAY) return;
    pruned = reached;
    await store.prune({ trades: keepTradesFrom(reached), samples: reached - KEEP_SAMPLES });
  };
  const step = async (until: Micros): Promise<Micros> => {
    const { changes, reached } = simulation.step(until);
    if (isSomething(changes)) await store.commit({ ...changes, facts: reachedFact(reached) });
    published.publish(changes, reached);
    published.persist(await store.project(toNanos(reached - persistLag)));
    await prune(reached);
    return reached;
  };
  const advance = async (until: Micros): Promise<void> => {
    while (!isHalted && (await step(until)) < until) await pause();
  };
  const advanceTo = (until: Micros): Promise<void> => {
    // A step that failed leaves the books ahead of the disk: the market must not go on from there.
    turn = turn.then(() => advance(until));
    return turn;
  };
  return {
    catchUp: () => advanceTo(now()),
    halt: () => {
      isHalted = true;
    },
  };
}

function isSomething({ orders = [], trades = [], sessions = [], funding = [], samples = [] }: Changes): boolean {
  return orders.length + trades.length + sessions.length + funding.length + samples.length > 0;
}
