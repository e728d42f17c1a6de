interface Timer {
  readonly at: number;
  readonly call: () => void;
}

/** A clock that a test advances. Timers that become due on the way are called in order. */
export interface FakeClock {
  readonly now: () => number;
  /** Returns a monotonic time, regardless of how `now` is set. */
  readonly elapsed: () => number;
  /** Sets `now` forward or back, as NTP does. */
  readonly correct: (milliseconds: number) => void;
  readonly schedule: (milliseconds: number, call: () => void) => () => void;
  readonly advance: (milliseconds: number) => Promise<void>;
  readonly timers: () => number;
}

export function createFakeClock(start = 1_700_000_000_000): FakeClock {
  let time = 0;
  let setTo = start;
  let timers: Timer[] = [];
  const remove = (timer: Timer): void => {
    timers = timers.filter((other) => other !== timer);
  };
  return {
    now: () => setTo + time,
    elapsed: () => time,
    correct: (milliseconds) => {
      setTo += milliseconds;
    },
    schedule: (milliseconds, call) => {
      const timer = { at: time + milliseconds, call };
      timers.push(timer);
      return () => {
        remove(timer);
      };
    },
    advance: async (milliseconds) => {
      const end = time + milliseconds;
      for (;;) {
        const [next] = timers.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at);
        if (next === undefined) break;
        time = next.at;
        remove(next);
        next.call();
        await flushPromises();
      }
      time = end;
      await flushPromises();
    },
    timers: () => timers.length,
  };
}

/** Waits for work that may wait for the clock: advances it by so much, unless the work ends without that. */
export async function waitWith<Done>(
  { advance }: Pick<FakeClock, 'advance'>,
  milliseconds: number,
  work: Promise<Done>,
): Promise<Done> {
  const hasEnded = await Promise.race([work.then(() => true), flushPromises().then(() => false)]);
  if (!hasEnded) await advance(milliseconds);
  return work;
}

function flushPromises(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
