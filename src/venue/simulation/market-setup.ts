import { sessionAt } from '../market/calendar.ts';
import { createMatching, type Matching } from '../market/matching.ts';
import type { Account, Micros, Product } from '../core/model.ts';
import { makeAccounts } from './accounts.ts';
import { createPrices, type Prices } from './prices/prices.ts';
import type { SeedSettings } from './seed-settings.ts';
import { createUniverse, type Universe } from './products/universe.ts';

const DAY = 86_400_000_000;

/** The parts of the market: everything that follows from the seed settings, and the books. */
export interface MarketSetup {
  readonly settings: SeedSettings;
  readonly products: ReadonlyMap<number, Product>;
  readonly universe: Universe;
  readonly prices: { readonly coarse: Prices; readonly exact: Prices };
  readonly accounts: readonly [Account, ...Account[]];
  readonly matching: Matching;
  readonly historyStart: Micros;
}

/** Fills `products`. The store shares the map, as it is open before the settings can be read from it. */
export function createMarketSetup(products: Map<number, Product>, settings: SeedSettings): MarketSetup {
  // At the start of a session: a product listed within one would lack earlier rates and a part of its candle.
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
