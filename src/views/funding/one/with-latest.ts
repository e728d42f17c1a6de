import type { FundingRateData } from '#contract/funding.ts';
import { toMillis } from '#domain/session.ts';
import type { Source } from '#domain/source.ts';

/** A print, and the answer it came with. */
export interface ReadPrint {
  readonly row: FundingRateData;
  readonly source: Source;
}

/**
 * The prints of pages, newest first, as the latest answer has them: it has all from its oldest on, as the rest of the
 * screen shows them, and a page keeps what was corrected since it was read. What pages have not come to yet waits for them.
 */
export function withLatest(paged: readonly ReadPrint[], latest: readonly ReadPrint[]): readonly ReadPrint[] {
  const [pagedFrom, latestFrom] = [oldestEnd(paged), oldestEnd(latest)];
  if (paged.length === 0) return [];
  return [...latest.filter((print) => endOf(print) >= pagedFrom), ...paged.filter((print) => !(endOf(print) >= latestFrom))];
}

function endOf({ row }: ReadPrint): number {
  return toMillis(row.interval_end);
}

function oldestEnd(prints: readonly ReadPrint[]): number {
  return Math.min(...prints.map(endOf).filter((end) => !Number.isNaN(end)));
}
