import { UNCLEAN_STOP } from '#contract/desk/audit-chain.ts';
import type { AuditLog } from './audit-log.ts';
import type { AuditStore } from './audit-store.ts';

interface RunsParts {
  readonly store: Pick<AuditStore, 'note' | 'putNote'>;
  readonly audit: Pick<AuditLog, 'record'>;
  readonly now: () => number;
}

/** Marks in the store that a run has begun, until it ends: who finds the mark knows that the run before it did not end cleanly. */
interface Runs {
  /** Records the start. */
  readonly begin: (version: string) => Promise<void>;
  /** To be called once all entries are stored. */
  readonly end: () => Promise<void>;
}

const ENDED = '';

export function createRuns({ store, audit, now }: RunsParts): Runs {
  let own: string | null = null;
  return {
    begin: async (version) => {
      const before = (await store.note('run')) ?? ENDED;
      own = new Date(now()).toISOString();
      await store.putNote('run', own);
      const started = `Started, version ${version}`;
      const noOne = { who: '', name: '', address: '' };
      if (before === ENDED) await audit.record({ kind: 'started', ...noOne, detail: `${started}.` });
      else
        await audit.record({
          kind: UNCLEAN_STOP,
          ...noOne,
          detail: `${started}; the previous run did not end cleanly: up to a minute of repeated reads may be missing.`,
        });
    },
    // A desk that has taken the store over meanwhile keeps its mark. One that cannot be removed says that entries may be missing.
    end: async () => {
      try {
        if (own !== null && (await store.note('run')) === own) await store.putNote('run', ENDED);
      } catch {
        return;
      }
    },
  };
}
