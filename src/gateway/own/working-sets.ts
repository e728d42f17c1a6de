import { keepLatest } from '../keep-latest.ts';
import type { LedgerState, ReadOptions } from '../ports.ts';
import { createFlights } from '../reuse/flights.ts';
import { createShare } from './share.ts';
import { createSplitMemory, type Clocks, type SplitMemory } from './split-memory.ts';
import { isProblemOf, readWhole, type Filter, type Split, type SplitParts } from './working-parts.ts';

export interface WorkingSetsParts extends Clocks {
  readonly limit: LedgerState['limit'];
  readonly asking: (options: ReadOptions) => SplitParts;
}

/** Reads working sets. One that is too large for one answer is split once for all who ask, and no faster than the budget allows. */
export interface WorkingSets {
  readonly read: (filter: Filter, options: ReadOptions) => Promise<Split>;
}

/** A screen asks for one, or a few of its own making: who asks for more pays for it. */
const MOST_REMEMBERED = 4;

export function createWorkingSets({ limit, asking, ...clocks }: WorkingSetsParts): WorkingSets {
  const share = createShare(limit, clocks.elapsed);
  const flights = createFlights<Split>();
  const memories = new Map<string, SplitMemory>();

  const remember = (key: string): SplitMemory => {
    const memory = memories.get(key) ?? createSplitMemory(share, clocks);
    keepLatest(memories, key, memory, MOST_REMEMBERED);
    return memory;
  };

  const readSplit = async (key: string, filter: Filter, { purpose, signal }: ReadOptions): Promise<Split> => {
    // The reserve is for what a person waits for; nobody waits for hundreds of reads.
    const parts = asking({ purpose: purpose === 'prefetch' ? purpose : 'working', signal });
    const split = await remember(key).read(parts, filter);
    const isWhole = split.parts.some((part) => part.filter === filter);
    if (isWhole) memories.delete(key);
    return split;
  };

  return {
    read: async (filter, options) => {
      const key = JSON.stringify(filter);
      try {
        if (!memories.has(key)) return await readWhole(asking(options), filter);
      } catch (error) {
        if (!isProblemOf(error, 'too-many-working-orders')) throw error;
      }
      const { purpose, signal } = options;
      const flight = flights.find(key) ?? flights.start(key, purpose, (dropped) => readSplit(key, filter, { purpose, signal: dropped }));
      return flight.join(signal);
    },
  };
}
