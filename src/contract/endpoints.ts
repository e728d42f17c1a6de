import { EstimatedFundingRateData, FUNDING_INTERVAL_HOURS, FundingRateData } from './funding.ts';
import { Order } from './order.ts';
import { pageOf } from './paging.ts';
import {
  baseSymbol,
  cursor,
  day,
  dayOfProducts,
  fundingLimit,
  fundingOrdering,
  orderFilters,
  orderLimit,
  orderOrdering,
  productFlags,
  productId,
  productIds,
  range,
  type Parameter,
} from './parameter-sets.ts';
import { PriceDataPoint } from './price-data.ts';
import { ProductData, ProductSpec } from './product.ts';
import { list, type TSchema } from './schema.ts';
import { ProductTrailingStats } from './trailing-stats.ts';
import { VOIDataPoint } from './voi.ts';

export type { Parameter };

/** Which of a venue's prefixes an endpoint stands below. */
export type Mount = 'web' | 'funding' | 'orders' | 'product';

/** What the interface says of one endpoint, and what follows from it for those in between. */
export interface Endpoint {
  readonly method: 'GET';
  /** As in the interface document; `:name` is a path parameter. A venue's mount comes before it. */
  readonly path: string;
  readonly mount: Mount;
  readonly summary: string;
  readonly pathParameters: Readonly<Record<string, Parameter>>;
  readonly query: Readonly<Record<string, Parameter>>;
  /** The answer's schema; each field of money in it carries its unit. */
  readonly response: TSchema;
  /** `signed`: private, sent with the key, never shared between identities. */
  readonly access: 'public' | 'signed';
  readonly paged: boolean;
  /** `draft`: may change without notice (clause 9). */
  readonly stability: 'draft' | 'stable';
  /** Not every venue has it. */
  readonly optional: boolean;
  /** How long an answer may be used again before it is asked for anew. */
  readonly reuseSeconds: number;
  /** When an answer about a range of time never changes again; null: it may always. */
  readonly settled: Settling | null;
  /** What it is usually read for: says who comes first when requests are scarce. */
  readonly purpose: 'working' | 'trailing' | 'estimates' | 'history';
}

/** How it is known that an answer about a range never changes again: the range is over, and all of it was there. */
export interface Settling {
  /** The range asked for ended this long ago. */
  readonly afterSeconds: number;
  /** The field that says of when a row is, an instant or a day. */
  readonly timeField: string;
  /** A newest row further than this from the end of the range has one after it that is still to come. */
  readonly everySeconds: number;
  /** What is null in a row until it is published. */
  readonly lateFields: readonly string[];
  /** Parameters of which one has to name the product: of all products together, one may publish later than the others. */
  readonly namedBy: readonly string[];
}

const hour = 3_600;
/** Open interest comes the following morning; a weekend and a holiday may lie between. */
const publication = 5 * 24 * hour;
/** A product that rests on weekends and holidays has days this far apart. */
const daily = { afterSeconds: publication, timeField: 'time', everySeconds: 4 * 24 * hour, lateFields: [], namedBy: [] } as const;
/** A day is told from its midnight on, and ends 21 hours later at the earliest. */
const dated = { ...daily, timeField: 'date', everySeconds: daily.everySeconds + 21 * hour, lateFields: ['openInterest'] } as const;
const settledFunding = {
  afterSeconds: hour,
  timeField: 'interval_end',
  everySeconds: FUNDING_INTERVAL_HOURS * hour,
  lateFields: [],
  namedBy: ['product_id', 'base_symbol'],
} as const;
const bare = { method: 'GET', pathParameters: {}, query: {}, optional: false } as const;
const draft = { ...bare, mount: 'web', access: 'public', paged: false, stability: 'draft' } as const;
const chart = { ...draft, reuseSeconds: 60, purpose: 'history' } as const;
const statistics = { ...draft, reuseSeconds: 10, settled: null, purpose: 'trailing' } as const;
const funding = { ...bare, mount: 'funding', access: 'public', stability: 'stable' } as const;
const orders = { ...bare, mount: 'orders', access: 'signed', stability: 'stable', settled: null } as const;
const extra = { ...bare, mount: 'product', access: 'public', stability: 'stable', optional: true } as const;
const product = { ...extra, paged: false, settled: null } as const;
const specification = { ...product, reuseSeconds: hour, purpose: 'history' } as const;
const tradingData = { ...product, reuseSeconds: 10, purpose: 'trailing' } as const;

/**
 * The interface, once. Client, gateway, venue, documentation and conformance suite follow from this table: an endpoint
 * is added by an entry here, a schema beside it and a handler in the venue.
 */
export const ENDPOINTS = {
  /** Clause 4.1. */
  chartPrice: {
    ...chart,
    path: '/web/charts/price/:id',
    summary: 'Daily prices of a product; the last 30 days without a range.',
    pathParameters: { id: productId },
    query: range,
    response: list(PriceDataPoint),
    settled: daily,
  },
  /** Clause 4.2. */
  chartVoi: {
    ...chart,
    path: '/web/charts/voi',
    summary: 'Daily volume and open interest; several products give their total; the last 30 days without a range.',
    query: { product_id: productIds, ...range },
    response: list(VOIDataPoint),
    settled: dated,
  },
  /** Clause 4.3. */
  fundingRates: {
    ...funding,
    path: '/funding-rates/',
    summary: 'Settled funding; without begin_time only the latest rate of each product.',
    query: { product_id: productId, base_symbol: baseSymbol, limit: fundingLimit, ...range, order: fundingOrdering, cursor },
    response: pageOf(FundingRateData, 'FundingRatePage'),
    paged: true,
    reuseSeconds: 60,
    settled: settledFunding,
    purpose: 'history',
  },
  /** Clause 4.4. */
  fundingEstimated: {
    ...funding,
    path: '/funding-rates/estimated/:base_symbol',
    summary: 'The funding interval in progress.',
    pathParameters: { base_symbol: baseSymbol },
    response: EstimatedFundingRateData,
    paged: false,
    reuseSeconds: 15,
    settled: null,
    purpose: 'estimates',
  },
  /** Clause 4.5. */
  orders: {
    ...orders,
    path: '/orders',
    summary: 'Orders of the accounts the caller may see, resting and closed.',
    query: { ...orderFilters, day, limit: orderLimit, ...range, order: orderOrdering, cursor },
    response: pageOf(Order, 'OrderPage'),
    paged: true,
    reuseSeconds: 5,
    purpose: 'history',
  },
  /** Clause 4.6. */
  ordersWorking: {
    ...orders,
    path: '/orders/working',
    summary: 'Orders resting in the book now; refused where more than 10,000 match.',
    query: orderFilters,
    response: list(Order),
    paged: false,
    reuseSeconds: 4,
    purpose: 'working',
  },
  /** Clause 4.7. */
  trailingStatsAll: {
    ...statistics,
    path: '/web/market/stats/trailing/all-products',
    summary: 'Volume of the last 24 hours of every active product.',
    response: list(ProductTrailingStats),
  },
  /** Clause 4.8. */
  trailingStats: {
    ...statistics,
    path: '/web/market/stats/trailing/:product_id',
    summary: 'Volume of the last 24 hours of one product.',
    pathParameters: { product_id: productId },
    response: ProductTrailingStats,
  },
  productSpecs: {
    ...specification,
    path: '/product/specs/',
    summary: 'Specifications of all products.',
    query: productFlags,
    response: list(ProductSpec),
  },
  productSpec: {
    ...specification,
    path: '/product/spec/:id',
    summary: 'Specification of one product.',
    pathParameters: { id: productId },
    query: { day: dayOfProducts },
    response: ProductSpec,
  },
  productDataAll: {
    ...tradingData,
    path: '/product/data/',
    summary: 'Trading data of all products for a day.',
    query: productFlags,
    response: list(ProductData),
  },
  productData: {
    ...tradingData,
    path: '/product/data/:id',
    summary: 'Trading data of one product for a day.',
    pathParameters: { id: productId },
    query: { day: dayOfProducts },
    response: ProductData,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** All endpoints, in the order of the interface document. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];
