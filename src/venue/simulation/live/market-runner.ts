import type { LiveMarket } from './live-market.ts';

/** How often changes are written and published, by the wall clock. */
const PERIOD_MS = 200;

export interface MarketRunnerPorts {
  readonly setTimer: (call: () => void, milliseconds: number) => () => void;
  readonly report: (fault: unknown) => void;
}

/** Keeps the market up to date with the clock. */
export interface MarketRunner {
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
          'The market has stopped: its last step could not be stored. Data up to then is still served. Restart the exchange to resume.',
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
