import type { Log } from '../log.ts';
import { VenueFailure, type Question, type Reader, type Venue } from '../ports.ts';
import type { Schedule } from '../reuse/waiting-line.ts';
import { runSelfTest, type SelfTestParts, type SelfTestRow } from './self-test.ts';

export interface WatchParts extends SelfTestParts {
  readonly reader: Reader;
  /** Asked to see whether the venue is back. */
  readonly question: Question;
  readonly schedule: Schedule;
  readonly now: () => number;
  readonly log: Log;
}

export interface SelfTestReport {
  readonly at: number;
  readonly rows: readonly SelfTestRow[];
}

/** Tries the venue at the start, and while it does not answer, asks from time to time whether it is back. */
export interface Watch {
  readonly start: () => void;
  readonly selfTest: () => Promise<readonly SelfTestRow[]>;
  /** Null before the first one is done. */
  readonly lastSelfTest: () => SelfTestReport | null;
  readonly close: () => void;
}

const PAUSE_MS = 10_000;
/** What fails by a mistake of the code may fail each time: it must not eat the budget. */
const LONGEST_PAUSE_MS = 300_000;

/** Ready: the venue has answered, and is being asked. */
export function isReady(venue: Pick<Venue, 'state'>): boolean {
  const { lastAnswerAt, circuit } = venue.state();
  return lastAnswerAt !== null && circuit === 'closed';
}

export function createWatch(parts: WatchParts): Watch {
  const { schedule, now, log, venue } = parts;
  const closing = new AbortController();
  let last: SelfTestReport | null = null;
  let cancel = (): void => undefined;

  const selfTest = async (): Promise<readonly SelfTestRow[]> => {
    const rows = await runSelfTest(parts, closing.signal);
    last = { at: now(), rows };
    const troubles = rows.filter(({ outcome }) => outcome === 'failed' || outcome === 'drift');
    log(troubles.length === 0 ? 'info' : 'warn', 'self-test', { clockOffsetMs: venue().clockOffsetMs, troubles });
    return rows;
  };

  const look = async (): Promise<void> => {
    if (last === null) await selfTest();
    else if (!isReady({ state: venue })) await askAgain(parts, closing.signal);
  };

  const goOn = async (pauseMs = PAUSE_MS): Promise<void> => {
    let next = PAUSE_MS;
    try {
      await look();
    } catch (error) {
      if (closing.signal.aborted) return;
      log('error', 'the watch failed', { reason: String(error) });
      next = Math.min(2 * pauseMs, LONGEST_PAUSE_MS);
    }
    if (!closing.signal.aborted) cancel = schedule(next, () => void goOn(next));
  };

  return {
    start: () => void goOn(),
    selfTest,
    lastSelfTest: () => last,
    close: () => {
      cancel();
      closing.abort();
    },
  };
}

async function askAgain({ reader, question }: WatchParts, signal: AbortSignal): Promise<void> {
  try {
    await reader.ask(question, { purpose: question.endpoint.purpose, signal });
  } catch (error) {
    // That it is still away is what the status says already.
    if (!(error instanceof VenueFailure)) throw error;
  }
}
