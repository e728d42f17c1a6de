import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createAddressLimiter } from './address-limiter.ts';

const SECOND = 1_000;

describe('the address limiter', () => {
  test('admits the budgeted number of requests, then none until the first one leaves the window', () => {
    const admits = createAddressLimiter({ requests: 3, seconds: 300 });
    const tries = [0, 1, 2, 3, 299.999999, 300, 300.5, 301].map((seconds) => admits('a', seconds * SECOND));
    expect(tries).toEqual([true, true, true, false, false, true, false, true]);
  });

  test('counts each address separately', () => {
    const admits = createAddressLimiter({ requests: 1, seconds: 300 });
    expect([admits('a', 0), admits('b', 0), admits('a', 1), admits('b', 1)]).toEqual([true, true, false, false]);
  });

  test('never exceeds the budget within any window, and never refuses a request within it', () => {
    const gaps = fc.array(fc.integer({ min: 0, max: 40 }), { minLength: 1, maxLength: 200 });
    const property = fc.property(gaps, fc.integer({ min: 1, max: 9 }), (steps, requests) => {
      const admits = createAddressLimiter({ requests, seconds: 100 });
      const admitted: number[] = [];
      let now = 0;
      for (const step of steps) {
        now += step * SECOND;
        const inWindow = admitted.filter((time) => time > now - 100 * SECOND).length;
        expect(admits('a', now)).toBe(inWindow < requests);
        if (inWindow < requests) admitted.push(now);
      }
    });
    fc.assert(property, { numRuns: 200 });
  });

  test('drops addresses without recent requests, and no others', () => {
    const admits = createAddressLimiter({ requests: 1, seconds: 10 });
    for (let n = 0; n < 5_000; n++) admits(`silent ${String(n)}`, n);
    admits('recent', 20 * SECOND);
    for (let n = 0; n < 5_000; n++) admits(`later ${String(n)}`, 25 * SECOND);
    expect([admits('recent', 29 * SECOND), admits('recent', 30 * SECOND)]).toEqual([false, true]);
  });
});
