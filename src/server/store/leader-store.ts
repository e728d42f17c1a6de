import type { Guard, Step } from '#sql/driver.ts';
import { StoreFailure } from '#sql/store-failure.ts';
import type { Lease } from './lease.ts';
import type { Store, Writing } from './store.ts';
import { leaderEpochs } from './tables.ts';

/**
 * Returns the store for what only the leader writes. Each transaction fails unless the epoch that this desk began is
 * still in force, so a leader that slept, and whose lease another one has taken meanwhile, changes nothing.
 */
export function createLeaderStore(store: Store, lease: Pick<Lease, 'isHeld' | 'epoch'>): Store {
  if (!store.isShared) return store;
  const guarded = ({ write, writeThrough, transact, ...writing }: Writing): Writing => {
    const guard = toGuard(lease.epoch(), writing.dialect.forUpdate);
    const after = (steps: readonly Step[]): readonly Step[] => [guard, ...steps];
    return {
      ...writing,
      write: (steps) => write(after(steps)),
      writeThrough: (steps) => writeThrough(after(steps)),
      transact: (plan) =>
        transact(function* () {
          yield guard;
          return yield* plan();
        }),
    };
  };
  return {
    ...store,
    mustWrite: (work) =>
      store.mustWrite((writing) => {
        if (!lease.isHeld()) throw new StoreFailure(NOT_LEADER);
        return work(guarded(writing));
      }),
    tryToWrite: async (work) => {
      if (lease.isHeld()) await store.tryToWrite((writing) => work(guarded(writing)));
    },
  };
}

const NOT_LEADER = 'Another desk on this database is the leader, which alone writes this.';

function toGuard(epoch: number, forUpdate: string): Guard {
  return {
    name: 'check epoch',
    sql: `SELECT epoch FROM ${leaderEpochs.name} WHERE id = 1 AND epoch = $1 ${forUpdate}`,
    values: [epoch],
    otherwise: NOT_LEADER,
  };
}
