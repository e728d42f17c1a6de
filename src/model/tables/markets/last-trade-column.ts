import { compareInstants, type Instant } from '#contract/exchange/instant.ts';
import { NO_VALUE } from '../../format/number.ts';
import type { MarketRow } from '../../markets/market-rows.ts';
import { isOldTrade, toTradeAge } from '../../time/overdue.ts';
import { formatTradeAge } from '../cell-tooltip.ts';
import type { Clock } from '../clock.ts';
import type { MarketColumn } from './figure-cells.ts';

/**
 * Shows how long ago each product last traded by the exchange’s clock. That is the age of its price, which may be days
 * old although it is read every few seconds.
 */
export function createLastTradeColumn(clock: Clock, toVenueTime: (browserNow: number) => number): MarketColumn {
  const ageOf = ({ lastTime }: MarketRow): number | null =>
    lastTime && toTradeAge(lastTime as Instant, toVenueTime(clock.read()));
  return {
    id: 'lastTrade',
    title: 'Last trade',
    unit: 'ago',
    kind: 'number',
    smallestFirst: true,
    width: 70,
    text: (row) => {
      if (row.lastTime === null) return NO_VALUE;
      const age = ageOf(row);
      return age === null ? 'n/a' : formatInColumn(age);
    },
    value: ({ lastTime }) => lastTime,
    // Sorts by age: the newest trade is the youngest.
    compare: (one, other) => compareInstants(other as Instant, one as Instant),
    tone: (row) => {
      const age = ageOf(row);
      if (age === null) return row.lastTime === null ? 'quiet' : 'attention';
      return isOldTrade(age) ? undefined : 'quiet';
    },
    watch: clock.subscribe,
  };
}

const HOUR = 3_600;
const DAY = 24 * HOUR;

/** Formats whole minutes, hours or days, which fit the column; the provenance has the rest. */
function formatInColumn(seconds: number): string {
  if (seconds < HOUR) return formatTradeAge(seconds);
  return seconds < 2 * DAY ? `${String(Math.floor(seconds / HOUR))} h` : `${String(Math.floor(seconds / DAY))} d`;
}
