import type { CsvForm } from '../../format/csv.ts';
import type { Source } from '../../response.ts';
import { sourcesOf } from '../../units/quantity.ts';
import type { BasisHistory } from './basis-history.ts';
import { toCurveCsv } from '../curve-csv.ts';
import type { CurveDay } from '../curve-days.ts';
import type { CurveRow } from '../curve-rows.ts';

/**
 * Writes the curve of each session. Each row has the response of its own settlement, that of the perpetual having a row
 * of its own; a row without a settlement has the response of the perpetual.
 */
export function toHistoryCsv(
  { sessions, curveAt, digits }: BasisHistory,
  source: Source,
  form: CsvForm = 'full',
): string {
  const days = sessions.flatMap((session, index): readonly CurveDay[] => {
    const { curve, rows } = curveAt(index);
    return rows.map((row) => ({ session, curve, rows: [row], digits, source: sourceOf(row) ?? source, over: null }));
  });
  return toCurveCsv(days, form);
}

function sourceOf({ settlement }: CurveRow): Source | undefined {
  return settlement === null ? undefined : sourcesOf(settlement)[0];
}
