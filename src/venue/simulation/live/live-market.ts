import type { Micros } from '../../core/model.ts';
import type { Changes, Store } from '../../core/ports.ts';
import { type MarketSetup, reachedFact } from '../market-setup.ts';
import type { ResumeState } from '../resume-state.ts';
import { toTradeRetentionStart } from '../history/history.ts';
import { toNanos } from '../order-ids.ts';
import { createSimulator } from './simulator.ts';
import type { PublishedMarket } from './published-market.ts';

const DAY = 86_400_000_000;
const KEEP_SAMPLES = 3 * DAY;

/** The running market. It writes changes to disk before it publishes them. */
export interface LiveMarket {
  /** Advances the market to the present. Concurrent calls run one after another. */
  readonly catchUp: () => Promise<void>;
  /** Stops after the step that is being written. */
  readonly halt: () => void;
}

export interface LiveMarketConfig {
  readonly store: Store;
  readonly setup: MarketSetup;
  readonly resumeState: ResumeState;
  readonly published: PublishedMarket;
  readonly persistLag: Micros;
  /** How many times the usual number of orders the accounts send. */
  readonly activity: number;
  readonly pause: () => Promise<void>;
  readonly now: () => Micros;
}

export function createLiveMarket(config: LiveMarketConfig): LiveMarket {
  const { store, setup, resumeState, published, persistLag, activity, pause, now } = config;
  const simulation = createSimulator(setup, resumeState, activity);
  // The first step already prunes: otherwise an exchange that never runs for a whole day would keep everything.
  let pruned = -Infinity;
  let last = Promise.resolve();
  let isHalted = false;

  const prune = async (reached: Micros): Promise<void> => {
    if (reached - pruned < DAY) return;
    pruned = reached;
    await store.prune({ trades: toTradeRetentionStart(reached), samples: reached - KEEP_SAMPLES });
  };
  const step = async (until: Micros): Promise<Micros> => {
    const { changes, reached } = simulation.step(until);
    if (hasChanges(changes)) await store.commit({ ...changes, facts: reachedFact(reached) });
    published.publish(changes, reached);
    published.persist(await store.project(toNanos(reached - persistLag)));
    await prune(reached);
    return reached;
  };
  const advance = async (until: Micros): Promise<void> => {
    while (!isHalted && (await step(until)) < until) await pause();
  };
  const advanceTo = (until: Micros): Promise<void> => {
    // A failed step leaves the books ahead of the disk, so every later call must fail too.
    last = last.then(() => advance(until));
    return last;
  };
  return {
    catchUp: () => advanceTo(now()),
    halt: () => {
      isHalted = true;
    },
  };
}

function hasChanges({ orders = [], trades = [], sessions = [], funding = [], samples = [] }: Changes): boolean {
  return orders.length + trades.length + sessions.length + funding.length + samples.length > 0;
}

/** How often changes are written and published, in milliseconds of the wall clock. */
const PERIOD_MS = 200;

interface MarketRunnerPorts {
  readonly setTimer: (call: () => void, milliseconds: number) => () => void;
  readonly report: (fault: unknown) => void;
}

/** Keeps the market up to date with the clock. */
interface MarketRunner {
  readonly start: () => void;
  /** Resolves when the last step is written. */
  readonly stop: () => Promise<void>;
}

export function createMarketRunner(market: LiveMarket, { setTimer, report }: MarketRunnerPorts): MarketRunner {
  let running = false;
  let cancel = (): void => undefined;
  let step = Promise.resolve();

  const next = (): void => {
    if (running) cancel = setTimer(go, PERIOD_MS);
  };
  const go = (): void => {
    step = market.catchUp().then(next, (fault: unknown) => {
      running = false;
      report(
        new Error(
          'The market has stopped: its last step could not be stored. Data up to then is still served. ' +
            'Restart the exchange to resume.',
          { cause: fault },
        ),
      );
    });
  };
  return {
    start: () => {
      if (running) return;
      running = true;
      go();
    },
    stop: () => {
      running = false;
      cancel();
      market.halt();
      return step;
    },
  };
}
