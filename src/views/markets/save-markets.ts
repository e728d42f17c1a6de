import type { MarketRow } from '#domain/market-rows.ts';
import { download } from '#ui/download.ts';
import { toMarketCsv } from './market-csv.ts';

export function saveMarkets(rows: readonly MarketRow[]): void {
  download('markets.csv', toMarketCsv(rows));
}
