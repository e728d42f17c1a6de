import { describe, expect, it } from 'vitest';
import { toHeatCells } from '#domain/funding/heat-cells.ts';
import { createFundingSeries } from '#domain/funding/funding-series.ts';
import type { FundingSide } from '#domain/funding/my-side.ts';
import { boundaryAt, printAt, toWirePrints, type WrittenPrint } from '#testing/funding-prints.ts';
import type { Perpetual } from './compare-row.ts';
import { describeHeat, writeHeat } from './heat-text.ts';
import { summariseHeat } from './summarise-heat.ts';

const BOUNDARIES = [1, 2, 3, 4, 5].map((count) => Date.parse(boundaryAt(count)));

function perpetualOf(symbol: string, prints: readonly WrittenPrint[]): Perpetual {
  const series = createFundingSeries({ prints: toWirePrints(prints), knownFrom: null, reachesLaunch: true });
  return { symbol, series } as Perpetual;
}

/** What the cells of its intervals say, oldest first. */
function tell(prints: readonly WrittenPrint[], side: FundingSide, words: typeof writeHeat): readonly string[] {
  const perpetual = perpetualOf('BTCUC', prints);
  return toHeatCells(perpetual.series, BOUNDARIES).map((cell, at) => words(perpetual, cell, BOUNDARIES[at] ?? 0, side));
}

const PRINTS = [printAt(0, '0.0001'), printAt(1, '-0.00025'), printAt(3, '0.0123')];

describe('a cell of the heatmap’s table', () => {
  it('says who paid and the rate as it is, over the scale too, and what is missing', () => {
    expect(tell(PRINTS, 'market', writeHeat)).toEqual(['longs pay +0.0100', 'shorts pay −0.0250', 'missing', 'longs pay +1.2300', 'not settled']);
  });

  it('has the sign of a side and the payer of the market', () => {
    expect(tell(PRINTS, 'long', writeHeat).slice(0, 2)).toEqual(['longs pay −0.0100', 'shorts pay +0.0250']);
  });

  it('names what is wrong with the prints of its interval, whether or not one of them counts', () => {
    const short = { start: boundaryAt(1), end: '2026-06-01T12:00:00Z', rate: '0.1' };
    expect(tell([printAt(0, '0'), printAt(0, '0'), short], 'market', writeHeat).slice(0, 2)).toEqual(['repeated: nobody pays 0.0000', 'not 8 h']);
    expect(tell([printAt(0, '0'), printAt(0, '0.1')], 'market', writeHeat)[0]).toBe('contradictory');
  });
});

it('a cell of the heatmap tells the same in a sentence', () => {
  const short = { start: boundaryAt(4), end: '2026-06-02T12:00:00Z', rate: '0.1' };
  expect(tell([...PRINTS, short], 'market', describeHeat)).toEqual([
    '+0.0100 % per 8 h, longs pay shorts',
    '−0.0250 % per 8 h, shorts pay longs',
    'missing: the venue has no print, and none is made up',
    '+1.2300 % per 8 h, longs pay shorts, past the scale',
    'no print that counts (not 8 h)',
  ]);
});

describe('the heatmap in sentences', () => {
  const summaryOf = (perpetuals: readonly Perpetual[], side: FundingSide, boundaries = BOUNDARIES): string =>
    summariseHeat({ perpetuals, rows: perpetuals.map(({ series }) => toHeatCells(series, boundaries)), boundaries, side, timeText: (at) => new Date(at).toISOString().slice(5, 13) });

  it('counts who paid, and what there is not', () => {
    const summary = summaryOf([perpetualOf('BTCUC', PRINTS), perpetualOf('ETHUI', [printAt(2, '0'), printAt(4, '0.0002')])], 'market');
    expect(summary).toBe(
      '2 perpetuals over 5 intervals that ended from 06-01T08 to 06-02T16. ' +
        'Longs paid in 3 of 5 prints, shorts in 1, nobody in 1. ' +
        'Other intervals: 2 missing, 3 not listed, not read or not settled yet. ' +
        'Highest +1.2300 % per 8 h, BTCUC at 06-02T08; lowest −0.0250 % per 8 h, BTCUC at 06-01T16.',
    );
  });

  it('has its highest where the side received most', () => {
    const summary = summaryOf([perpetualOf('BTCUC', PRINTS)], 'long', BOUNDARIES.slice(0, 2));
    expect(summary).toContain('No interval is missing.');
    expect(summary).toContain('Highest +0.0250 % per 8 h, BTCUC at 06-01T16; lowest −0.0100 % per 8 h, BTCUC at 06-01T08.');
  });

  it('says so where there is no interval, and where there is no rate', () => {
    expect(summaryOf([], 'market', [])).toBe('There is no interval.');
    expect(summaryOf([perpetualOf('BTCUC', [])], 'market')).toContain('There is no rate.');
  });
});
