/** What a rule may measure. The schema, the form and the documents follow from this table. */

/** `beyond`: above the value, or below its negative. `crosses`: on the other side of the value than before. */
export const COMPARISONS = ['over', 'under', 'beyond', 'crosses'] as const;
export type Comparison = (typeof COMPARISONS)[number];

/** A rate in `percent` is that of its interval, however long; per 8 h and APR follow from the interval’s length. */
export const RULE_UNITS = [
  'orders',
  'contracts',
  'USD',
  'seconds',
  'percent',
  'percent per 8 h',
  'percent APR',
  'minutes',
] as const;
export type RuleUnit = (typeof RULE_UNITS)[number];

/** A quantity that a rule compares with a value. Without comparisons, it is a condition that holds or does not. */
export interface Measure {
  /** Worded as the subject of a sentence. */
  readonly name: string;
  readonly unit: RuleUnit | null;
  /** Other units that a rule may choose for the value. */
  readonly otherUnits?: readonly RuleUnit[];
  readonly comparisons: readonly Comparison[];
  /** Whether the rule needs a time window. */
  readonly hasWindow?: true;
  /** Whether the journal has enough data to test the rule on the past. */
  readonly inJournal?: true;
}

const counted = { unit: 'orders', comparisons: ['over', 'under'] } as const;
const inWindow = { ...counted, hasWindow: true, inJournal: true } as const;
const share = { unit: 'percent', comparisons: ['over', 'under', 'beyond'] } as const;
const rate = { ...share, otherUnits: ['percent per 8 h', 'percent APR'] } as const;
const state = { unit: null, comparisons: [] } as const;

export const MEASURES = {
  orders: {
    count: { ...counted, name: 'Working orders', inJournal: true },
    quantity: { name: 'Working quantity', unit: 'contracts', comparisons: ['over', 'under'], inJournal: true },
    notional: { name: 'Gross underlying notional', unit: 'USD', comparisons: ['over', 'under'], inJournal: true },
    oldest_age: { name: 'Age of the oldest working order', unit: 'seconds', comparisons: ['over'], inJournal: true },
    distance: {
      name: 'Distance of the farthest or nearest order from the market',
      unit: 'percent',
      comparisons: ['over', 'under'],
      inJournal: true,
    },
    twins: { name: 'Working orders that repeat another', unit: 'orders', comparisons: ['over'], inJournal: true },
  },
  activity: {
    placed: { ...inWindow, name: 'Orders placed' },
    gone: { ...inWindow, name: 'Orders gone' },
    filled: { ...inWindow, name: 'Orders filled, wholly or in part' },
  },
  market: {
    price: { name: 'Price', unit: 'USD', comparisons: ['over', 'under', 'crosses'] },
    price_change: { ...share, name: 'Price since the settlement' },
    volume: { name: 'Volume of the session', unit: 'contracts', comparisons: ['over', 'under'] },
    open_interest: { name: 'Open interest', unit: 'contracts', comparisons: ['over', 'under'] },
  },
  funding: {
    predicted_rate: { ...rate, name: 'Predicted rate' },
    settled_rate: { ...rate, name: 'Settled rate' },
    difference: { ...rate, name: 'Difference of the settled rates' },
    flip: { ...state, name: 'Sign change of the settled rate' },
    premium: { ...share, name: 'Premium of mark over index' },
    time_left: { name: 'Time to the next funding', unit: 'minutes', comparisons: ['under'] },
  },
  desk: {
    data_age: { name: 'Age of the data', unit: 'seconds', comparisons: ['over'] },
    incomplete: { ...state, name: 'Working set not proven complete' },
    drift: { ...state, name: 'Exchange’s interface has changed' },
    budget_left: { name: 'Request budget left', unit: 'percent', comparisons: ['under'] },
    venue_away: { ...state, name: 'Exchange unreachable' },
    journal_gap: { ...state, name: 'Gap in the journal', hasWindow: true },
  },
} as const satisfies Record<string, Record<string, Measure>>;

export type About = keyof typeof MEASURES;
export type MeasureOf<A extends About> = keyof (typeof MEASURES)[A] & string;

export function findMeasure(about: About, measure: string): Measure | undefined {
  const measures: Readonly<Record<string, Measure>> = MEASURES[about];
  return Object.hasOwn(measures, measure) ? measures[measure] : undefined;
}

/** Data whose age a rule may watch: topics that Perpdesk reads itself for this purpose. */
export const AGED_DATA = ['working-orders', 'product-data', 'funding'] as const;

/** The subjects of a rule: all rows together, or each owner, product or order separately. */
export const EACH = ['all', 'account', 'product', 'firm', 'connection', 'order'] as const;
export type Each = (typeof EACH)[number];

export const SEVERITIES = ['info', 'warning', 'critical'] as const;

/** Each predicted rate takes a request of its own. A rule about many perpetuals takes 20 in five minutes at most. */
export function predictedEverySeconds(perpetuals: number): number {
  return Math.max(60, 15 * perpetuals);
}
