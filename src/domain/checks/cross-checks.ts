import type { Day } from '#contract/day.ts';

/**
 * A comparison of figures that the exchange publishes in more than one place or unit. Where two agree exactly for every
 * sound product, the tolerance is that of their rounding.
 */
export interface CrossCheck {
  readonly name: string;
  readonly compares: string;
  readonly tolerance: string;
  /** The figures that a failure may withhold. */
  readonly covers: string;
  /** Where it is made, if only some screens read what it needs; null: wherever its figures are. */
  readonly madeOn: string | null;
}

const ON_CHARTS = 'Price and Funding, where a product’s chart is read';

export const CROSS_CHECKS = {
  chartSettlement: {
    name: 'Settlement, product data and chart',
    compares: 'Settlement in ticks × tick size, and the chart’s settlement of the same session',
    tolerance: 'Half of the last digit of the chart’s price: both are the same price',
    covers: 'Prices converted from ticks',
    madeOn: ON_CHARTS,
  },
  openInterestValue: {
    name: 'Settlement and open interest',
    compares: 'Settlement in ticks × tick size × contract size × open interest, and the USD value of open interest of the same session',
    tolerance: 'One cent: the value is published in whole cents',
    covers: 'Prices converted from ticks; if the 24 h volume agrees with these, daily USD values',
    madeOn: null,
  },
  chartOpenInterest: {
    name: 'Chart and open interest',
    compares: 'The chart’s settlement × contract size × open interest, and the USD value of open interest of the same session',
    tolerance: 'One cent: the value is published in whole cents',
    covers: 'Daily USD values; if the 24 h volume disagrees too, figures computed with the contract size',
    madeOn: ON_CHARTS,
  },
  sessionVolume: {
    name: 'Volume of a session',
    compares: 'Daily volume in contracts and in USD, and that of the product data of the same session',
    tolerance: 'None: the same trades in the same units',
    covers: 'Daily USD values',
    madeOn: null,
  },
  candleVolume: {
    name: 'Volume of a candle',
    compares: 'Volume of the chart’s candle, and daily volume of the same session',
    tolerance: 'None: the same trades in contracts',
    covers: 'Daily volume',
    madeOn: ON_CHARTS,
  },
  sessionPrice: {
    name: 'Mean price of a session',
    compares: 'Daily volume in USD ÷ contracts ÷ contract size, and the lowest and highest price of the session',
    tolerance: 'Half a cent a contract, as each trade may be rounded',
    covers: 'Daily USD values',
    madeOn: null,
  },
  mark: {
    name: 'Mark and settlement in USD',
    compares: 'Mark in ticks × tick size at the last funding time, and the newest settlement; only where there is no settlement in ticks',
    tolerance: '25 %: the two are hours apart',
    covers: 'Prices converted from ticks',
    madeOn: null,
  },
  fundingMark: {
    name: 'Mark and settlement in ticks',
    compares: 'Mark at the last funding time, and the newest settlement, both in ticks',
    tolerance: '25 %: the two are hours apart',
    covers: 'Index and mark of funding in USD, and payments computed from them',
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
    compares: '24 h volume in USD ÷ contracts ÷ contract size, and the lowest and highest price of the sessions in the 24 h',
    tolerance: 'One dollar, as the value may be in whole dollars, and 2 %, as prices move between two reads',
    covers: '24 h volume in USD',
    madeOn: null,
  },
  total: {
    name: 'Total and its products',
    compares: 'Volume of the exchange’s total of several products, and the sum of their own volumes, of the same session',
    tolerance: 'None: the same trades in contracts',
    covers: 'The total',
    madeOn: 'Volume / OI, where a total is read',
  },
} as const satisfies Record<string, CrossCheck>;

export type CrossCheckName = keyof typeof CROSS_CHECKS;

export const CROSS_CHECK_NAMES = Object.keys(CROSS_CHECKS) as readonly CrossCheckName[];

/** A check of one product: two figures that should agree, as price per unit in USD. */
export interface Comparison {
  readonly check: CrossCheckName;
  readonly passed: boolean;
  /** The session compared; null for the last 24 hours. */
  readonly session: Day | null;
  /** The second figure relative to the first. */
  readonly ratio: number;
}
