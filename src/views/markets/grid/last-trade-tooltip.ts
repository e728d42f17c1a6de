import type { Instant } from '#contract/instant.ts';
import { describeReading, type ProvenanceLine } from '#domain/format/provenance.ts';
import { NO_VALUE } from '#domain/format/number.ts';
import type { MarketRow } from '#domain/markets/market-rows.ts';
import { toTradeAge } from '#domain/time/trade-age.ts';
import { formatTradeAge } from '#panels/trade-age-text.ts';
import type { CellTooltip } from '#ui/grid/cell-tooltip.ts';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { nameOf } from '../product-names.ts';

/** When the last trade was and where that comes from, or why it is not known. */
export function explainLastTrade(row: MarketRow, venueNow: number): CellTooltip {
  const { lastTime, lastSource, missingBecause } = row;
  const title = (text: string): string => `${nameOf(row)} last trade: ${text}`;
  const reading =
    lastSource === null
      ? []
      : describeReading({ source: lastSource, field: 'last_price_time', wireText: lastTime }, formatInAllZones);
  if (lastTime === null) {
    const reason =
      lastSource === null ? missingBecause : 'The exchange gives no time of a last trade for this product.';
    return { title: title(NO_VALUE), facts: [{ name: 'Missing', value: reason ?? '' }, ...reading] };
  }
  const age = toTradeAge(lastTime as Instant, venueNow);
  const facts: readonly ProvenanceLine[] = [{ name: 'Traded', value: formatInAllZones(lastTime) }, ...reading];
  if (age !== null) return { title: title(`${formatTradeAge(age)} ago`), facts };
  return {
    title: title('n/a'),
    facts: [
      { name: 'Not available', value: 'The exchange dates the last trade in the future, so its age is unknown.' },
      ...facts,
    ],
  };
}
