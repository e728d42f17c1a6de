import type { AccessBook, AccessState } from './access-book.ts';
import type { GatewayPorts } from '../../core/ports.ts';
import type { Store } from '../../store/store.ts';

/** What can be used no more, by its ids. */
interface Expired {
  readonly sessions: readonly string[];
  readonly tokens: readonly string[];
  readonly invitations: readonly string[];
}

/** Drops from the store what has expired. Whether it can be written matters little: nothing of it is of use any more. */
async function dropExpired(
  book: Pick<AccessBook, 'state' | 'change'>,
  idleMs: number,
  now: () => number,
): Promise<void> {
  const { sessions, tokens, invitations } = findExpired(book.state(), idleMs, now());
  if (sessions.length + tokens.length + invitations.length === 0) return;
  await book.change((state) => [{ drop: findExpired(state, idleMs, now()) }, undefined]).catch(() => undefined);
}

function findExpired({ sessions, tokens, invitations }: AccessState, idleMs: number, now: number): Expired {
  return {
    sessions: idsOf(
      [...sessions.values()].filter(({ endsAt, lastUsedAt }) => endsAt <= now || lastUsedAt + idleMs <= now),
    ),
    tokens: idsOf([...tokens.values()].filter(({ expiresAt }) => expiresAt <= now)),
    invitations: idsOf([...invitations.values()].filter(({ expiresAt }) => expiresAt <= now)),
  };
}

function idsOf(records: readonly { readonly id: string }[]): readonly string[] {
  return records.map(({ id }) => id);
}

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
