import type { LiveMarket } from './live-market.ts';

/** On the wall clock: how often what has happened since is written and shown. */
const PERIOD_MS = 200;

export interface MarketRunnerPorts {
  readonly setTimer: (call: () => void, milliseconds: number) => () => void;
  readonly report: (fault: unknown) => void;
}

/** Keeps the market up with the clock. */
export interface MarketRunner {
  readonly start: () => void;
  /** Resolves when nothing is being written any more. */
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
      report(new Error('The market stands still: what happened could not be written down.', { cause: fault }));
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
