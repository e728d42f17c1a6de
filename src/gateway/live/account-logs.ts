import type { Frame } from './frame.ts';

interface Entry {
  readonly tick: number;
  readonly frame: Frame;
}

/** The changes of one account: nothing in it depends on what happens in others. */
interface AccountLog {
  entries: Entry[];
  bytes: number;
  /** All changes after this tick are there. */
  since: number;
}

/** The last changes of a topic, for streams that broke off or fell behind. */
export interface AccountLogs {
  readonly append: (tick: number, frames: ReadonlyMap<string, Frame>) => void;
  /** The changes after a tick; null where some are no longer there. */
  readonly after: (tick: number) => readonly Frame[] | null;
  /** Nothing before this tick counts any more. */
  readonly restart: (tick: number) => void;
}

/** Of each account, so that one that changes often pushes out no others. */
const MAX_BYTES = 256 * 1_024;

export function createAccountLogs(): AccountLogs {
  const logs = new Map<string, AccountLog>();
  let startedAt = Infinity;
  const logOf = (account: string): AccountLog => {
    const log = logs.get(account) ?? { entries: [], bytes: 0, since: startedAt };
    logs.set(account, log);
    return log;
  };
  return {
    append: (tick, frames) => {
      for (const [account, frame] of frames) {
        const log = logOf(account);
        log.entries.push({ tick, frame });
        log.bytes += sizeOf(frame);
        dropOldest(log);
      }
    },
    after: (tick) => {
      if (tick < startedAt || [...logs.values()].some(({ since }) => tick < since)) return null;
      const entries = [...logs.values()].flatMap((log) => log.entries.filter((entry) => entry.tick > tick));
      return entries.sort((a, b) => a.tick - b.tick).map(({ frame }) => frame);
    },
    restart: (tick) => {
      logs.clear();
      startedAt = tick;
    },
  };
}

function dropOldest(log: AccountLog): void {
  while (log.bytes > MAX_BYTES) {
    const oldest = log.entries.shift();
    if (oldest === undefined) return;
    log.bytes -= sizeOf(oldest.frame);
    log.since = oldest.tick;
  }
}

function sizeOf({ plain, packed }: Frame): number {
  return plain.byteLength + packed.byteLength;
}
