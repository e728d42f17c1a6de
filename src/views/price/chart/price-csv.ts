import type { ApiResponse } from '#api/api-response.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { isUnpriced, type PriceData, type PriceSlot } from './price-data.ts';
import type { NamedProduct } from '#domain/markets/product-directory.ts';

const HEADING = [
  ...['date', 'last_session', 'sessions', 'bar', 'open_usd', 'high_usd', 'low_usd', 'close_usd', 'settlement_usd'],
  ...['volume_contracts', 'open_interest_contracts', 'open_interest_date', 'product_id', 'symbol'],
  ...['price_endpoint', 'price_request', 'price_answered_at', 'price_received_at', 'price_age_s', 'price_from', 'price_unit', 'price_factor', 'price_request_id'],
  ...['voi_request', 'voi_answered_at', 'voi_received_at', 'voi_from'],
];

interface CsvSources {
  readonly prices: ApiResponse<unknown>;
  readonly voi: ApiResponse<unknown> | undefined;
}

/** The slots as shown, each with its provenance. */
export function toPriceCsv({ slots, period }: PriceData, { id, product }: NamedProduct, { prices, voi }: CsvSources): string {
  const ofProduct: readonly Cell[] = [String(id), product?.symbol ?? null];
  const ofPrices: readonly Cell[] = [
    ...[prices.endpoint, `GET ${prices.target}`, prices.answeredAt, toIso(prices.receivedAt), prices.ageSeconds, prices.cache],
    ...['USD', 1, prices.requestId],
  ];
  const ofVoi: readonly Cell[] = voi ? [`GET ${voi.target}`, voi.answeredAt, toIso(voi.receivedAt), voi.cache] : [null, null, null, null];
  const kind = period === '1D' ? 'published' : `computed ${period}`;
  return toCsv(HEADING, slots.map((slot) => [...toCells(slot, kind), ...ofProduct, ...ofPrices, ...ofVoi]));
}

function toCells(slot: PriceSlot, kind: string): readonly Cell[] {
  const { key, bar, voi } = slot;
  const state = bar !== null ? kind : isUnpriced(slot) ? 'price not known' : 'no trades';
  const prices: readonly Cell[] = bar === null ? [null, null, null, null, null, null] : [...[bar.open, bar.high, bar.low, bar.close, bar.settlement].map((digits) => digits && { digits }), bar.volume];
  return [key, bar?.lastDate ?? null, bar?.sessions ?? 0, state, ...prices, voi?.openInterest?.toNumber() ?? null, voi?.openInterestDate ?? null];
}

function toIso(epochMillis: number): string {
  return new Date(epochMillis).toISOString();
}
