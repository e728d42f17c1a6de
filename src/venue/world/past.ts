import type { Changes, Store } from '../ports.ts';
import { makeHistory, type HistoryTask } from './history.ts';
import { makeFunding, makeSamples } from './past-funding.ts';

/** Orders are handed to the store in batches of about so many. */
const BATCH = 10_000;

export interface PastTask extends HistoryTask {
  /** The number of a perpetual's last sample in the interval in progress. */
  readonly samplesBefore: (productId: number) => number;
}

/** Writes what happened between two instants into the store: sessions, orders, trades, funding. */
export async function writePast(store: Store, task: PastTask): Promise<void> {
  for (const changes of inBatches(makeHistory(task))) await store.commit(changes, { projected: true });
  for (const product of task.products.values()) {
    if (product.kind !== 'perpetual') continue;
    const funding = makeFunding(product, task);
    const samples = makeSamples(product, task, task.samplesBefore(product.id));
    await store.commit({ funding, samples });
  }
}

function* inBatches(days: Iterable<Changes>): Generator<Changes> {
  let batch = emptyBatch();
  for (const day of days) {
    batch.orders.push(...(day.orders ?? []));
    batch.trades.push(...(day.trades ?? []));
    batch.sessions.push(...(day.sessions ?? []));
    if (batch.orders.length + batch.trades.length + batch.sessions.length < BATCH) continue;
    yield batch;
    batch = emptyBatch();
  }
  yield batch;
}

function emptyBatch() {
  return {
    orders: new Array<NonNullable<Changes['orders']>[number]>(),
    trades: new Array<NonNullable<Changes['trades']>[number]>(),
    sessions: new Array<NonNullable<Changes['sessions']>[number]>(),
  };
}
