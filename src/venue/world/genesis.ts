import type { Store } from '../ports.ts';
import type { Floor } from './floor.ts';
import { keepTradesFrom } from './history.ts';
import { writePast } from './past.ts';
import { reachedFact, toFacts } from './story.ts';

/**
 * Makes up the exchange's past and writes it down. It follows from the story, which is written first: killed halfway,
 * it is made up again, the same, over what is there.
 */
export async function writeGenesis(store: Store, floor: Floor): Promise<void> {
  const { story, products, universe, prices, accounts, historyStart } = floor;
  const { genesis } = story;
  await store.commit({ facts: toFacts(story) });
  // Trades have no name of their own, so a second writing would double them.
  await store.prune({ trades: genesis + 1, samples: 0 });
  universe.extend(genesis);
  await writePast(store, {
    seed: story.seed,
    genesis,
    from: historyStart,
    until: genesis,
    products,
    accounts,
    prices,
    orders: story.orders,
    working: story.working,
    keepTradesFrom: keepTradesFrom(genesis),
    interest: new Map(),
    tradedBefore: () => [],
    fills: [],
  });
  await store.commit({ facts: reachedFact(genesis) });
}
