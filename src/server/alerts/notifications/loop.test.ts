import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createLoop } from './deliver.ts';

test.each(Array.from({ length: 12 }, (_, index) => index))(
  'a wake %i microtasks after another is followed by a turn',
  async (microtasks) => {
    let turns = 0;
    const turn = (): Promise<number> => {
      turns += 1;
      return Promise.resolve(Infinity);
    };
    const loop = createLoop({ turn, mayRun: () => true, schedule: () => () => undefined, failed: () => Infinity });
    loop.wake();
    for (let passed = 0; passed < microtasks; passed++) await Promise.resolve();
    const before = turns;
    loop.wake();
    await setImmediate();
    expect([before, turns]).toEqual([1, 2]);
  },
);
