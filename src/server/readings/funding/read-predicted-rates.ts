import { PREDICTED_RATE_STEP } from '#contract/desk/funding.ts';
import { FUNDING_INTERVAL_HOURS } from '#contract/exchange/market-data.ts';
import { setBounded } from '#server/core/maps.ts';
import type { Log, Schedule } from '#server/core/ports.ts';
import { VenueFailure } from '#server/core/venue-failure.ts';
import { type EstimatedInterval, type EstimateStore, toInterval } from './estimate-store.ts';

export interface PredictedRateReadsDeps {
  /** The base symbols of the perpetuals that trade, always in the same order. Rejects if they cannot be read. */
  readonly symbols: () => Promise<readonly string[]>;
  /** Reads the predicted rate of a perpetual, which also stores it. Returns the response. */
  readonly read: (baseSymbol: string) => Promise<string>;
  readonly estimates: Pick<EstimateStore, 'isReadSince'>;
  /** Whether this desk reads for all, the exchange responds, and at least half of the request budget is free. */
  readonly mayRead: () => boolean;
  readonly venueNow: () => number;
  /** Monotonic. */
  readonly elapsed: () => number;
  readonly schedule: Schedule;
  readonly log: Log;
}

/**
 * Reads predicted rates for all screens, and also while none shows them, so that each can be compared with its settled
 * rate.
 */
export interface PredictedRateReads {
  readonly start: () => void;
  /** Notes that a screen shows the predicted rate of a perpetual: for a while, it is read more often. */
  readonly want: (baseSymbol: string) => void;
  readonly close: () => void;
}

interface Plan {
  /** When its predicted rate is due to be read, by the exchange’s clock. */
  readonly at: number;
  /** The last known interval; null before the first read. */
  readonly interval: EstimatedInterval | null;
  /** When it was last read, or tried to be, by the monotonic clock. */
  readonly triedAt: number;
}

/** After an outage, overdue reads follow each other at this distance at least. */
const LEAST_PAUSE_MS = 30_000;
/** Until each has been read once, they follow each other faster: screens show nothing for the others. */
const FIRST_PAUSE_MS = 1_000;
/** How often those are read that a screen shows, and how long a screen is taken to show them. */
const WANTED_EVERY_MS = 300_000;
const WANTED_FOR_MS = 600_000;
const MOST_WANTED = 1_000;
const RETRY_MS = 300_000;
const SYMBOLS_MS = 3_600_000;
/** The part of a step in which perpetuals are read. In the rest, a read that failed is repeated. */
const SPREAD = 0.75;
const USUAL_STEP_MS = FUNDING_INTERVAL_HOURS * 3_600_000 * PREDICTED_RATE_STEP;

/**
 * Reads each perpetual once in each step of its funding interval, one perpetual after the other, evenly spread. If one
 * has been read otherwise in a step, that is enough. Those that screens show are read every few minutes.
 */
export function createPredictedRateReads(deps: PredictedRateReadsDeps): PredictedRateReads {
  const { schedule, log, venueNow } = deps;
  let plans = new Map<string, Plan>();
  // The start of the server has reads of its own.
  let listAt = deps.elapsed() + LEAST_PAUSE_MS;
  let isClosed = false;
  let cancel = (): void => undefined;
  const wantedAt = new Map<string, number>();

  const isWanted = (symbol: string): boolean => deps.elapsed() - (wantedAt.get(symbol) ?? -Infinity) < WANTED_FOR_MS;

  const isTurnOf = ([symbol, plan]: readonly [string, Plan]): boolean =>
    isDue(plan, venueNow()) || (isWanted(symbol) && deps.elapsed() - plan.triedAt >= WANTED_EVERY_MS);

  const listAgain = async (): Promise<void> => {
    if (deps.elapsed() < listAt) return;
    const symbols = await deps.symbols();
    const now = venueNow();
    listAt = deps.elapsed() + SYMBOLS_MS;
    plans = new Map(
      symbols.map((symbol) => [symbol, plans.get(symbol) ?? { at: now, interval: null, triedAt: -Infinity }]),
    );
  };

  const readNext = async (): Promise<void> => {
    if (!deps.mayRead()) return;
    await listAgain();
    const now = venueNow();
    const [next] = [...plans].filter(isTurnOf).sort(([, one], [, other]) => one.at - other.at);
    if (next === undefined) return;
    const [symbol, { interval }] = next;
    const triedAt = deps.elapsed();
    // Until the read has succeeded, and if it shows no interval that contains the present.
    plans.set(symbol, { at: now + RETRY_MS, interval, triedAt });
    if (!isWanted(symbol) && interval !== null && isWithin(interval, now) && (await isRead(symbol, interval, now))) {
      plans.set(symbol, { at: toNextStep(symbol, interval, now), interval, triedAt });
      return;
    }
    const found = toInterval(await deps.read(symbol));
    if (found !== null && isWithin(found, now))
      plans.set(symbol, { at: toNextStep(symbol, found, now), interval: found, triedAt });
  };

  const isRead = (symbol: string, interval: EstimatedInterval, now: number): Promise<boolean> => {
    const share = Math.floor(toShare(interval, now) / PREDICTED_RATE_STEP) * PREDICTED_RATE_STEP;
    return deps.estimates.isReadSince(symbol, interval.endAt, share);
  };

  /** Each perpetual has its own moment within a step, the first of them its beginning. */
  const toNextStep = (symbol: string, interval: EstimatedInterval, now: number): number => {
    const stepMs = toStepMs(interval);
    const place = ([...plans.keys()].indexOf(symbol) / plans.size) * SPREAD;
    return interval.start + (Math.floor((now - interval.start) / stepMs) + 1 + place) * stepMs;
  };

  /** Often enough for all perpetuals, even if each read is a whole pause late. */
  const toPause = (): number => {
    const all = [...plans];
    if (all.some(([, plan]) => plan.interval === null && isDue(plan, venueNow()))) return FIRST_PAUSE_MS;
    const steps = all.map(([symbol, { interval }]) =>
      isWanted(symbol) ? Math.min(WANTED_EVERY_MS, toStepMs(interval)) : toStepMs(interval),
    );
    return Math.max(1, Math.min(LEAST_PAUSE_MS, (Math.min(...steps) * SPREAD) / (2 * plans.size)));
  };

  const run = async (): Promise<void> => {
    try {
      await readNext();
    } catch (error) {
      // The status already reports failures of the exchange.
      if (!(error instanceof VenueFailure) && !isClosed)
        log('error', 'predicted rate not read', { reason: String(error) });
    }
    wait();
  };

  const wait = (): void => {
    if (!isClosed) cancel = schedule(toPause(), () => void run());
  };

  return {
    start: wait,
    want: (symbol) => {
      setBounded(wantedAt, symbol, deps.elapsed(), MOST_WANTED);
    },
    close: () => {
      isClosed = true;
      cancel();
    },
  };
}

/** Also due if it was planned by a clock that has been set back since. */
function isDue({ at, interval }: Plan, now: number): boolean {
  return at <= now || at > now + 2 * toStepMs(interval);
}

function toStepMs(interval: EstimatedInterval | null): number {
  return interval === null ? USUAL_STEP_MS : (interval.end - interval.start) * PREDICTED_RATE_STEP;
}

function isWithin({ start, end }: EstimatedInterval, time: number): boolean {
  return time >= start && time < end;
}

function toShare({ start, end }: EstimatedInterval, time: number): number {
  return (time - start) / (end - start);
}
