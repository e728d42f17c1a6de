import { maySee, type Access } from './access.ts';
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
  /** The changes after a tick, of the accounts that may be seen; null where some of those are no longer there. */
  readonly after: (tick: number, access: Access) => readonly Frame[] | null;
  /** Nothing before this tick counts any more. */
  readonly restart: (tick: number) => void;
}

/** Of each account, so that one that changes often pushes out no others. */
const MOST_OF_ACCOUNT = 256 * 1_024;
/** Of all accounts of a topic. Beyond it, a snapshot is hardly larger than the changes. */
const MOST_OF_ALL = 4 * 1_024 * 1_024;
/** What an entry takes beside its bytes, and a log beside its entries, so that many small ones are bounded as well. */
const OWN_BYTES = 512;

export function createAccountLogs(): AccountLogs {
  const logs = new Map<string, AccountLog>();
  let startedAt = Infinity;
  let bytes = 0;
  const logOf = (account: string): AccountLog => {
    const known = logs.get(account);
    if (known !== undefined) return known;
    const log = { entries: [], bytes: OWN_BYTES, since: startedAt };
    logs.set(account, log);
    bytes += log.bytes;
    return log;
  };
  const add = (log: AccountLog, entry: Entry): void => {
    log.entries.push(entry);
    log.bytes += sizeOf(entry);
    bytes += sizeOf(entry);
  };
  const dropOldest = (log: AccountLog): void => {
    const oldest = log.entries.shift();
    if (oldest === undefined) return;
    log.bytes -= sizeOf(oldest);
    bytes -= sizeOf(oldest);
    log.since = oldest.tick;
  };
  const restart = (tick: number): void => {
    logs.clear();
    bytes = 0;
    startedAt = tick;
  };
  /** The largest log gives way: an account that has no more than its share loses nothing to others. */
  const boundAll = (tick: number): void => {
    while (bytes > MOST_OF_ALL) {
      const largest = largestOf(logs.values());
      if (largest === undefined || largest.entries.length === 0) restart(tick);
      else dropOldest(largest);
    }
  };
  return {
    append: (tick, frames) => {
      for (const [account, frame] of frames) {
        const log = logOf(account);
        add(log, { tick, frame });
        while (log.bytes > MOST_OF_ACCOUNT) dropOldest(log);
      }
      boundAll(tick);
    },
    after: (tick, access) => {
      const seen = [...logs].filter(([account]) => maySee(access, account)).map(([, log]) => log);
      if (tick < startedAt || seen.some(({ since }) => tick < since)) return null;
      const entries = seen.flatMap((log) => log.entries.filter((entry) => entry.tick > tick));
      return entries.sort((a, b) => a.tick - b.tick).map(({ frame }) => frame);
    },
    restart,
  };
}

function largestOf(logs: Iterable<AccountLog>): AccountLog | undefined {
  let largest: AccountLog | undefined;
  for (const log of logs) if (log.bytes > (largest?.bytes ?? 0)) largest = log;
  return largest;
}

function sizeOf({ frame: { plain, packed } }: Entry): number {
  return plain.byteLength + packed.byteLength + OWN_BYTES;
}
