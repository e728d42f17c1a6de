/** The data of the exchange, exact and in whole units. Responses are written from these types. */

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
  /**
   * The tick size as published in the specification, in USD. For one product it is 1000 times too large, as on the real
   * exchange.
   */
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
  /** The letter of the contract month, for futures. */
  readonly month?: string;
  readonly year?: number;
  /** Only for spreads. */
  readonly legs?: readonly { readonly productId: number; readonly weight: number }[];
  /** Only for options. */
  readonly underlyingId?: number;
  readonly strikeTicks?: number;
  readonly optionType?: 'call' | 'put';
}

export interface Account {
  readonly id: string;
  readonly firm: string;
  /** The connection over which the account sends its orders, in hex. */
  readonly connectionId: string;
}

export type Side = 'Bid' | 'Ask';
export type TimeInForce = 'IOC' | 'Day' | 'GTC';

/** An order of an account. Market makers' quotes are not orders: they rest in the book and appear in no response. */
export interface Order {
  /** Ids grow in order of acceptance. They are above 2^53 and fit into 64 bits. */
  readonly id: bigint;
  readonly openAckId: bigint;
  readonly timeNs: bigint;
  readonly productId: number;
  readonly account: Account;
  readonly side: Side;
  /** In ticks. */
  readonly price: number;
  readonly requested: number;
  readonly timeInForce: TimeInForce;
  readonly filled: number;
  /** The sum of price x quantity over the fills, in ticks: the average price is this divided by `filled`. */
  readonly filledTicks: number;
  readonly status: 'Working' | 'Closed';
  readonly lastModifiedNs: bigint;
}

export interface Trade {
  readonly productId: number;
  readonly time: Micros;
  /** In ticks. */
  readonly price: number;
  readonly quantity: number;
  /** The value in cents, rounded half up once per trade. */
  readonly cents: number;
}

/** One settled trading day of a product. Prices are in ticks; null where nothing traded or nothing is published yet. */
export interface Session {
  readonly productId: number;
  readonly date: SessionDate;
  readonly settledAt: Micros;
  /** Null if nothing traded; the product then has no price row for the day. */
  readonly ohlc: { readonly open: number; readonly high: number; readonly low: number; readonly close: number } | null;
  readonly settlement: number;
  readonly volume: number | null;
  readonly cents: number | null;
  readonly openInterest: number | null;
  readonly openInterestCents: number | null;
}

/** A settled funding interval. Prices are in ticks and may be fractions of one; rates are per interval. */
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
  /** From 1 to 1,920. */
  readonly i: number;
  readonly premium: number;
}

/** Returns the product with an id that is known to exist. Throws otherwise. */
export function requireProduct(products: ReadonlyMap<number, Product>, id: number): Product {
  const product = products.get(id);
  if (!product) throw new RangeError(`no product ${id}`);
  return product;
}
