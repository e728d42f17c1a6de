import type { Instant } from '#contract/exchange/instant.ts';
import { describeReading, type ProvenanceLine } from '../../format/provenance.ts';
import { NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { toTradeAge } from '../../time/trade-age.ts';
import { formatTradeAge } from '../trade-age-text.ts';
import type { CellTooltip } from '../cell-tooltip.ts';
import { formatInAllZones } from '../../format/format-time.ts';
import { nameOf } from './product-names.ts';

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
