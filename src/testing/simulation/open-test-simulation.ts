import { setImmediate as nextTurn } from 'node:timers/promises';
import { toOrderText } from '#venue/market/working-orders.ts';
import { type Micros, type Product, requireProduct } from '#venue/core/model.ts';
import type { Exchange, Store } from '#venue/core/ports.ts';
import { openStore } from '#venue/store/open-store.ts';
import { openSimulation } from '#venue/open-simulation.ts';

export interface TestSimulationOptions {
  readonly start: string;
  readonly seed?: number;
  readonly orders?: number;
  readonly working?: number;
  readonly historyDays?: number;
  readonly frozen?: boolean;
  /** The records of an earlier simulation; by default an empty store in memory. */
  readonly records?: Records;
}

/** A store and its products: what remains when a simulation stops. */
export interface Records {
  readonly store: Store;
  readonly products: Map<number, Product>;
}

export interface TestSimulation extends Records {
  readonly exchange: Exchange;
  /** Sets the exchange's clock and advances the market. */
  readonly advanceTo: (instant: string) => Promise<void>;
}

export function micros(instant: string): Micros {
  return Date.parse(instant) * 1000;
}

export async function openRecords(path = ':memory:'): Promise<Records> {
  const products = new Map<number, Product>();
  const store = await openStore(path, {
    toText: (order) => toOrderText(order, requireProduct(products, order.productId)),
    productOf: (id) => requireProduct(products, id),
  });
  return { store, products };
}

/** Opens an exchange whose clock a test advances. */
export async function openTestSimulation({
  start,
  seed = 7,
  frozen = false,
  ...options
}: TestSimulationOptions): Promise<TestSimulation> {
  const { store, products } = options.records ?? (await openRecords());
  let wall = Date.parse(start);
  const { orders = 300, working = 200, historyDays = 5 } = options;
  const { exchange, live } = await openSimulation({
    store,
    products,
    wall: () => wall,
    start: micros(start),
    speed: 1,
    persistLag: 500_000,
    activity: 1,
    pause: () => nextTurn(),
    settings: { seed, genesis: micros(start), historyDays, orders, working, cursorKey: 'a key of the tests' },
    frozen,
  });
  return {
    store,
    products,
    exchange,
    advanceTo: async (instant) => {
      wall = Date.parse(instant);
      await live?.catchUp();
    },
  };
}
