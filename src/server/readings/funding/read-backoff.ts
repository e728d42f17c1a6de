interface Now {
  /** Monotonic. */
  readonly elapsed: number;
  /** How many funding times have passed. */
  readonly fundingTimes: number;
}

/** When a perpetual may be read again after a read that brought nothing new. */
export interface ReadBackoff {
  readonly isOver: (productId: number, now: Now) => boolean;
  readonly foundNothing: (productId: number, now: Now) => void;
  readonly failed: (productId: number, now: Now, seconds: number) => void;
  readonly foundPrints: (productId: number) => void;
}

interface Pause {
  readonly until: number;
  readonly emptyReads: number;
  /** The next funding time ends the pause: it brings a print of its own, even if the last one was never published. */
  readonly fundingTimes: number;
}

const FIRST_PAUSE_MS = 15_000;
const MAX_PAUSE_MS = 600_000;

/** Each read without new prints doubles the pause: a late or missing rate must not use up the budget. */
export function createReadBackoff(): ReadBackoff {
  const pauses = new Map<number, Pause>();
  const emptyReadsSoFar = (productId: number, { fundingTimes }: Now): number => {
    const pause = pauses.get(productId);
    return pause !== undefined && fundingTimes <= pause.fundingTimes ? pause.emptyReads : 0;
  };
  return {
    isOver: (productId, now) => {
      const pause = pauses.get(productId);
      return pause === undefined || now.elapsed >= pause.until || now.fundingTimes > pause.fundingTimes;
    },
    foundNothing: (productId, now) => {
      const emptyReads = emptyReadsSoFar(productId, now);
      const until = now.elapsed + Math.min(FIRST_PAUSE_MS * 2 ** emptyReads, MAX_PAUSE_MS);
      pauses.set(productId, { until, emptyReads: emptyReads + 1, fundingTimes: now.fundingTimes });
    },
    failed: (productId, now, seconds) => {
      pauses.set(productId, {
        until: now.elapsed + seconds * 1_000,
        emptyReads: emptyReadsSoFar(productId, now),
        fundingTimes: Infinity,
      });
    },
    foundPrints: (productId) => void pauses.delete(productId),
  };
}
