import type { Period } from '#domain/bars.ts';
import { countOf } from '#domain/format-count.ts';
import { formatDay } from '#domain/format-time.ts';
import { isUnpriced, type PriceSlot } from './price-data.ts';

/** The date, and of a week or month how many sessions traded in it. */
export function describeSlot(slot: PriceSlot | undefined, period: Period): string {
  if (slot === undefined) return '';
  const { key, bar } = slot;
  if (bar === null) return `${formatDay(key)}, ${isUnpriced(slot) ? 'traded, price not known' : 'no trades'}`;
  return period === '1D' ? formatDay(key) : `${formatDay(key)}, ${countOf(bar.sessions, 'session')}`;
}
