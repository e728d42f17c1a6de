import {
  EstimatedFundingRateData,
  FUNDING_INTERVAL_HOURS,
  FundingRateData,
  PriceDataPoint,
  ProductTrailingStats,
  VOIDataPoint,
} from './market-data.ts';
import { Order, WORKING_ORDERS_LIMIT, WorkingOrder } from './order.ts';
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
  type Parameter,
  perpetualBaseSymbol,
  productFlags,
  productId,
  productIds,
  range,
} from './parameters.ts';
import { ProductData, ProductSpec } from './product.ts';
import { sessionRows, untimedRows, type RowRules } from './row-rules.ts';
import { list, type TSchema } from './schema.ts';

export type { Parameter };

/** The venue prefix of an endpoint. */
export type Mount = 'web' | 'funding' | 'orders' | 'product';

/** An endpoint of the interface, with the rules for caching and rate limits that follow from it. */
export interface Endpoint {
  readonly method: 'GET';
  /** As in the interface document, below the venue's mount; `:name` is a path parameter. */
  readonly path: string;
  readonly mount: Mount;
  readonly summary: string;
  readonly pathParameters: Readonly<Record<string, Parameter>>;
  readonly query: Readonly<Record<string, Parameter>>;
  /** Schema of the response. Every amount has its unit. */
  readonly response: TSchema;
  /** What rows must satisfy beyond the schema. */
  readonly rows: RowRules;
  /** `signed`: private, signed with the key, never shared between identities. */
  readonly access: 'public' | 'signed';
  readonly paged: boolean;
  /** `draft`: may change without notice (clause 9). */
  readonly stability: 'draft' | 'stable';
  /** Whether a venue may lack it. */
  readonly optional: boolean;
  /** How long a response stays fresh. */
  readonly reuseSeconds: number;
  /** When the response for a time range is final; null: never. */
  readonly settled: SettledRule | null;
  /** When a response about the present must contain a newer row; null: its rows have no date, or may be of any age. */
  readonly due: DueRule | null;
  /** Default purpose of a read, which decides its priority when requests are scarce. */
  readonly purpose: 'working' | 'trailing' | 'estimates' | 'history';
}

/** When the response for a time range is final, which is when the range is over and all of its rows are published. */
export interface SettledRule {
  /** Minimum time since the end of the requested range. */
  readonly afterSeconds: number;
  /** If the newest row is further than this from the end of the range, a later row is still to come. */
  readonly everySeconds: number;
  /** Fields that are null until they are published. */
  readonly lateFields: readonly string[];
  /** One of these parameters must select the product: otherwise some products may publish later than others. */
  readonly namedBy: readonly string[];
}

/** When the newest row of a response is due. Without it, the data are overdue, even if they were read recently. */
export type DueRule = FundingDue | SessionDue;

/** One row for each funding interval. */
export interface FundingDue {
  /** Whether the due row is for the interval that ended at the last funding time (0) or for the current one (1). */
  readonly intervalsLater: 0 | 1;
  /** How long after a funding time the row is due. */
  readonly graceSeconds: number;
}

/** One row for each session. */
export interface SessionDue {
  /** Whether the row is due by the settlement of its own session (0) or of the next one (1). */
  readonly sessionsLater: 0 | 1;
  /** How long after that settlement the row is due; negative: before it. */
  readonly graceSeconds: number;
  /**
   * How many consecutive sessions may lack a row if the product does not trade every day, because holidays are not
   * published.
   */
  readonly holidays: number;
}

const hour = 3_600;
/** Open interest is published the following morning. A weekend and a holiday may lie in between. */
const publication = 5 * 24 * hour;
/** The greatest distance of two sessions of a product that does not trade on weekends and holidays. */
const daily = { afterSeconds: publication, everySeconds: 4 * 24 * hour, lateFields: [], namedBy: [] } as const;
/** A day counts from its midnight; its session ends at least 21 hours later. */
const dated = { ...daily, everySeconds: daily.everySeconds + 21 * hour, lateFields: ['openInterest'] } as const;
const settledFunding = {
  afterSeconds: hour,
  everySeconds: FUNDING_INTERVAL_HOURS * hour,
  lateFields: [],
  namedBy: ['product_id', 'base_symbol'],
} as const;
/**
 * A rate settles within a minute. Caches and pages that are read once a minute may add two, and a busy exchange a few
 * more.
 */
const fundingDue = { per: 'funding interval', intervalsLater: 0, graceSeconds: 300 } as const;
/** The interval of a predicted rate contains the present, except in the minute in which an interval settles. */
const estimateDue = { per: 'funding interval', intervalsLater: 1, graceSeconds: 60 } as const;
/** A settlement is published at once but may be determined late. */
const settlementDue = { per: 'session', sessionsLater: 0, graceSeconds: hour, holidays: 1 } as const;
/**
 * Open interest is published in the morning after a session, which ends at noon, four hours before the next settlement.
 */
const openInterestDue = { per: 'session', sessionsLater: 1, graceSeconds: -4 * hour, holidays: 1 } as const;
const bare = { method: 'GET', pathParameters: {}, query: {}, optional: false, rows: untimedRows } as const;
/** The rate of an interval that has not ended is not settled. */
const printRows = {
  ...untimedRows,
  timeField: 'interval_end',
  rangeSlackSeconds: FUNDING_INTERVAL_HOURS * hour,
  pastFields: ['interval_end'],
} as const;
const orderRows = { ...untimedRows, timeField: 'time', pastFields: ['time', 'last_modified'] } as const;
const tradingRows = {
  ...untimedRows,
  pastFields: ['last_price_time', 'settlement_time'],
  keyFields: ['product_id'],
} as const;
const draft = { ...bare, mount: 'web', access: 'public', paged: false, stability: 'draft' } as const;
const chart = { ...draft, reuseSeconds: 60, purpose: 'history' } as const;
const statistics = {
  ...draft,
  rows: { ...untimedRows, keyFields: ['productId'] },
  reuseSeconds: 10,
  settled: null,
  due: null,
  purpose: 'trailing',
} as const;
const funding = { ...bare, mount: 'funding', access: 'public', stability: 'stable' } as const;
const orders = {
  ...bare,
  mount: 'orders',
  access: 'signed',
  stability: 'stable',
  rows: orderRows,
  settled: null,
  due: null,
} as const;
const extra = { ...bare, mount: 'product', access: 'public', stability: 'stable', optional: true } as const;
const product = { ...extra, paged: false, settled: null } as const;
const specification = {
  ...product,
  rows: { ...untimedRows, keyFields: ['product_id'] },
  due: null,
  reuseSeconds: hour,
  purpose: 'history',
} as const;
/** Due by its settlement, because a product may go without a trade for any length of time. */
const tradingData = {
  ...product,
  rows: tradingRows,
  due: settlementDue,
  reuseSeconds: 10,
  purpose: 'trailing',
} as const;

/**
 * The interface. Client, server, venue, documentation and conformance suite follow from this table: a new endpoint
 * needs an entry here, a schema and a handler in the venue.
 */
export const ENDPOINTS = {
  /** Clause 4.1. */
  chartPrice: {
    ...chart,
    path: '/web/charts/price/:id',
    summary: 'Daily prices of a product; the last 30 days by default.',
    pathParameters: { id: productId },
    query: range,
    response: list(PriceDataPoint),
    rows: { ...sessionRows, timeField: 'time', pastFields: ['date', 'time'], keyFields: ['date'] },
    settled: daily,
    due: settlementDue,
  },
  /** Clause 4.2. */
  chartVoi: {
    ...chart,
    path: '/web/charts/voi',
    summary: 'Daily volume and open interest of a product, or the total of several; the last 30 days by default.',
    query: { product_id: productIds, ...range },
    response: list(VOIDataPoint),
    rows: { ...sessionRows, timeField: 'date', pastFields: ['date'], keyFields: ['productId', 'date'] },
    settled: dated,
    due: openInterestDue,
  },
  /** Clause 4.3. */
  fundingRates: {
    ...funding,
    path: '/funding-rates/',
    summary: 'Settled funding rates; without begin_time only the latest rate of each product.',
    query: {
      product_id: productId,
      base_symbol: perpetualBaseSymbol,
      limit: fundingLimit,
      ...range,
      order: fundingOrdering,
      cursor,
    },
    response: pageOf(FundingRateData, 'FundingRatePage'),
    rows: printRows,
    paged: true,
    reuseSeconds: 60,
    settled: settledFunding,
    due: fundingDue,
    purpose: 'history',
  },
  /** Clause 4.4. */
  fundingEstimated: {
    ...funding,
    path: '/funding-rates/estimated/:base_symbol',
    summary: 'The current funding interval with its predicted rate.',
    pathParameters: { base_symbol: baseSymbol },
    response: EstimatedFundingRateData,
    paged: false,
    reuseSeconds: 15,
    settled: null,
    due: estimateDue,
    purpose: 'estimates',
  },
  /** Clause 4.5. */
  orders: {
    ...orders,
    path: '/orders',
    summary: 'Orders, working and closed, of the accounts that the caller may see.',
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
    summary: 'Working orders. A request that matches more than 10,000 is rejected.',
    query: orderFilters,
    response: list(WorkingOrder),
    rows: { ...orderRows, impossible: { status: 'Closed' }, maxRows: WORKING_ORDERS_LIMIT },
    paged: false,
    reuseSeconds: 4,
    purpose: 'working',
  },
  /** Clause 4.7. */
  trailingStatsAll: {
    ...statistics,
    path: '/web/market/stats/trailing/all-products',
    summary: 'Volume of all active products in the last 24 hours.',
    response: list(ProductTrailingStats),
  },
  /** Clause 4.8. */
  trailingStats: {
    ...statistics,
    path: '/web/market/stats/trailing/:product_id',
    summary: 'Volume of one product in the last 24 hours.',
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
    summary: 'Trading data of all products for one day.',
    query: productFlags,
    response: list(ProductData),
  },
  productData: {
    ...tradingData,
    path: '/product/data/:id',
    summary: 'Trading data of one product for one day.',
    pathParameters: { id: productId },
    query: { day: dayOfProducts },
    response: ProductData,
  },
} as const satisfies Record<string, Endpoint>;

export type EndpointName = keyof typeof ENDPOINTS;

/** All endpoints, in the order of the interface document. */
export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as readonly EndpointName[];
