/** Runs one work after another, in the order of the calls: each finds what the one before it has left, be it that it failed. */
export function createTurns(): <Done>(work: () => Promise<Done>) => Promise<Done> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}
