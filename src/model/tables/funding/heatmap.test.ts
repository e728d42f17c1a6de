import { describe, expect, it } from 'vitest';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { describeCell, formatCell, listHeatmapDays, summariseHeatmap } from './heatmap.ts';
import { toHeatmapCells } from '../../funding/heatmap-cells.ts';
import { createFundingSeries, type PerpetualSeries } from '../../funding/funding-series.ts';
import type { FundingSide } from '../../funding/funding-rate.ts';

it('labels each day above its first column, but not above the last column', () => {
  const fundingTimes = [-1, 0, 1, 2, 3, 4, 5, 6].map((count) => Date.parse(fundingTimeAt(count)));
  const dayOf = (epochMs: number): string => new Date(epochMs).toISOString().slice(0, '2026-06-01'.length);
  expect(listHeatmapDays(fundingTimes, dayOf)).toEqual([
    { column: 1, name: '06-01' },
    { column: 4, name: '06-02' },
  ]);
});

const FUNDING_TIMES = [1, 2, 3, 4, 5].map((count) => Date.parse(fundingTimeAt(count)));

function perpetualOf(symbol: string, prints: readonly WrittenPrint[]): PerpetualSeries {
  const series = createFundingSeries({ prints: toWirePrints(prints), knownFrom: null, reachesLaunch: true });
  return { symbol, series } as PerpetualSeries;
}

/** Returns the texts of a perpetual’s cells, oldest first. */
function textsOf(prints: readonly WrittenPrint[], side: FundingSide, words: typeof formatCell): readonly string[] {
  const perpetual = perpetualOf('BTCUC', prints);
  return toHeatmapCells(perpetual.series, FUNDING_TIMES).map((cell, at) =>
    words(perpetual, cell, FUNDING_TIMES[at] ?? 0, side),
  );
}

const PRINTS = [printAt(0, '0.0001'), printAt(1, '-0.00025'), printAt(3, '0.0123')];

describe('a cell of the heatmap table', () => {
  it('shows who paid and the rate, also off the scale, and gaps', () => {
    expect(textsOf(PRINTS, 'market', formatCell)).toEqual([
      'longs pay +0.0100',
      'shorts pay −0.0250',
      'missing',
      'implausible rate: longs pay +1.2300',
      'not settled',
    ]);
  });

  it('has the sign of the chosen side, but the payer of the market', () => {
    expect(textsOf(PRINTS, 'long', formatCell).slice(0, 2)).toEqual(['longs pay −0.0100', 'shorts pay +0.0250']);
  });

  it('names the fault of its interval, whether or not a rate counts', () => {
    const short = { start: fundingTimeAt(1), end: '2026-06-01T12:00:00Z', rate: '0.1' };
    expect(textsOf([printAt(0, '0'), printAt(0, '0'), short], 'market', formatCell).slice(0, 2)).toEqual([
      'duplicate: no payment 0.0000',
      'not 8 h',
    ]);
    expect(textsOf([printAt(0, '0'), printAt(0, '0.1')], 'market', formatCell)[0]).toBe('conflicting duplicate');
  });
});

it('describes a heatmap cell in a sentence', () => {
  const short = { start: fundingTimeAt(4), end: '2026-06-02T12:00:00Z', rate: '0.1' };
  expect(textsOf([...PRINTS, short], 'market', describeCell)).toEqual([
    '+0.0100 % per 8 h, longs pay shorts',
    '−0.0250 % per 8 h, shorts pay longs',
    'missing: the exchange reports no settled rate',
    '+1.2300 % per 8 h, longs pay shorts, beyond ±10 bp (implausible rate)',
    'no valid settled rate (not 8 h)',
  ]);
});

describe('the heatmap summary', () => {
  const summaryOf = (perpetuals: readonly PerpetualSeries[], side: FundingSide, fundingTimes = FUNDING_TIMES): string =>
    summariseHeatmap({
      perpetuals,
      rows: perpetuals.map(({ series }) => toHeatmapCells(series, fundingTimes)),
      fundingTimes,
      side,
      timeText: (at) => new Date(at).toISOString().slice(5, 13),
    });

  it('counts who paid, and gaps', () => {
    const summary = summaryOf(
      [perpetualOf('BTCUC', PRINTS), perpetualOf('ETHUI', [printAt(2, '0'), printAt(4, '0.0002')])],
      'market',
    );
    expect(summary).toBe(
      '2 perpetuals over 5 intervals, funding times 06-01T08 to 06-02T16. ' +
        'Longs paid in 3 of 5 settled intervals, shorts in 1; the rate was zero in 1. ' +
        'Other intervals: 2 missing, 3 not yet listed, not yet read or not yet settled. ' +
        'Highest +1.2300 % per 8 h, BTCUC at 06-02T08; lowest −0.0250 % per 8 h, BTCUC at 06-01T16.',
    );
  });

  it('ranks highest and lowest by the chosen side', () => {
    const summary = summaryOf([perpetualOf('BTCUC', PRINTS)], 'long', FUNDING_TIMES.slice(0, 2));
    expect(summary).toContain('No intervals missing.');
    expect(summary).toContain(
      'Highest +0.0250 % per 8 h, BTCUC at 06-01T16; lowest −0.0100 % per 8 h, BTCUC at 06-01T08.',
    );
  });

  it('says when there are no intervals or no rates', () => {
    expect(summaryOf([], 'market', [])).toBe('No intervals.');
    expect(summaryOf([perpetualOf('BTCUC', [])], 'market')).toContain('No settled rates.');
  });
});
