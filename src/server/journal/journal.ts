import { createTurns } from '#server/core/in-turn.ts';
import type { Lease } from '#server/store/lease.ts';
import type { Reading } from './compare-reading.ts';
import type { Finds } from './gone-orders.ts';
import type { GapCause } from './journal-store.ts';
import { type CopyDeps, type JournalCopy, loadCopy } from './journal-copy.ts';
import { ignoring } from '#server/core/venue-failure.ts';

export interface JournalDeps extends CopyDeps {
  /** Only the leader records. */
  readonly lease: Pick<Lease, 'isHeld' | 'epoch'>;
}

/** Every change of a working order that a reading showed. */
export interface Journal extends Omit<JournalCopy, 'append' | 'sealIfDue' | 'follow'> {
  /**
   * Records a reading of the whole working set, if this desk is the leader. If it cannot be written, or too many others
   * are waiting, it counts as never made: the next reading then shows its changes, over a longer interval.
   */
  readonly record: (reading: Reading, expectedMs: number) => Promise<void>;
  /** Notes that the working set could not be read: the next reading is after a gap. */
  readonly noteFailure: (cause: GapCause) => void;
  /** Takes orders that the order history shows as closed, to record those that no reading listed with the next one. */
  readonly find: (finds: Finds) => void;
  /** Takes what other desks have recorded. Throws if that cannot be read. */
  readonly refresh: () => Promise<void>;
}

/** Each waiting reading holds a whole response in memory. */
const MAX_WAITING = 4;
const REFRESHED_EVERY_MS = 1_000;

export async function openJournal(deps: JournalDeps): Promise<Journal> {
  const { lease, elapsed } = deps;
  let copy = await loadCopy(deps);
  /** The epoch in which this copy records. A desk that is always alone stays in epoch 0. */
  let epoch = 0;
  let refreshedAt = -Infinity;
  let following: Promise<void> | null = null;
  let waiting = 0;
  let failed: GapCause | null = null;
  let finds: readonly Finds[] = [];
  const inTurn = createTurns();

  const reload = async (): Promise<void> => {
    // What was being sealed is then either in the store or given up.
    await copy.close();
    copy = await loadCopy(deps);
  };
  /** Goes on where the last leader stopped. */
  const lead = async (): Promise<void> => {
    const begun = lease.epoch();
    if (epoch === begun) return;
    await reload();
    epoch = begun;
  };
  const append = async (reading: Reading, expectedMs: number): Promise<void> => {
    if (!lease.isHeld()) return;
    await lead();
    const recorded = await copy.append(reading, { expectedMs, failed, finds });
    if (recorded === null) return;
    failed = null;
    finds = finds.filter((one) => !recorded.includes(one));
  };
  const follow = async (): Promise<void> => {
    const begunAt = elapsed();
    if (!(await copy.follow())) await reload();
    refreshedAt = begunAt;
  };

  return {
    record: async (reading, expectedMs) => {
      if (!lease.isHeld() || waiting === MAX_WAITING || reading.parts.length === 0) return;
      waiting += 1;
      await inTurn(() => ignoring(append(reading, expectedMs), 'desk-cannot-read', 'desk-cannot-write')).finally(
        () => (waiting -= 1),
      );
      if (lease.isHeld()) copy.sealIfDue();
    },
    noteFailure: (cause) => {
      failed ??= cause;
    },
    find: (found) => {
      finds = [...finds, found];
    },
    hasOrder: (id) => copy.hasOrder(id),
    refresh: async () => {
      if (lease.isHeld()) {
        if (epoch !== lease.epoch()) await inTurn(lead);
        return;
      }
      if (elapsed() - refreshedAt < REFRESHED_EVERY_MS) return;
      await (following ??= inTurn(follow).finally(() => (following = null)));
    },
    segments: () => copy.segments(),
    stretches: () => copy.stretches(),
    summaries: () => copy.summaries(),
    state: () => copy.state(),
    orders: () => copy.orders(),
    unexplained: () => copy.unexplained(),
    returned: () => copy.returned(),
    explain: (closed) => {
      copy.explain(closed);
    },
    close: async () => {
      await inTurn(() => Promise.resolve());
      await copy.close();
    },
  };
}
