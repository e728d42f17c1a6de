import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { formatDay } from '../format/day.ts';
import { nameSome } from '../format/name-some.ts';

/** The days whose open interest the exchange has left out, in a sentence; null where there are none. After the newest that is published, others are only to come. */
export function describeUnpublished(rows: readonly VOIDataPoint[]): string | null {
  const days = new Map(rows.map(({ date }) => [date, false]));
  for (const { date, openInterest } of rows) if (openInterest !== null) days.set(date, true);
  const newest = [...days].reduce((latest, [date, isPublished]) => (isPublished && date > latest ? date : latest), '');
  const missing = [...days].flatMap(([date, isPublished]) => (!isPublished && date < newest ? [date] : [])).sort();
  return missing.length === 0 ? null : `Open interest not published for ${nameSome(missing.map(formatDay))}.`;
}
