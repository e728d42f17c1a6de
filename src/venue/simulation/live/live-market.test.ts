import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMarketRunner } from './live-market.ts';

/** Creates a market that counts its catch-ups, and a timer that a test fires. */
function setUp(catchUp: (count: number) => Promise<void> = () => Promise.resolve()) {
  const faults: unknown[] = [];
  const timers: (() => void)[] = [];
  let count = 0;
  let isHalted = false;
  const market = {
    catchUp: () => catchUp((count += 1)),
    halt: () => {
      isHalted = true;
    },
  };
  const setTimer = (call: () => void): (() => void) => {
    timers.push(call);
    return () => {
      timers.splice(timers.indexOf(call), 1);
    };
  };
  const driver = createMarketRunner(market, { setTimer, report: (fault) => faults.push(fault) });
  const goOff = async (): Promise<void> => {
    timers.shift()?.();
    await nextTurn();
  };
  return { driver, faults, timers, goOff, count: () => count, isHalted: () => isHalted };
}

describe('createMarketRunner', () => {
  it('lets the market catch up at once, and then periodically, one step after the other', async () => {
    const { driver, goOff, timers, count } = setUp();
    driver.start();
    driver.start();
    await nextTurn();
    expect(count()).toBe(1);
    await goOff();
    await goOff();
    expect(count()).toBe(3);
    expect(timers).toHaveLength(1);
  });

  it('does not begin a step while another one is being written', async () => {
    let finish = (): void => undefined;
    const { driver, timers } = setUp(() => new Promise((resolve) => (finish = resolve)));
    driver.start();
    await nextTurn();
    expect(timers).toEqual([]);
    finish();
    await nextTurn();
    expect(timers).toHaveLength(1);
  });

  it('stops once the current step is written, and sets no timer after that', async () => {
    let finish = (): void => undefined;
    const { driver, timers, isHalted } = setUp(() => new Promise((resolve) => (finish = resolve)));
    driver.start();
    let isStopped = false;
    const stopped = driver.stop().then(() => (isStopped = true));
    await nextTurn();
    expect(isStopped).toBe(false);
    expect(isHalted()).toBe(true);
    finish();
    await stopped;
    expect(timers).toEqual([]);
  });

  it('reports once that a step could not be stored, and stops the market', async () => {
    const { driver, faults, timers, goOff } = setUp((count) =>
      count === 2 ? Promise.reject(new Error('disk full')) : Promise.resolve(),
    );
    driver.start();
    await nextTurn();
    await goOff();
    expect(timers).toEqual([]);
    expect(faults).toHaveLength(1);
    expect(String((faults[0] as Error).cause)).toContain('disk full');
  });
});
