import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createMarketRunner } from './market-runner.ts';

/** A market that counts how often it was asked to catch up, and a timer that goes off when it is told to. */
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

describe('createDriver', () => {
  it('has the market catch up at once and then again and again, one after the other', async () => {
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

  it('stops when what is being written is written, and sets no timer after that', async () => {
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

  it('reports once that a step could not be written, and lets the market stand still', async () => {
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
