/** How much of something is allowed. */
export interface Rate {
  /** At the same time. */
  readonly atOnce: number;
  /** At once after a pause. */
  readonly burst: number;
  /** In the long run. */
  readonly perSecond: number;
}

/** Who uses how much. */
export interface Usage {
  /**
   * Counts one use, until `release`. Returns 0, or the milliseconds after which to try again if it is not allowed. Where too
   * many are in progress, `makeRoom` may release one of them, and returns whether it did.
   */
  readonly take: (key: string, makeRoom?: () => boolean) => number;
  readonly release: (key: string) => void;
}

interface Used {
  /** How many of the burst are left, at a moment. */
  left: number;
  at: number;
  atOnce: number;
}

const BUSY_MS = 1_000;
const SWEEP_MS = 60_000;

export function createUsage({ atOnce, burst, perSecond }: Rate, elapsed: () => number): Usage {
  const uses = new Map<string, Used>();
  let sweptAt = elapsed();
  const leftOf = ({ left, at }: Used, now: number): number => Math.min(burst, left + ((now - at) * perSecond) / 1_000);

  /** Forgets those that are as if they had never come. */
  const sweep = (now: number): void => {
    if (now - sweptAt < SWEEP_MS) return;
    sweptAt = now;
    for (const [key, used] of uses) if (used.atOnce === 0 && leftOf(used, now) >= burst) uses.delete(key);
  };

  return {
    take: (key, makeRoom = () => false) => {
      const now = elapsed();
      sweep(now);
      const used = uses.get(key) ?? { left: burst, at: now, atOnce: 0 };
      uses.set(key, used);
      [used.left, used.at] = [leftOf(used, now), now];
      if (used.left < 1) return ((1 - used.left) * 1_000) / perSecond;
      if (used.atOnce >= atOnce && !makeRoom()) return BUSY_MS;
      used.left -= 1;
      used.atOnce += 1;
      return 0;
    },
    release: (key) => {
      const used = uses.get(key);
      if (used !== undefined) used.atOnce -= 1;
    },
  };
}
