import type { Day } from '#contract/day.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { sumOf, type Decimal } from './decimal.ts';
import { groupByProduct, readVoi, type VoiField } from './voi.ts';

/** One day of several products, to be stacked. */
export interface StackedDay {
  readonly date: Day;
  /** In the order of the products asked for; null where a product has no figure that day. */
  readonly values: readonly (Decimal | null)[];
  readonly total: Decimal | null;
}

/** One figure of several products beside each other, a row for every day that any of them has. */
export function toStackedDays(rows: readonly VOIDataPoint[], productIds: readonly number[], figure: VoiField): readonly StackedDay[] {
  const groups = groupByProduct(rows);
  const series = productIds.map((id) => new Map((groups.get(id) ?? []).map((row) => [row.date, readVoi(row, figure)])));
  const dates = [...new Set(series.flatMap((days) => [...days.keys()]))].sort();
  return dates.map((date) => {
    const values = series.map((days) => days.get(date) ?? null);
    return { date, values, total: sumOf(values) };
  });
}
