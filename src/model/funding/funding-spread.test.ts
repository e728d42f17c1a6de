import { describe, expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { completeLegs, createFundingSpread, type LegCandidate, measureSpread } from './funding-spread.ts';
import fc from 'fast-check';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { createFundingSeries } from './funding-series.ts';
import numbers from './funding-numbers.json' with { type: 'json' };

const NONE = { long: null, short: null };

function candidate(symbol: string, sum: string | null, prints = 21): LegCandidate {
  return { symbol, prints, sum: sum === null ? null : toDecimal(sum) };
}

const all = [candidate('MIDDLE', '0.001'), candidate('HIGH', '0.004'), candidate('LOW', '-0.002')];

describe('the legs of a spread', () => {
  it('are long the lowest and short the highest sum, which receives', () => {
    expect(completeLegs(all, NONE)).toEqual({ long: 'LOW', short: 'HIGH' });
  });

  it('leave out a perpetual with fewer settled rates, or none', () => {
    expect(completeLegs([...all, candidate('NEW', '0.9', 5), candidate('EMPTY', null, 0)], NONE)).toEqual({
      long: 'LOW',
      short: 'HIGH',
    });
  });

  it('are empty where one alone has the coverage, or all have the same sum', () => {
    expect(completeLegs([candidate('ONE', '0.001'), candidate('NEW', '0.002', 5)], NONE)).toEqual(NONE);
    expect(completeLegs([candidate('A', '0.001'), candidate('B', '0.0010')], NONE)).toEqual(NONE);
    expect(completeLegs([], NONE)).toEqual(NONE);
  });

  it('keep a leg that was chosen, and never take it twice', () => {
    expect(completeLegs(all, { long: 'HIGH', short: null })).toEqual({ long: 'HIGH', short: 'MIDDLE' });
    expect(completeLegs(all, { long: null, short: 'LOW' })).toEqual({ long: 'MIDDLE', short: 'LOW' });
    expect(completeLegs(all, { long: 'MIDDLE', short: 'LOW' })).toEqual({ long: 'MIDDLE', short: 'LOW' });
  });
});

const toSeries = (prints: readonly WrittenPrint[]) =>
  createFundingSeries({ prints: toWirePrints(prints), knownFrom: null, reachesLaunch: false });
const intervals = (from: number, to: number) => ({
  from: Date.parse(fundingTimeAt(from)),
  to: Date.parse(fundingTimeAt(to)),
});

const rate = fc
  .integer({ min: -9_000_000, max: 9_000_000 })
  .map((e10) => toDecimal(String(e10)).times('1e-10').toFixed());
const tiny = fc.integer({ min: 1, max: 99 }).map((count) => `0.0001000000000000000${String(count)}`);
const history = fc
  .array(fc.option(fc.oneof({ weight: 9, arbitrary: rate }, { weight: 1, arbitrary: tiny })), { maxLength: 40 })
  .map((rates) => rates.flatMap((value, at) => (value === null ? [] : [printAt(at, value)])));

describe('the spread of two perpetuals', () => {
  it('has the opposite sign when reversed, per interval and in sum', () => {
    fc.assert(
      fc.property(history, history, (left, right) => {
        const there = createFundingSpread(toSeries(left), toSeries(right));
        const back = createFundingSpread(toSeries(right), toSeries(left));
        expect(back.common.map(({ end }) => end)).toEqual(there.common.map(({ end }) => end));
        for (const index of there.common.keys())
          expect(there.difference(index).plus(back.difference(index)).toFixed()).toBe('0');
        const [one, other] = [measureSpread(there, intervals(0, 40)), measureSpread(back, intervals(0, 40))];
        expect(other.prints).toBe(one.prints);
        expect(one.sum?.plus(other.sum ?? 1).toFixed()).toBe(one.prints === 0 ? undefined : '0');
        expect(one.carry?.toFixed()).toBe(other.sum?.toFixed());
      }),
    );
  });

  it('with itself is zero', () => {
    const one = toSeries([printAt(0, '0.0001'), printAt(1, '-0.0003')]);
    const measured = measureSpread(createFundingSpread(one, one), intervals(0, 2));
    expect([measured.sum, measured.carry, measured.carryApr].map(String)).toEqual(['0', '0', '0']);
  });

  it('includes only intervals that both have settled', () => {
    const spread = createFundingSpread(
      toSeries([printAt(0, '0.0004'), printAt(1, '0.0004')]),
      toSeries([printAt(1, '0.0001'), printAt(2, '0.0001')]),
    );
    expect(measureSpread(spread, intervals(0, 3))).toMatchObject({ prints: 1, intervals: 3 });
    expect(spread.difference(0).toFixed()).toBe('0.0003');
    expect(() => spread.difference(1)).toThrow(RangeError);
  });

  it('equals the result of an independent calculator', () => {
    const [long, short] = numbers.histories.map(({ prints }) => toSeries(prints));
    if (long === undefined || short === undefined) throw new Error('no histories');
    const { prints, sum, carry, carryApr } = measureSpread(createFundingSpread(long, short), intervals(0, 320));
    expect({ prints, sum: sum?.toFixed(20), carry: carry?.toFixed(20), carryApr: carryApr?.toFixed(30) }).toEqual(
      numbers.spread,
    );
  });
});
