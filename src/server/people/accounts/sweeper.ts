import type { GatewayPorts } from '#server/core/ports.ts';
import type { Store } from '#server/store/store.ts';
import type { AccessBook } from './access-book.ts';
import { dropExpired } from './drop-expired.ts';

interface SweeperParts extends Pick<GatewayPorts, 'now' | 'schedule'> {
  readonly store: Pick<Store, 'canBeTakenOver'>;
  readonly book: AccessBook;
  readonly idleMs: number;
  /** Ends what may no longer go on. */
  readonly sweep: () => void;
}

interface Sweeper {
  readonly start: () => void;
  readonly close: () => Promise<void>;
}

/** Whoever may no longer see something stops seeing it within a second, whichever desk it was changed at. */
const SWEEP_MS = 400;
const DROP_MS = 3_600_000;

/** Follows what other desks change, and the time. */
export function createSweeper({ store, book, idleMs, sweep, now, schedule }: SweeperParts): Sweeper {
  let cancel = (): void => undefined;
  let cancelDropping = (): void => undefined;
  let isOpen = true;
  let following: Promise<void> | null = null;
  const sweepNow = (): void => {
    // A database that does not respond must not keep sessions from ending here.
    if (store.canBeTakenOver) {
      following ??= book.follow().finally(() => {
        following = null;
      });
    }
    sweep();
    if (isOpen) cancel = schedule(SWEEP_MS, sweepNow);
  };
  const dropNow = (): void => {
    void dropExpired(book, idleMs, now);
    cancelDropping = schedule(DROP_MS, dropNow);
  };
  return {
    start: () => {
      sweepNow();
      dropNow();
    },
    close: async () => {
      isOpen = false;
      cancel();
      cancelDropping();
      await following;
    },
  };
}
