/**
 * The data of the exchange, exact and in whole units. Responses are written from these.
 */

/** Exchange time: whole microseconds since 1970 UTC, a safe integer. Order times carry nanoseconds and are bigints. */
export type Micros = number;

/** A trading day, `YYYY-MM-DD`: the Chicago date on which the session settles. */
export type SessionDate = string;

export type ProductKind = 'perpetual' | 'future' | 'spread' | 'option';

export interface Product {
  readonly id: number;
  readonly symbol: string;
  readonly baseSymbol: string;
  readonly name: string;
  readonly kind: ProductKind;
  readonly contractSize: number;
  readonly contractSizeUnit: string;
  /** The tick size that the specification publishes, in USD. For one product it is 1000 times too large, as on the real venue. */
  readonly publishedIncrement: number;
  readonly priceQuotationUnit: string;
  readonly settlementMethod: string;
  readonly maxOrderQuantity: number;
  readonly minBlockSize: number;
  /** The true value of a tick, in units of 1e-10 USD per unit of the underlying. */
  readonly tickE10: bigint;
  readonly listedAt: Micros;
  /** Final settlement; null for a perpetual. */
  readonly expiresAt: Micros | null;
  /** Futures: letter of the month and year. */
  readonly month?: string;
  readonly year?: number;
  /** Spreads. */
  readonly legs?: readonly { readonly productId: number; readonly weight: number }[];
  /** Options. */
  readonly underlyingId?: number;
  readonly strikeTicks?: number;
  readonly optionType?: 'call' | 'put';
}

export interface Account {
  readonly id: string;
  readonly firm: string;
  /** The connection that its orders are sent over, in hex. */
  readonly connectionId: string;
}

export type Side = 'Bid' | 'Ask';
export type TimeInForce = 'IOC' | 'Day' | 'GTC';

/** An order of an account. Market makers' quotes are not orders: they rest in the book and appear in no response. */
export interface Order {
  /** Grows with acceptance; above 2^53, within 64 bits. */
  readonly id: bigint;
  readonly openAckId: bigint;
  readonly timeNs: bigint;
  readonly productId: number;
  readonly account: Account;
  readonly side: Side;
  /** Ticks. */
  readonly price: number;
  readonly requested: number;
  readonly timeInForce: TimeInForce;
  readonly filled: number;
  /** Sum of price x quantity over the fills, in ticks: the average price is this divided by `filled`. */
  readonly filledTicks: number;
  readonly status: 'Working' | 'Closed';
  readonly lastModifiedNs: bigint;
}

export interface Trade {
  readonly productId: number;
  readonly time: Micros;
  /** Ticks. */
  readonly price: number;
  readonly quantity: number;
  /** Value in cents, rounded half up once per trade. */
  readonly cents: number;
}

/** One settled trading day of a product. Prices in ticks; null where nothing traded, or where nothing is published yet. */
export interface Session {
  readonly productId: number;
  readonly date: SessionDate;
  readonly settledAt: Micros;
  /** Null where nothing traded; then the product has no price row for the day. */
  readonly ohlc: { readonly open: number; readonly high: number; readonly low: number; readonly close: number } | null;
  readonly settlement: number;
  readonly volume: number | null;
  readonly cents: number | null;
  readonly openInterest: number | null;
  readonly openInterestCents: number | null;
}

/** A settled funding interval. Prices in ticks, which may be a fraction of one; rates per interval. */
export interface FundingInterval {
  readonly productId: number;
  readonly start: Micros;
  readonly end: Micros;
  readonly index: number;
  readonly mark: number;
  readonly interestRate: number;
  readonly rate: number;
}

/** The premium of a perpetual, sampled every 15 seconds: sample `i` of the 1,920 of its interval. */
export interface PremiumSample {
  readonly productId: number;
  readonly intervalStart: Micros;
  /** 1 to 1,920. */
  readonly i: number;
  readonly premium: number;
}
