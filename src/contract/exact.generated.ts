// Written by `npm run generate` from the schemas of this folder.

import { isDay } from './day.ts';

type Fields = Readonly<Record<string, unknown>>;

/** Makes no list as `Object.keys` does: garbage made while ten thousand rows are held costs more than looking at them. */
function countFields(row: Fields): number {
  let count = 0;
  // eslint-disable-next-line @typescript-eslint/no-unused-vars -- the fields are only counted
  for (const _ in row) count++;
  return count;
}

function isExactPriceDataPoint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Fields;
  const ohlc = row['ohlc'] as Fields | null;
  if (typeof ohlc !== 'object' || ohlc === null) return false;
  return (
    typeof row['date'] === 'string' && isDay(row['date']) &&
    typeof row['time'] === 'string' &&
    typeof ohlc['open'] === 'string' &&
    typeof ohlc['high'] === 'string' &&
    typeof ohlc['low'] === 'string' &&
    typeof ohlc['close'] === 'string' &&
    Number.isSafeInteger(ohlc['volume']) &&
    countFields(ohlc) === 5 &&
    typeof row['settlementPrice'] === 'string' &&
    countFields(row) === 4
  );
}

function isExactVOIDataPoint(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Fields;
  return (
    typeof row['date'] === 'string' && isDay(row['date']) &&
    Number.isSafeInteger(row['productId']) &&
    typeof row['baseSymbol'] === 'string' &&
    (Number.isSafeInteger(row['volume']) || row['volume'] === null) &&
    (Number.isSafeInteger(row['notionalVolume']) || row['notionalVolume'] === null) &&
    (Number.isSafeInteger(row['openInterest']) || row['openInterest'] === null) &&
    (Number.isSafeInteger(row['notionalOpenInterest']) || row['notionalOpenInterest'] === null) &&
    countFields(row) === 7
  );
}

function isExactFundingRateData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Fields;
  return (
    Number.isSafeInteger(row['product_id']) &&
    Number.isFinite(row['price_index']) &&
    Number.isFinite(row['mark_price']) &&
    Number.isFinite(row['interest_rate']) &&
    Number.isFinite(row['funding_rate']) &&
    typeof row['interval_start'] === 'string' &&
    typeof row['interval_end'] === 'string' &&
    countFields(row) === 7
  );
}

function isExactOrder(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Fields;
  return (
    typeof row['symbol'] === 'string' &&
    typeof row['time'] === 'string' &&
    typeof row['last_modified'] === 'string' &&
    Number.isSafeInteger(row['product_id']) &&
    (row['product_type'] === 'Future' || row['product_type'] === 'Spread' || row['product_type'] === 'Option') &&
    typeof row['id'] === 'string' &&
    typeof row['connection_id'] === 'string' &&
    typeof row['clearing_firm_code'] === 'string' &&
    typeof row['account_id'] === 'string' &&
    typeof row['open_ack_id'] === 'string' &&
    (row['side'] === 'Bid' || row['side'] === 'Ask') &&
    Number.isSafeInteger(row['price']) &&
    (Number.isFinite(row['avg_price']) || row['avg_price'] === null) &&
    Number.isSafeInteger(row['quantity_requested']) &&
    Number.isSafeInteger(row['quantity_filled']) &&
    (row['status'] === 'Working' || row['status'] === 'Closed') &&
    (row['time_in_force'] === 'IOC' || row['time_in_force'] === 'Day' || row['time_in_force'] === 'GTC') &&
    countFields(row) === 17
  );
}

function isExactProductTrailingStats(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Fields;
  return (
    Number.isSafeInteger(row['productId']) &&
    (Number.isSafeInteger(row['volume']) || row['volume'] === null) &&
    (Number.isFinite(row['notionalVolume']) || row['notionalVolume'] === null) &&
    countFields(row) === 3
  );
}

function isExactProductData(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  const row = value as Fields;
  return (
    Number.isSafeInteger(row['product_id']) &&
    (typeof row['last_price_time'] === 'string' || row['last_price_time'] === null) &&
    (Number.isSafeInteger(row['last_price']) || row['last_price'] === null) &&
    (typeof row['settlement_time'] === 'string' || row['settlement_time'] === null) &&
    (Number.isFinite(row['settlement_price']) || row['settlement_price'] === null) &&
    (typeof row['settlement_price_comment'] === 'string' || row['settlement_price_comment'] === null) &&
    (Number.isSafeInteger(row['open_price']) || row['open_price'] === null) &&
    (Number.isSafeInteger(row['high_price']) || row['high_price'] === null) &&
    (Number.isSafeInteger(row['low_price']) || row['low_price'] === null) &&
    (Number.isSafeInteger(row['close_price']) || row['close_price'] === null) &&
    (Number.isFinite(row['price_change']) || row['price_change'] === null) &&
    (Number.isSafeInteger(row['volume']) || row['volume'] === null) &&
    (Number.isSafeInteger(row['notional_volume']) || row['notional_volume'] === null) &&
    (Number.isSafeInteger(row['block_volume']) || row['block_volume'] === null) &&
    (Number.isSafeInteger(row['notional_block_volume']) || row['notional_block_volume'] === null) &&
    (Number.isSafeInteger(row['price_limit_upper']) || row['price_limit_upper'] === null) &&
    (Number.isSafeInteger(row['price_limit_lower']) || row['price_limit_lower'] === null) &&
    (Number.isSafeInteger(row['open_interest']) || row['open_interest'] === null) &&
    countFields(row) === 18
  );
}

/** By the title of the row. True: exactly such a row. False: anything else; `check.ts` tells what. */
export const exactChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  PriceDataPoint: isExactPriceDataPoint,
  VOIDataPoint: isExactVOIDataPoint,
  FundingRateData: isExactFundingRateData,
  Order: isExactOrder,
  ProductTrailingStats: isExactProductTrailingStats,
  ProductData: isExactProductData,
};
