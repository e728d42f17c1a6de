import type { DeskProduct } from '#contract/desk/desk.ts';
import type { EstimatedFundingRateData, FundingRateData } from '#contract/exchange/funding.ts';
import type { Order } from '#contract/exchange/order.ts';
import type { ProductData } from '#contract/exchange/product.ts';
import type { AGED_DATA } from '#contract/desk/rule-measures.ts';
import type { OrderRow } from '../orders/order-row.ts';
import type { Sourced } from '../source.ts';
import type { Decimal } from '../units/decimal.ts';

/** Why something is not known, a sentence. */
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
  /** Orders that are in no row because they could not be read. */
  readonly unreadable: number;
  /** Why prices of the market are not known; null where they are. */
  readonly pricesMissing: string | null;
}

/** What happened to an order, as the journal has it. */
export interface OrderEvent {
  /** Higher than that of all events found before it. */
  readonly number: number;
  /** `returned`: the order had not gone, though it was found to be. */
  readonly kind: 'placed' | 'gone' | 'filled' | 'returned';
  /** The reading that showed it, in epoch milliseconds. */
  readonly at: number;
  readonly order: Order;
}

interface Span {
  readonly from: number;
  readonly to: number;
}

export interface ActivityReading {
  /** The oldest first. */
  readonly events: readonly OrderEvent[];
  /** Since when all events are known. */
  readonly from: number;
  /** Up to when. */
  readonly to: number;
  readonly gaps: readonly Span[];
}

export interface MarketReading {
  readonly products: readonly DeskProduct[];
  readonly data: Sourced<readonly ProductData[]>;
}

export interface FundingReading {
  /** The newest first. */
  readonly settled: readonly FundingRateData[] | Missing;
  readonly predicted: EstimatedFundingRateData | Missing;
}

type AgedData = (typeof AGED_DATA)[number];

/** Whether it may yet turn out that the exchange is away. */
export interface ExchangeContact {
  /** Its last read failed, and it is not away, or not yet. */
  readonly isInDoubt: boolean;
  /** In epoch milliseconds; null before its first response. */
  readonly lastAnswerAt: number | null;
}

/** What Perpdesk knows of itself and of the exchange. */
export interface DeskReading {
  /** In seconds. */
  readonly ageOf: (data: AgedData) => number | Missing;
  /** Why the working set is not proven complete, in sentences; none where it is. */
  readonly unproven: readonly string[] | Missing;
  /** What has changed of the exchange's interface. */
  readonly drift: readonly string[] | Missing;
  /** Null: there is no limit. */
  readonly budget: { readonly requests: number; readonly used: number } | null;
  /** Why the exchange is away; null where it is not. */
  readonly away: string | null;
  readonly contact: ExchangeContact;
  readonly gaps: readonly Span[] | Missing;
}

/** What rules are evaluated on. */
export interface RuleData {
  /** In epoch milliseconds. */
  readonly now: number;
  /** By the exchange's clock; null while that is unknown. */
  readonly venueNow: number | null;
  readonly working: WorkingReading | Missing;
  readonly activity: ActivityReading | Missing;
  readonly market: MarketReading | Missing;
  readonly fundingOf: (baseSymbol: string) => FundingReading;
  readonly desk: DeskReading;
}

/** The rows that a reading is about, as the exchange sent them. */
export interface Evidence {
  readonly total: number;
  /** Only the first of them. */
  readonly orders: readonly Order[];
  readonly products: readonly ProductData[];
}

export const NO_EVIDENCE: Evidence = { total: 0, orders: [], products: [] };

/** What a rule says of one group. */
export interface GroupReading {
  /** Empty, if the rule is not for each of some groups. */
  readonly group: string;
  /** Null: it cannot be found out. */
  readonly holds: boolean | null;
  /** Null: there is none. */
  readonly value: Decimal | null;
  /** What is beside the value, or why there is none, a sentence; null: nothing. */
  readonly because: string | null;
  readonly evidence: Evidence;
}

/** What a rule says, of every group that there is; or why it says nothing. */
export type Evaluation = readonly GroupReading[] | Missing;
