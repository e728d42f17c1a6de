import type { Journal } from './journal.ts';
import type { JournalStore, SegmentInfo } from './journal-store.ts';
import { readStretch } from './stretch.ts';
import { findGone } from './gone-orders.ts';
import { packSummary, unpackSummary } from './summary/pack-summary.ts';
import { createSummariser } from './summary/summariser.ts';
import { reachesBack, toColumns, type SummaryColumns } from './summary/summary-columns.ts';
import { createTally, type Tally, type TallyRequest } from './summary/tally.ts';

/** Counts the changes of a time range without reading them one by one. */
export type ActivityReader = (request: TallyRequest) => Promise<Tally>;

export function createActivityReader(
  journal: Pick<Journal, 'segments' | 'summaries' | 'refresh'>,
  store: JournalStore,
): ActivityReader {
  /** How far back the segments reach that were sealed without a summary. */
  const made = new Map<number, number>();
  const read = async (segment: SegmentInfo): Promise<SummaryColumns> => {
    const packed = await store.summaryOf(segment.number);
    if (packed !== null) return unpackSummary(packed);
    const columns = await summarise(store, segment);
    const back = reachesBack(columns) ?? segment.from;
    await store.addSummary(segment.number, back, packSummary(columns));
    made.set(segment.number, back);
    return columns;
  };
  return async (request) => {
    await journal.refresh();
    const { add, result } = createTally(request);
    // Taken at one moment, so that a stretch that is sealed or dropped meanwhile counts once.
    const [segments, summaries] = [[...journal.segments()], journal.summaries()];
    for (const segment of segments) {
      const first = segment.reachesBack ?? made.get(segment.number) ?? -Infinity;
      if (segment.to >= request.from && first < request.to) add(await read(segment));
    }
    for (const summary of summaries) add(toColumns(summary));
    return result();
  };
}

async function summarise(store: JournalStore, segment: SegmentInfo): Promise<SummaryColumns> {
  const { base, changes } = await readStretch(store, segment);
  const { strangers, remember, add, summary } = createSummariser(new Map(base));
  for (const ended of strangers(changes)) await findGone(store, ended, remember);
  add(changes);
  return toColumns(summary());
}
