import type { Micros, Product } from '../../core/model.ts';
import {
  expiryOfMonth,
  isQuarterly,
  listingOfMonth,
  makeFuture,
  makeOptionChain,
  makeSpread,
  type Month,
  monthOf,
  SERIES,
  type Series,
  stepInCycle,
} from './dated-products.ts';
import { makePerpetuals } from './perpetuals.ts';

const DAY = 86_400_000_000;
/** How long before their listing contracts are announced. */
const NOTICE = 7 * DAY;
const LONGEST_LIFE_MONTHS = 12;

export interface UniverseSettings {
  /** The start of the generated history, which is the start of a session of the perpetuals. */
  readonly historyStart: Micros;
  /** When the exchange was first started. */
  readonly genesis: Micros;
  /** Returns the price in USD per unit, to set the strikes of options. */
  readonly spot: (unit: string, time: Micros) => number;
}

/** All products: active, expired and announced. */
export interface Universe {
  readonly products: ReadonlyMap<number, Product>;
  /** Adds the products announced by an instant and returns them. */
  readonly extend: (until: Micros) => readonly Product[];
}

/** Creates the universe of perpetuals, futures, calendar spreads and options. */
export function createUniverse(products: Map<number, Product>, settings: UniverseSettings): Universe {
  const add = (found: readonly Product[]): Product[] => {
    const added = found.filter(({ id }) => !products.has(id));
    for (const product of added) products.set(product.id, product);
    return added;
  };
  add(makePerpetuals(settings));
  return {
    products,
    extend: (until) => add(listed(settings, until)),
  };
}

function listed(settings: UniverseSettings, until: Micros): Product[] {
  const first = monthOf(settings.historyStart);
  const last = monthOf(until) + LONGEST_LIFE_MONTHS;
  const months = Array.from({ length: last - first + 1 }, (_, at) => first + at).filter(
    (month) => expiryOfMonth(month) > settings.historyStart && listingOfMonth(month) - NOTICE <= until,
  );
  return months.flatMap((month) => SERIES.flatMap((series) => productsOfMonth(series, month, settings, until)));
}

/** Returns the products whose contract month, or near month, this is. */
function productsOfMonth(series: Series, month: Month, settings: UniverseSettings, until: Micros): Product[] {
  const found = [makeFuture(series, month)];
  const next = stepInCycle(month, 1);
  if (listingOfMonth(next) - NOTICE <= until) found.push(makeSpread(series, month, next));
  // Options are on the next quarterly contract to expire, so they are listed when the one before it expires.
  const optionsListing = expiryOfMonth(stepInCycle(month, -1));
  if (series.base === 'BUS' && isQuarterly(month) && optionsListing - NOTICE <= until) {
    found.push(...makeOptionChain(series, month, settings.spot(series.unit, optionsListing - NOTICE)));
  }
  return found;
}
