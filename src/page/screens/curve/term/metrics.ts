import { formatQuantity } from '#model/format/number.ts';
import type { CurveMetric } from '#model/curve/curve-params.ts';
import type { CurveRow } from '#model/curve/curve-rows.ts';

export const METRIC_NAMES: Readonly<Record<CurveMetric, string>> = {
  aYear: 'Basis % a year',
  usd: 'Basis USD',
  settlement: 'Settlement',
};

/** Formats the figure of a point with its unit; null if there is none. */
export function formatMetric(row: CurveRow, metric: CurveMetric, digits: number): string | null {
  const value = row[metric]?.value ?? null;
  if (value === null) return null;
  if (metric === 'aYear') return `${formatQuantity({ value, unit: 'fraction' })} % a year`;
  return `${formatQuantity({ value, unit: 'USD' }, { digits, signed: metric === 'usd' })} USD`;
}
