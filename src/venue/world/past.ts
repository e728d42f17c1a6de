import type { Order, Session, Trade } from '../model.ts';
import type { Changes, Store } from '../ports.ts';
import { makeHistory, type HistoryTask } from './history.ts';
import { makeFunding, makeSamples } from './past-funding.ts';

/** Orders are handed to the store in batches of about so many. */
const BATCH = 1_500;

/** Writes what happened between two instants into the store: sessions, orders, trades, funding. */
export async function writePast(store: Store, task: HistoryTask): Promise<void> {
  for (const changes of inBatches(makeHistory(task))) await store.commit(changes, { projected: true });
  for (const product of task.products.values()) {
    if (product.kind !== 'perpetual') continue;
    const funding = makeFunding(product, task);
    const samples = makeSamples(product, task, 0);
    await store.commit({ funding, samples });
  }
}

function* inBatches(days: Iterable<Changes>): Generator<Changes> {
  let batch = emptyBatch();
  for (const { orders = [], trades = [], sessions = [] } of days) {
    // The last days hold the most orders: all of one would be too much at once.
    for (let at = 0; at < orders.length; at += BATCH) {
      batch.orders.push(...orders.slice(at, at + BATCH));
      if (batch.orders.length < BATCH) continue;
      yield batch;
      batch = emptyBatch();
    }
    for (const trade of trades) batch.trades.push(trade);
    batch.sessions.push(...sessions);
    if (batch.trades.length + batch.sessions.length < BATCH) continue;
    yield batch;
    batch = emptyBatch();
  }
  yield batch;
}

function emptyBatch() {
  return { orders: new Array<Order>(), trades: new Array<Trade>(), sessions: new Array<Session>() };
}
