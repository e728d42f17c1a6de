import { describe, expect, it } from 'vitest';
import { toDecimal } from '../../units/decimal.ts';
import type { Quantity } from '../../units/quantity.ts';
import { chooseCharted, type CompareRow, rankRows } from './compare-row.ts';
import type { RankBy } from './compare-params.ts';

type Values = Partial<Record<'settled' | 'excess' | 'estimate' | 'zScore', string>> & {
  readonly lower?: number;
  readonly predictedTo?: string;
};

const quantity = (text: string | undefined): Quantity | null =>
  text === undefined ? null : ({ value: toDecimal(text) } as Quantity);

function rowOf(
  symbol: string,
  { settled, excess, estimate, zScore = '0', lower = 0, predictedTo = '08:00' }: Values,
): CompareRow {
  const standing = { intervals: 1_000, below: lower, equal: 1, zScore: toDecimal(zScore) };
  const latestEstimate = { value: { interval_end: predictedTo } };
  return {
    symbol,
    behindBecause: null,
    premium: null,
    settled: quantity(settled),
    excess: quantity(excess),
    estimate: quantity(estimate),
    latestEstimate,
    interval: { interval_end: '08:00' },
    standing: () => standing,
  } as unknown as CompareRow;
}

function order(rows: readonly CompareRow[], by: RankBy): readonly string[] {
  return rankRows(rows, by, 'market')
    .filter(({ rank }) => rank !== null)
    .toSorted((a, b) => Number(a.rank) - Number(b.rank))
    .map(({ symbol }) => symbol);
}

describe('ranking', () => {
  it('by the rate beyond the interest rate has the largest first, whoever pays', () => {
    expect(
      order(
        [rowOf('REST', { excess: '0' }), rowOf('SHORTS', { excess: '-0.0009' }), rowOf('LONGS', { excess: '0.0002' })],
        'excess',
      ),
    ).toEqual(['SHORTS', 'LONGS', 'REST']);
  });

  it('by percentile has what is extreme on either side first', () => {
    const rows = [rowOf('USUAL', { lower: 520 }), rowOf('LOW', { lower: 2 }), rowOf('HIGH', { lower: 990 })];
    expect(order(rows, 'percentile')).toEqual(['LOW', 'HIGH', 'USUAL']);
  });

  it('by z-score has the largest first, whatever its sign', () => {
    const rows = [rowOf('USUAL', { zScore: '0.1' }), rowOf('HIGH', { zScore: '2' }), rowOf('LOW', { zScore: '-2.5' })];
    expect(order(rows, 'zscore')).toEqual(['LOW', 'HIGH', 'USUAL']);
  });

  it('by predicted rate leaves out those of an interval that is over', () => {
    expect(
      order(
        [
          rowOf('OVER', { estimate: '0.1', predictedTo: '00:00' }),
          rowOf('LESS', { estimate: '0.0001' }),
          rowOf('MORE', { estimate: '0.0002' }),
          rowOf('NONE', {}),
        ],
        'predicted',
      ),
    ).toEqual(['MORE', 'LESS']);
  });
});

describe('the chart without a selection', () => {
  const chartOf = (rates: readonly string[], by: RankBy = 'rate') => {
    const rows = rates.map((rate, at) => rowOf(`P${String(at)}`, { settled: rate, excess: rate }));
    const { rows: charted, how } = chooseCharted(rankRows(rows, by, 'market'), by);
    return [charted.map(({ symbol }) => symbol).join(' '), how];
  };

  it('has both ends of the ranking, and one of those that are tied', () => {
    expect(
      chartOf(['0.0001', '0.0001', '0.0001', '0.0001', '0.0001', '0.00005', '0.00002', '-0.0002', '-0.0009', '0.0003']),
    ).toEqual(['P9 P0 P5 P7 P8', 'top 3 and bottom 2, one per tie']);
  });

  it('has the first where only one end stands out', () => {
    expect(chartOf(['0.1', '0.2', '0.3', '0.4', '-0.5', '0.6'], 'excess')).toEqual(['P5 P4 P3 P2 P1', 'top 5']);
  });

  it('has all that differ, and the first rows where none is ranked', () => {
    expect(chartOf(['0.1', '0.1', '0.2'])).toEqual(['P2 P0', 'one of each rank']);
    const unranked = Array.from({ length: 7 }, (_, at) => rowOf(`P${String(at)}`, {}));
    expect(chooseCharted(rankRows(unranked, 'rate', 'market'), 'rate').rows).toHaveLength(5);
  });
});
