import type { Micros, Product } from '../../model.ts';
import { expiryOfMonth, isQuarterly, listingOfMonth, monthOf, stepInCycle, type Month } from './contract-months.ts';
import { makeFuture, makeSpread, SERIES, type Series } from './dated-products.ts';
import { makeOptionChain } from './options.ts';
import { makePerpetuals } from './perpetuals.ts';

const DAY = 86_400_000_000;
/** A contract is announced so long before it is listed. */
const NOTICE = 7 * DAY;
const LONGEST_LIFE_MONTHS = 12;

export interface UniverseSettings {
  /** When the exchange's recorded story begins, with a session of its perpetuals. */
  readonly historyStart: Micros;
  /** When it was first started. */
  readonly genesis: Micros;
  /** USD per unit: option strikes are set around it. */
  readonly spot: (unit: string, time: Micros) => number;
}

/** What can be traded, could be, or soon will be. */
export interface Universe {
  readonly products: ReadonlyMap<number, Product>;
  /** Adds what has been announced by then; gives what was added. */
  readonly extend: (until: Micros) => readonly Product[];
}

/** The perpetuals, and whatever the calendar lists: futures, calendar spreads and options. */
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
  return months.flatMap((month) => SERIES.flatMap((series) => ofMonth(series, month, settings, until)));
}

/** What has a contract month for its (near) month. */
function ofMonth(series: Series, month: Month, settings: UniverseSettings, until: Micros): Product[] {
  const found = [makeFuture(series, month)];
  const next = stepInCycle(month, 1);
  if (listingOfMonth(next) - NOTICE <= until) found.push(makeSpread(series, month, next));
  // The strip is written on the quarterly contract next to expire, so it is listed when the one before it is gone.
  const stripListing = expiryOfMonth(stepInCycle(month, -1));
  if (series.base === 'BUS' && isQuarterly(month) && stripListing - NOTICE <= until) {
    found.push(...makeOptionChain(series, month, settings.spot(series.unit, stripListing - NOTICE)));
  }
  return found;
}
