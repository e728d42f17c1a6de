import type { EndpointName } from '#contract/exchange/endpoints.ts';

/**
 * A response of every endpoint, written by hand from the interface document. None has nulls and all have every optional
 * field, so that a test can corrupt any of them.
 */
export const sampleResponses = {
  chartPrice: [
    {
      date: '2025-12-14',
      time: '2025-12-14T21:30:00.000000Z',
      ohlc: {
        open: '87000.0000000000',
        high: '88250.5000000000',
        low: '86000.0000000000',
        close: '87500.0000000000',
        volume: 45,
      },
      settlementPrice: '87510.0000000000',
    },
  ],
  chartVoi: [
    {
      date: '2025-12-14',
      productId: 1547,
      baseSymbol: 'PBU',
      volume: 27,
      notionalVolume: 2_365_870,
      openInterest: 392,
      notionalOpenInterest: 33_806_080,
    },
  ],
  fundingRates: {
    data: [
      {
        product_id: 5599,
        price_index: 101_234.56,
        mark_price: 101_240.5,
        interest_rate: 0.0001,
        funding_rate: 0.000125,
        interval_start: '2026-08-17T00:00:00Z',
        interval_end: '2026-08-17T08:00:00Z',
      },
    ],
    pagination: { cursor: 'eyJ0IjoxNzg2fQ%3D%3D' },
  },
  fundingEstimated: {
    funding_rate: -0.00031,
    interval_start: '2026-08-17T16:00:00Z',
    interval_end: '2026-08-18T00:00:00Z',
  },
  orders: { data: [order('7674028327896836521', 'Closed')], pagination: { cursor: 'eyJ0IjoxNzg3fQ%3D%3D' } },
  ordersWorking: [order('7674028327896836522', 'Working')],
  trailingStatsAll: [{ productId: 1547, volume: 27, notionalVolume: 23_658 }],
  trailingStats: { productId: 1547, volume: 27, notionalVolume: 23_658 },
  productSpecs: [spec()],
  productSpec: spec(),
  productDataAll: [data()],
  productData: data(),
} as const satisfies Readonly<Record<EndpointName, unknown>>;

function order(id: string, status: 'Working' | 'Closed') {
  return {
    symbol: 'BUSH27',
    time: '2026-08-17T23:45:21.496334704Z',
    last_modified: '2026-08-17T23:45:22.1Z',
    product_id: 1602,
    product_type: 'Future',
    id,
    connection_id: '3f',
    clearing_firm_code: 'ACME',
    account_id: 'A-17',
    open_ack_id: '7674028327896836523',
    side: 'Bid',
    price: 17_502,
    avg_price: 17_501.5,
    quantity_requested: 12,
    quantity_filled: 4,
    status,
    time_in_force: 'GTC',
  } as const;
}

function spec() {
  return {
    product_id: 1602,
    symbol: 'BUSH27',
    base_symbol: 'BUS',
    product_name: 'Bitcoin US Dollar Future March 2027',
    type: 'future',
    contract_size: 1,
    contract_size_unit: 'BTC',
    price_increment: 5,
    price_quotation_unit: 'USD per BTC',
    product_status: 'active',
    max_order_quantity: 10_000,
    min_block_size: 5,
    daily_open_time: '19:00:00',
    daily_settle_time: '16:00:00',
    settlement_method: 'Cash Settled',
    month: 'H',
    year: 2027,
    first_trading_day: '2026-03-02',
    final_settle_time: '2027-03-26T15:00:00Z',
    legs: [{ product_id: 1603, weight: -1 }],
    underlying_product: 1604,
    strike_price: 20_000,
    option_type: 'call',
  } as const;
}

function data() {
  return {
    product_id: 1602,
    last_price_time: '2026-08-17T20:59:58.123456Z',
    last_price: 17_502,
    settlement_time: '2026-08-17T21:00:00Z',
    settlement_price: 17_500.5,
    settlement_price_comment: 'Marked to the spread.',
    open_price: 17_400,
    high_price: 17_600,
    low_price: 17_380,
    close_price: 17_502,
    price_change: -12.5,
    volume: 310,
    notional_volume: 2_712_810_000,
    block_volume: 20,
    notional_block_volume: 175_020_000,
    price_limit_upper: 19_250,
    price_limit_lower: 15_750,
    open_interest: 1_204,
  } as const;
}
