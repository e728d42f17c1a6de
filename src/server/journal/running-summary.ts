import type { Change } from './segment/change.ts';
import type { JournalStore } from './journal-store.ts';
import type { OpenStretch, Stretch } from './stretch.ts';
import { findGone } from './find-gone.ts';
import { createSummariser } from './summary/summariser.ts';
import type { Summary } from './summary/summary.ts';

/** The summary of the newest stretch, which each reading extends. */
interface RunningSummary {
  readonly add: (changes: readonly Change[]) => Promise<void>;
  readonly current: () => Summary;
  /** Of the stretch that ends; the next one begins. */
  readonly take: () => Summary;
}

/** Goes on from what was read before. */
export async function resumeSummary(
  store: Pick<JournalStore, 'blocksWith'>,
  sealed: Stretch | null,
  open: OpenStretch,
): Promise<RunningSummary> {
  const { add, remember, strangers, summary, restart } = createSummariser(new Map(open.base));
  for (const change of sealed?.changes ?? []) if (change.kind === 'gone') remember(change);
  const running: RunningSummary = {
    add: async (changes) => {
      try {
        for (const ended of strangers(changes)) await findGone(store, ended, remember);
      } finally {
        add(changes);
      }
    },
    current: summary,
    take: () => {
      const taken = summary();
      restart();
      return taken;
    },
  };
  for (const { changes } of open.readings) await running.add(changes);
  return running;
}
