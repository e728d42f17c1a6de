import { sessionAt } from '../market/calendar.ts';
import { createMatching, type Matching } from '../market/matching.ts';
import type { Account, Micros, Product } from '../model.ts';
import { makeAccounts } from './accounts.ts';
import { createPrices, type Prices } from './prices/prices.ts';
import type { SeedSettings } from './seed-settings.ts';
import { createUniverse, type Universe } from './products/universe.ts';

const DAY = 86_400_000_000;

/** What the market is made of: everything that follows from the story, and the books. */
export interface MarketSetup {
  readonly settings: SeedSettings;
  readonly products: ReadonlyMap<number, Product>;
  readonly universe: Universe;
  readonly prices: { readonly coarse: Prices; readonly exact: Prices };
  readonly accounts: readonly [Account, ...Account[]];
  readonly matching: Matching;
  readonly historyStart: Micros;
}

/** `products` is filled here; the store, which has to be open before the story can be read, looks into the same map. */
export function createMarketSetup(products: Map<number, Product>, settings: SeedSettings): MarketSetup {
  // With a session: a product listed within it would lack the rates and the part of its candle from before.
  const historyStart = sessionAt('daily', settings.genesis - settings.historyDays * DAY).open;
  const exact = createPrices({ seed: settings.seed, products });
  const coarse = createPrices({ seed: settings.seed, products, coarse: true });
  return {
    settings,
    products,
    universe: createUniverse(products, { historyStart, genesis: settings.genesis, spot: exact.spot }),
    prices: { exact, coarse },
    accounts: makeAccounts(),
    matching: createMatching(products),
    historyStart,
  };
}

export function isListed({ listedAt, expiresAt }: Product, time: Micros): boolean {
  return listedAt <= time && (expiresAt === null || time < expiresAt);
}
