import { describe, expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { completeLegs, type LegCandidate } from './spread-legs.ts';

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
