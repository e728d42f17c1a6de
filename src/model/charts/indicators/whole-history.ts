import type { Instant } from '#contract/exchange/instant.ts';
import type { PriceDataPoint, VOIDataPoint } from '#contract/exchange/market-data.ts';
import type { RunningSession } from '../../price/running-session.ts';
import { type PriceData, toPriceData } from '../price/price-data.ts';

/** The daily figures of sessions. */
export interface DailyRows {
  readonly points: readonly PriceDataPoint[];
  readonly voi: readonly VOIDataPoint[];
}

/** What a chart shows, and what it was made of. */
export interface ShownRange {
  readonly data: PriceData;
  readonly rows: DailyRows;
  readonly running: RunningSession | null;
  /** Start of the range, at the beginning of a bar. */
  readonly since: Instant;
}

/**
 * Puts the history before a range in front of it, so that an indicator is the same at a bar whatever range is shown.
 * The slots of the range are the last ones, as the chart has them.
 */
export function withHistory({ data, rows, running, since }: ShownRange, history: DailyRows): PriceData {
  const isBefore = ({ date }: { readonly date: string }): boolean => date < since.slice(0, since.indexOf('T'));
  const [points, voi] = [history.points.filter(isBefore), history.voi.filter(isBefore)];
  return points.length === 0 && voi.length === 0
    ? data
    : toPriceData([...points, ...rows.points], [...voi, ...rows.voi], data.period, running);
}
