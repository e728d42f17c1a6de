/** Runs one piece of work after another. A failure does not stop those after it, unless the database has stalled. */
export type WriteQueue = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** A database that fails only after this long does not respond: what waited meanwhile would wait in vain. */
const STALLED_MS = 3_000;

interface Stall {
  readonly failure: unknown;
  /** What entered the queue in this round or before fails as well. */
  readonly round: number;
}

/** `elapsed` is monotonic. */
export function createWriteQueue(elapsed: () => number): WriteQueue {
  let last: Promise<unknown> = Promise.resolve();
  let round = 0;
  let stall: Stall | null = null;
  const run = async <Result>(work: () => Promise<Result>, enteredIn: number): Promise<Result> => {
    if (stall !== null && enteredIn <= stall.round) throw stall.failure;
    const begunAt = elapsed();
    try {
      return await work();
    } catch (failure) {
      if (elapsed() - begunAt >= STALLED_MS) stall = { failure, round: round++ };
      throw failure;
    }
  };
  return (work) => {
    const enteredIn = round;
    const result = last.then(() => run(work, enteredIn));
    last = result.catch(() => undefined);
    return result;
  };
}
