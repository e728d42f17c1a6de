/** When a perpetual may be asked about again although its last read brought nothing new. */
export interface Patience {
  readonly isOver: (productId: number, now: number) => boolean;
  readonly broughtNothing: (productId: number, now: number) => void;
  readonly failed: (productId: number, now: number, seconds: number) => void;
  readonly broughtSomething: (productId: number) => void;
}

const FIRST_PAUSE_MS = 15_000;
const LONGEST_PAUSE_MS = 600_000;

/** Each read in vain doubles the pause: a rate that is late, or will never come, must not eat the budget. */
export function createPatience(): Patience {
  const pauses = new Map<number, { readonly until: number; readonly inVain: number }>();
  const wait = (productId: number, until: number, inVain: number): void => void pauses.set(productId, { until, inVain });
  const inVainSoFar = (productId: number): number => pauses.get(productId)?.inVain ?? 0;
  return {
    isOver: (productId, at) => at >= (pauses.get(productId)?.until ?? -Infinity),
    broughtNothing: (productId, now) => {
      const inVain = inVainSoFar(productId);
      wait(productId, now + Math.min(FIRST_PAUSE_MS * 2 ** inVain, LONGEST_PAUSE_MS), inVain + 1);
    },
    failed: (productId, now, seconds) => {
      wait(productId, now + seconds * 1_000, inVainSoFar(productId));
    },
    broughtSomething: (productId) => void pauses.delete(productId),
  };
}
