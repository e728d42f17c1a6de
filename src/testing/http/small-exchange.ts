import { createWorkingSet, toOrderText } from '#venue/market/working-orders.ts';
import type { Micros, Order, Product } from '#venue/core/model.ts';
import type { Exchange, Store, Today } from '#venue/core/ports.ts';
import { openStore } from '#venue/store/open-store.ts';
import { products as listed } from './small-universe.ts';

/** An exchange on a real store, whose clock and market change only when a test changes them. */
export interface SmallExchange {
  readonly exchange: Exchange;
  readonly store: Store;
  readonly setNow: (now: Micros) => void;
  /** Accepts orders and makes them visible everywhere at once. */
  readonly accept: (orders: readonly Order[]) => Promise<void>;
  readonly estimates: Map<number, ReturnType<Exchange['estimate']>>;
  readonly trailing: Map<number, NonNullable<ReturnType<Exchange['trailing']>>>;
  readonly today: Map<number, Today>;
  readonly close: () => Promise<void>;
}

const NOTHING_TODAY: Today = { lastTrade: null, ohlc: null, volume: null, cents: null };

export async function createSmallExchange(start: Micros): Promise<SmallExchange> {
  const products = new Map(listed.map((product) => [product.id, product]));
  const productOf = (id: number): Product => products.get(id) ?? fail(`no product ${String(id)}`);
  const store = await openStore(':memory:', {
    toText: (order) => toOrderText(order, productOf(order.productId)),
    productOf,
  });
  await store.load(0);
  const book = createWorkingSet(products);
  const estimates: SmallExchange['estimates'] = new Map();
  const trailing: SmallExchange['trailing'] = new Map();
  const today: SmallExchange['today'] = new Map();
  let now = start;
  return {
    exchange: {
      now: () => now,
      products: () => products,
      sessions: store.sessions,
      funding: store.funding,
      latestFunding: store.latestFunding,
      estimate: (id) => estimates.get(id) ?? null,
      ordersPage: store.ordersPage,
      workingOrders: book.texts,
      trailing: (id) => trailing.get(id) ?? null,
      today: (id) => today.get(id) ?? NOTHING_TODAY,
    },
    store,
    setNow: (to) => {
      now = to;
    },
    accept: async (orders) => {
      await store.commit({ orders }, { projected: true });
      book.follow(orders);
      book.persist(orders);
    },
    estimates,
    trailing,
    today,
    close: store.close,
  };
}

function fail(sentence: string): never {
  throw new Error(sentence);
}
