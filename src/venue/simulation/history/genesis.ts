import type { Order, Session, Trade } from '../../core/model.ts';
import type { Changes, Store } from '../../core/ports.ts';
import type { MarketSetup } from '../market-setup.ts';
import { reachedFact, toFacts } from '../seed-settings.ts';
import { makeFunding, makeSamples } from './funding-history.ts';
import { makeHistory, toTradeRetentionStart, type HistoryTask } from './history.ts';

/** Orders per batch, about. */
const BATCH = 1_500;

/**
 * Generates the history of a new store. It follows from the seed settings, which are written first: if the process is
 * killed meanwhile, the same history is generated again, over what is there.
 */
export async function writeGenesis(store: Store, setup: MarketSetup): Promise<void> {
  const { settings, products, universe, prices, accounts, historyStart } = setup;
  const { genesis } = settings;
  await store.commit({ facts: toFacts(settings) });
  // Trades have no key, so writing them again would duplicate them.
  await store.prune({ trades: genesis + 1, samples: 0 });
  universe.extend(genesis);
  await writeHistory(store, {
    seed: settings.seed,
    genesis,
    from: historyStart,
    until: genesis,
    products,
    accounts,
    prices,
    orders: settings.orders,
    working: settings.working,
    tradeRetentionStart: toTradeRetentionStart(genesis),
    interest: new Map(),
    tradedBefore: () => [],
    fills: [],
  });
  await store.commit({ facts: reachedFact(genesis) });
}

/** Writes sessions, orders, trades and funding between two instants into the store. */
async function writeHistory(store: Store, task: HistoryTask): Promise<void> {
  for (const changes of inBatches(makeHistory(task))) await store.commit(changes, { projected: true });
  for (const product of task.products.values()) {
    if (product.kind !== 'perpetual') continue;
    const funding = makeFunding(product, task);
    const samples = makeSamples(product, task, 0);
    await store.commit({ funding, samples });
  }
}

function* inBatches(days: Iterable<Changes>): Generator<Changes> {
  let batch = createBatch();
  for (const { orders = [], trades = [], sessions = [] } of days) {
    // The last days have the most orders, too many for one batch.
    for (let at = 0; at < orders.length; at += BATCH) {
      batch.orders.push(...orders.slice(at, at + BATCH));
      if (batch.orders.length < BATCH) continue;
      yield batch;
      batch = createBatch();
    }
    for (const trade of trades) batch.trades.push(trade);
    batch.sessions.push(...sessions);
    if (batch.trades.length + batch.sessions.length < BATCH) continue;
    yield batch;
    batch = createBatch();
  }
  yield batch;
}

function createBatch() {
  return { orders: new Array<Order>(), trades: new Array<Trade>(), sessions: new Array<Session>() };
}
