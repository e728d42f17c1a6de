import type { AGED_DATA, Comparison } from '#contract/desk/rule-measures.ts';
import { type Decimal, toDecimal } from '../units/decimal.ts';
import type { DeskProduct } from '#contract/desk/desk.ts';
import type { EstimatedFundingRateData, FundingRateData } from '#contract/exchange/market-data.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { ProductChecks } from '../markets/market-prices.ts';
import type { OrderRow } from '../orders/order-row.ts';
import type { Sourced } from '../response.ts';

/** Why something is unknown, in a sentence. */
export interface Missing {
  readonly missing: string;
}

export function isMissing(value: object): value is Missing {
  return 'missing' in value;
}

/** The newest reading of the working set. */
export interface WorkingReading {
  readonly rows: readonly OrderRow[];
  readonly complete: boolean;
  /** Number of orders without a row because they could not be read. */
  readonly unreadable: number;
  /** Why market prices are unknown; null if they are known. */
  readonly pricesMissing: string | null;
  /** When the orders were read, if they could not be read since. */
  readonly readAt?: string | undefined;
}

/** Something that happened to an order, according to the journal. */
export interface OrderEvent {
  /** Higher than the numbers of all events found earlier. */
  readonly number: number;
  /** `returned`: the order was counted as gone, but had not gone. */
  readonly kind: 'placed' | 'gone' | 'filled' | 'returned';
  /** Time of the reading that showed it, in epoch milliseconds. */
  readonly at: number;
  readonly order: Order;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ActivityReading {
  /** Oldest first. */
  readonly events: readonly OrderEvent[];
  /** All events are known from this time on. */
  readonly from: number;
  /** The last reading. */
  readonly to: number;
  /** All events are known up to this time, also those of orders that came and went between two readings. */
  readonly knownTo: number;
  readonly gaps: readonly Span[];
}

export interface MarketReading {
  readonly products: readonly DeskProduct[];
  /** Returns the checks of a product, which say why its figures are withheld. */
  readonly checksOf: (product: DeskProduct) => ProductChecks;
  readonly data: Sourced<readonly ProductData[]>;
}

export interface FundingReading {
  /** Newest first. */
  readonly settled: readonly FundingRateData[] | Missing;
  readonly predicted: EstimatedFundingRateData | Missing;
}

type AgedData = (typeof AGED_DATA)[number];

/** Whether the exchange may still turn out to be unreachable. */
export interface ExchangeContact {
  /** Whether the last read failed although the exchange does not yet count as unreachable. */
  readonly isInDoubt: boolean;
  /** In epoch milliseconds; null before its first response. */
  readonly lastResponseAt: number | null;
}

/** What Perpdesk knows about itself and the exchange. */
export interface DeskReading {
  /** In seconds. */
  readonly ageOf: (data: AgedData) => number | Missing;
  /** Why the working set is not proven complete, in sentences; empty if it is. */
  readonly unproven: readonly string[] | Missing;
  /** The changes of the exchange's interface. */
  readonly drift: readonly string[] | Missing;
  /** Null: there is no limit. */
  readonly budget: { readonly requests: number; readonly used: number } | null;
  /** Why the exchange counts as unreachable; null if it is reachable. */
  readonly away: string | null;
  readonly contact: ExchangeContact;
  readonly gaps: readonly Span[] | Missing;
}

/** The data for evaluating rules. */
export interface RuleData {
  /** In epoch milliseconds. */
  readonly now: number;
  /** By the exchange's clock; null while that is unknown. */
  readonly venueNow: number | null;
  readonly working: WorkingReading | Missing;
  readonly activity: ActivityReading | Missing;
  readonly market: MarketReading | Missing;
  /** Base symbols of the perpetuals that the exchange lists as active. */
  readonly perpetuals: readonly string[] | Missing;
  readonly fundingOf: (baseSymbol: string) => FundingReading;
  readonly desk: DeskReading;
}

/** The rows behind a result, as the exchange sent them. */
export interface Evidence {
  readonly total: number;
  /** Only the worst of them. */
  readonly orders: readonly Order[];
  /** The same orders with what their figures are derived from, if that is known. */
  readonly rows?: readonly OrderRow[];
  readonly products: readonly ProductData[];
}

export const NO_EVIDENCE: Evidence = { total: 0, orders: [], products: [] };

/** A rule's result for one subject. */
export interface SubjectReading {
  /** The subject; empty if the rule is evaluated for everything together. */
  readonly group: string;
  /** What an order is called whose ID is the subject. */
  readonly label?: string;
  /** Whether the condition holds; null if that cannot be known. */
  readonly holds: boolean | null;
  /** Whether an alert that fires must go on, because the measure has not reached the value that clears it. */
  readonly stays?: boolean | null;
  /** Null if there is no value. */
  readonly value: Decimal | null;
  /** The order whose value it is, or the worst of several: `PDOGUKZ50 bid 0.1131`. */
  readonly foremost?: string;
  /** A remark on the value, or why there is none, in a sentence; null if there is nothing to say. */
  readonly because: string | null;
  /** The result as a sentence, if the measure’s name and the value do not say it all. */
  readonly sentence?: string | undefined;
  readonly evidence: Evidence;
}

/** A rule's results for all of its subjects, or why there are none. */
export type Evaluation = readonly SubjectReading[] | Missing;

/** A value compared with that of the rule. */
export interface Compared {
  readonly comparison: Comparison;
  readonly value: number;
}

/** `least`: the value may be larger; `most`: it may be smaller, for example because some rows are missing. */
export type Certainty = 'exact' | 'least' | 'most';

/** Returns whether a value meets a rule's condition; null if missing data could decide otherwise. */
export function judge(
  value: Decimal,
  { comparison, value: limit }: Compared,
  certainty: Certainty = 'exact',
): boolean | null {
  const isOver = value.gt(toDecimal(String(limit)));
  const isUnder = value.lt(toDecimal(String(limit)));
  if (comparison === 'over') return isOver ? unless(certainty === 'most', true) : unless(certainty === 'least', false);
  if (comparison === 'under')
    return isUnder ? unless(certainty === 'least', true) : unless(certainty === 'most', false);
  // A crossing is no matter of one value.
  return comparison === 'beyond' && certainty === 'exact' ? value.abs().gt(toDecimal(String(limit))) : null;
}

function unless(isUncertain: boolean, verdict: boolean): boolean | null {
  return isUncertain ? null : verdict;
}
