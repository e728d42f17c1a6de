/** When it is asked: on a clock that goes on evenly, and how many intervals had ended by then. */
interface Moment {
  readonly elapsed: number;
  readonly boundary: number;
}

/** When a perpetual may be asked about again although its last read brought nothing new. */
export interface Patience {
  readonly isOver: (productId: number, now: Moment) => boolean;
  readonly broughtNothing: (productId: number, now: Moment) => void;
  readonly failed: (productId: number, now: Moment, seconds: number) => void;
  readonly broughtSomething: (productId: number) => void;
}

interface Pause {
  readonly until: number;
  readonly inVain: number;
  /** The next one ends it: it brings a print of its own, also where the last was never settled. */
  readonly boundary: number;
}

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;

/** Each read in vain doubles the pause: a rate that is late, or will never come, must not eat the budget. */
export function createPatience(): Patience {
  const pauses = new Map<number, Pause>();
  const inVainSoFar = (productId: number, { boundary }: Moment): number => {
    const pause = pauses.get(productId);
    return pause !== undefined && boundary <= pause.boundary ? pause.inVain : 0;
  };
  return {
    isOver: (productId, now) => {
      const pause = pauses.get(productId);
      return pause === undefined || now.elapsed >= pause.until || now.boundary > pause.boundary;
    },
    broughtNothing: (productId, now) => {
      const inVain = inVainSoFar(productId, now);
      const until = now.elapsed + Math.min(FIRST_PAUSE_MS * 2 ** inVain, LONGEST_PAUSE_MS);
      pauses.set(productId, { until, inVain: inVain + 1, boundary: now.boundary });
    },
    failed: (productId, now, seconds) => {
      pauses.set(productId, { until: now.elapsed + seconds * 1_000, inVain: inVainSoFar(productId, now), boundary: Infinity });
    },
    broughtSomething: (productId) => void pauses.delete(productId),
  };
}
