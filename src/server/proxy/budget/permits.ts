import { DESK_ITSELF, type Purpose } from '#server/core/ports.ts';
import type { PermitLog } from './permit-log.ts';
import type { Counted } from './shares.ts';

/** A request that counts against the budget. All times are by the monotonic clock of this desk. */
export interface SpentPermit extends Counted {
  readonly id: number;
  readonly purpose: Purpose;
  /** Null while the request is in flight: the exchange may count it at any moment until it ends. */
  endedAt: number | null;
  /** When the request has ended at the latest, even if nobody is left to say so. */
  readonly endsBy: number;
}

/** Decides how a request is paid, given all that count already; null if it must wait. */
export type Pay = (spent: readonly Counted[]) => Counted | null;

/** The permits that count. Each is stored before it is granted, and again when it is settled. */
export interface Permits {
  /** As far as this desk knows, including those that are being stored. */
  readonly all: () => readonly SpentPermit[];
  /** Infinite while that depends on a request in flight. */
  readonly freeAt: (entry: SpentPermit) => number;
  /** No permit is granted before. */
  readonly withheldUntil: () => number;
  /** Counts the request at once if it can be paid. Resolves once it is stored, or with null if it cannot be paid. */
  readonly add: (purpose: Purpose, pay: Pay) => Promise<SpentPermit | null>;
  /** Whether a request may no longer be sent with it. */
  readonly isVoid: (entry: SpentPermit) => boolean;
  /** Called when the response has arrived. */
  readonly settle: (entry: SpentPermit) => void;
  /** Called when the request was not sent. */
  readonly giveBack: (entry: SpentPermit) => void;
  /** Looks at what other desks have spent, if it is time to; null where there are no others. */
  readonly refresh: ((isAnyoneWaiting: boolean) => Promise<void>) | null;
}

/** Opens the permits of a window of this length. */
export type OpenPermits = (windowMs: number) => Promise<Permits>;

type End = Pick<SpentPermit, 'endedAt' | 'endsBy'>;

/** Whether a permit still counts at this time. */
export function isCounted({ endedAt, endsBy }: End, windowMs: number, at: number): boolean {
  return (endedAt ?? endsBy) + windowMs > at;
}

export function freeAt({ endedAt, endsBy }: End, windowMs: number, at: number): number {
  return endedAt === null && at < endsBy ? Infinity : (endedAt ?? endsBy) + windowMs;
}

/** The payers of an earlier start’s requests are unknown. */
const OF_PAST: Counted = { payers: DESK_ITSELF, isOfReserve: false };

/**
 * The permits of the only desk on its store, which decides from memory.
 *
 * Uses the monotonic `elapsed`, because setting a wall clock ahead would free the budget at once, and setting it back
 * would lock it. If `elapsed` stops during sleep, the window only gets longer.
 */
export function ofOneDesk(log: PermitLog, elapsed: () => number): OpenPermits {
  return async (windowMs) => {
    const past = await log.load();
    let spent: readonly SpentPermit[] = past.map(({ id, purpose, endedMsAgo }) => ({
      ...{ id, purpose, ...OF_PAST },
      ...{ endedAt: elapsed() - endedMsAgo, endsBy: Infinity },
    }));
    const drop = (entry: SpentPermit): void => {
      spent = spent.filter((each) => each !== entry);
    };
    const all = (): readonly SpentPermit[] => {
      const at = elapsed();
      const expired = spent.filter((entry) => !isCounted(entry, windowMs, at));
      if (expired.length > 0) {
        log.forget(expired.map(({ id }) => id));
        spent = spent.filter((entry) => isCounted(entry, windowMs, at));
      }
      return spent;
    };
    return {
      all,
      freeAt: (entry) => freeAt(entry, windowMs, elapsed()),
      withheldUntil: () => -Infinity,
      add: async (purpose, pay) => {
        const payment = pay(all());
        if (payment === null) return null;
        const { id, stored } = log.add(purpose);
        const entry: SpentPermit = { id, purpose, ...payment, endedAt: null, endsBy: Infinity };
        spent = [...spent, entry];
        try {
          await stored;
        } catch (error) {
          drop(entry);
          throw error;
        }
        return entry;
      },
      isVoid: () => false,
      giveBack: (entry) => {
        drop(entry);
        log.forget([entry.id]);
      },
      settle: (entry) => {
        if (entry.endedAt !== null) return;
        entry.endedAt = elapsed();
        log.settle(entry.id);
      },
      refresh: null,
    };
  };
}
