import type { Day } from '#contract/exchange/instant.ts';

/**
 * A comparison of figures that the exchange publishes in more than one place or unit. If two figures of a sound product
 * should be exactly equal, only their rounding is tolerated.
 */
export interface CrossCheck {
  readonly name: string;
  readonly compares: string;
  readonly tolerance: string;
  /** The figures that may be withheld when the check fails. */
  readonly covers: string;
  /** The screens that make the check, if only they read the figures; null: every screen that shows the figures. */
  readonly madeOn: string | null;
}

const ON_CHARTS = 'Price, Volume / OI and Funding, where a product’s chart is read';

export const CROSS_CHECKS = {
  chartSettlement: {
    name: 'Settlement, product data and chart',
    compares: 'Settlement in ticks × tick size vs. the chart’s settlement, same session',
    tolerance: 'Half a unit in the last digit of the chart’s price',
    covers: 'Prices converted from ticks; if open interest agrees with these, the chart’s settlement',
    madeOn: ON_CHARTS,
  },
  openInterestValue: {
    name: 'Settlement and open interest',
    compares:
      'Settlement in ticks × tick size × contract size × open interest vs. the USD value of open ' +
      'interest, same session',
    tolerance: 'One cent: the value is published in whole cents',
    covers: 'Prices converted from ticks; if trades agree with these, daily values in USD and 30 d trend',
    madeOn: null,
  },
  chartOpenInterest: {
    name: 'Chart and open interest',
    compares: 'The chart’s settlement × contract size × open interest vs. the USD value of open interest, same session',
    tolerance: 'One cent: the value is published in whole cents',
    covers:
      'Daily values in USD and 30 d trend; if trades disagree too, all values in USD and figures ' +
      'computed with the contract size',
    madeOn: ON_CHARTS,
  },
  settlementOfDay: {
    name: 'Settlement, now and of its session',
    compares: 'Newest settlement in the product data vs. that in the product data of its session, both in ticks',
    tolerance: 'None: the same settlement',
    covers: 'Prices of the product data',
    madeOn: null,
  },
  sessionVolume: {
    name: 'Volume of a session',
    compares: 'Volume in the product data vs. daily volume, each in contracts and in USD, same session',
    tolerance: 'None in contracts, a cent in USD: the same trades in the same units',
    covers: 'Daily values in USD and 30 d trend',
    madeOn: null,
  },
  candleVolume: {
    name: 'Volume of a candle',
    compares: 'Volume of the chart’s candle vs. daily volume, same session',
    tolerance: 'None: the same trades in contracts',
    covers: 'Daily values in USD and 30 d trend; if product data agree with the daily volume, the chart’s settlement',
    madeOn: ON_CHARTS,
  },
  sessionPrice: {
    name: 'Mean price of a session',
    compares:
      'Low to high of the session vs. daily volume in USD ÷ contracts ÷ contract size; of the session in progress, ' +
      'from the product data',
    tolerance: 'Half a cent per contract: each trade may be rounded',
    covers: 'Daily values in USD and 30 d trend; if nothing confirms the tick size, prices converted from ticks',
    madeOn: null,
  },
  runningVolume: {
    name: 'Volume of the session in progress',
    compares: 'Volume in the product data since the last settlement vs. 24 h volume, if that settlement is in the 24 h',
    tolerance: 'It may be less; and up to twice as much and 1,000 contracts if there was a trade within a minute',
    covers: 'Volume of the session in progress; 24 h volume unless prices agree with it',
    madeOn: null,
  },
  mark: {
    name: 'Mark and settlement in USD',
    compares:
      'Mark at the last funding time in ticks × tick size vs. the newest settlement; only where none is ' +
      'published in ticks',
    tolerance: '25 %: the two are hours apart',
    covers: 'Prices converted from ticks',
    madeOn: null,
  },
  fundingMark: {
    name: 'Mark and settlement in ticks',
    compares: 'Newest settlement vs. mark at the last funding time, both in ticks',
    tolerance: '25 %: the two are hours apart',
    covers: 'Index and mark in USD, and the carry',
    madeOn: null,
  },
  latestRate: {
    name: 'Latest rate and history',
    compares: 'The latest settled rate that Markets reads, and that of the funding history, of the same interval',
    tolerance: 'None: the same rate',
    covers: 'Nothing: both rates are named',
    madeOn: 'Funding, where a perpetual’s history is read',
  },
  trailingPrice: {
    name: 'Mean price of 24 h',
    compares: 'Low to high of the sessions in the last 24 h vs. 24 h volume in USD ÷ contracts ÷ contract size',
    tolerance: 'One dollar and 2 %: the value may be in whole dollars, and prices move between reads',
    covers: '24 h volume in USD',
    madeOn: null,
  },
  total: {
    name: 'Total and its products',
    compares: 'Sum of the products’ volumes vs. the volume of the exchange’s total, same session',
    tolerance: 'None: the same trades in contracts',
    covers: 'The total',
    madeOn: 'Volume / OI, where a total is read',
  },
} as const satisfies Record<string, CrossCheck>;

export type CrossCheckName = keyof typeof CROSS_CHECKS;

const CROSS_CHECK_NAMES = Object.keys(CROSS_CHECKS) as readonly CrossCheckName[];

/** A check of one product: two figures that should agree, as price per unit in USD. */
export interface Comparison {
  readonly check: CrossCheckName;
  readonly passed: boolean;
  /** The session compared; null for the last 24 hours, and for the session in progress. */
  readonly session: Day | null;
  /** The second figure divided by the first, in the order of `compares`; a range counts as its middle. */
  readonly ratio: number;
}

/** The comparisons of one product. */
interface ComparedProduct {
  readonly symbol: string;
  readonly comparisons: readonly Comparison[];
}

/** A failed comparison, with its product. */
export interface FailedComparison extends Comparison {
  readonly symbol: string;
}

export interface CheckSummary {
  readonly name: CrossCheckName;
  readonly passed: number;
  readonly failed: readonly FailedComparison[];
  /** Products without both figures. */
  readonly notPossible: number;
}

/** Counts the results of each check over all products. */
export function summariseChecks(products: readonly ComparedProduct[]): readonly CheckSummary[] {
  const all = products.flatMap(({ symbol, comparisons }) =>
    comparisons.map((comparison) => ({ ...comparison, symbol })),
  );
  const byName = Map.groupBy(all, ({ check }) => check);
  return CROSS_CHECK_NAMES.map((name) => {
    const done = byName.get(name) ?? [];
    const failed = done.filter(({ passed }) => !passed);
    return { name, passed: done.length - failed.length, failed, notPossible: products.length - done.length };
  });
}
