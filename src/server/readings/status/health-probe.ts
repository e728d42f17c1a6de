import {
  DESK_ITSELF,
  type Log,
  type Reader,
  type Schedule,
  type VenueRequest,
  type VenueState,
} from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import type { Viewer } from '#server/core/viewer.ts';
import { runSelfTest, type SelfTestDeps, type SelfTestRow } from './self-test.ts';

export interface HealthProbeDeps extends SelfTestDeps {
  readonly reader: Reader;
  /** The request that finds out whether the exchange is back. */
  readonly request: VenueRequest;
  readonly schedule: Schedule;
  readonly log: Log;
}

export interface SelfTestReport {
  readonly at: number;
  readonly rows: readonly SelfTestRow[];
}

/** Runs the self-test at the start, and probes the exchange from time to time while it does not respond. */
export interface HealthProbe {
  readonly start: () => void;
  readonly selfTest: () => Promise<readonly SelfTestRow[]>;
  /** Null until the first one has finished. */
  readonly lastSelfTest: () => SelfTestReport | null;
  readonly close: () => void;
}

const PAUSE_MS = 10_000;
/**
 * Once a read has failed and none has succeeded for this long, a probe shows whether only one endpoint fails, or the
 * exchange.
 */
const DOUBTFUL_MS = 15_000;
/** A bug may make every probe fail, which must not use up the budget. */
const MAX_PAUSE_MS = 300_000;

/** Whether the exchange has responded and reads are not paused. */
function isReady({ lastResponseAt, circuit }: Pick<VenueState, 'lastResponseAt' | 'circuit'>): boolean {
  return lastResponseAt !== null && circuit === 'closed';
}

/**
 * Returns why Perpdesk is not ready; null if it is. What the exchange responded is for administrators, since it says
 * what people read.
 */
export function describeUnready(
  venue: Pick<VenueState, 'lastResponseAt' | 'circuit' | 'lastFailure'>,
  writeProblem: string | null,
  { roles }: Pick<Viewer, 'roles'>,
): string | null {
  if (writeProblem !== null) return writeProblem;
  if (isReady(venue)) return null;
  if (venue.lastFailure === null) return 'no response from the exchange yet';
  return roles.has('admin') ? venue.lastFailure.problem.detail : 'Perpdesk cannot read the exchange.';
}

/**
 * Whether the last read failed and none has succeeded for a while. If only one endpoint is read, nothing else would
 * find out.
 */
function isInDoubt({ lastResponseAt, lastFailure }: VenueState, now: number): boolean {
  return (
    lastResponseAt !== null &&
    lastFailure !== null &&
    lastFailure.at > lastResponseAt &&
    now - lastResponseAt > DOUBTFUL_MS
  );
}

export function createHealthProbe(deps: HealthProbeDeps): HealthProbe {
  const { schedule, now, log, venue } = deps;
  const closing = new AbortController();
  let last: SelfTestReport | null = null;
  let cancel = (): void => undefined;

  const selfTest = async (): Promise<readonly SelfTestRow[]> => {
    const rows = await runSelfTest(deps, closing.signal);
    last = { at: now(), rows };
    const problems = rows.filter(({ outcome }) => outcome === 'failed' || outcome === 'drift');
    log(problems.length === 0 ? 'info' : 'warn', 'self-test', { clockOffsetMs: venue().clockOffsetMs, problems });
    return rows;
  };

  const check = async (): Promise<void> => {
    if (last === null) await selfTest();
    else if (!isReady(venue()) || isInDoubt(venue(), now())) await probe(deps, closing.signal);
  };

  const run = async (pauseMs = PAUSE_MS): Promise<void> => {
    let next = PAUSE_MS;
    try {
      await check();
    } catch (error) {
      if (closing.signal.aborted) return;
      log('error', 'health probe failed', { reason: String(error) });
      next = Math.min(2 * pauseMs, MAX_PAUSE_MS);
    }
    if (!closing.signal.aborted) cancel = schedule(next, () => void run(next));
  };

  return {
    start: () => void run(),
    selfTest,
    lastSelfTest: () => last,
    close: () => {
      cancel();
      closing.abort();
    },
  };
}

async function probe({ reader, request }: HealthProbeDeps, signal: AbortSignal): Promise<void> {
  try {
    // Bypasses the cache: a cached response says nothing about the exchange.
    await reader.read(request, { purpose: request.endpoint.purpose, payers: DESK_ITSELF, signal, refresh: true });
  } catch (error) {
    // The status already reports that the exchange does not respond.
    if (!(error instanceof VenueFailure)) throw error;
  }
}
