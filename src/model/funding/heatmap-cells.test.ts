import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Instant } from '#contract/exchange/instant.ts';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { createFundingSeries } from './funding-series.ts';
import { listFundingTimes } from './funding-window.ts';
import { findFaultsAt, toHeatmapCells } from './heatmap-cells.ts';

/** Returns the cell of a single settled rate. */
function cellOf(rate: number) {
  const series = createFundingSeries({
    prints: toWirePrints([printAt(0, String(rate))]),
    knownFrom: null,
    reachesLaunch: true,
  });
  const [cell] = toHeatmapCells(series, [Date.parse(fundingTimeAt(1))]);
  if (cell?.kind !== 'print') throw new Error('there is no print');
  return { strength: cell.strength, clipped: cell.clipped };
}

describe('the colour of a rate', () => {
  it.each([
    [0, 0, false],
    [0.000_099_99, 0, false],
    [0.0001, 0, false],
    [0.000_100_01, 1, false],
    [0.00025, 2, false],
    [0.0005, 3, false],
    [0.001, 3, false],
    [0.001_000_01, 4, true],
    [0.5, 4, true],
  ])('%d has strength %i', (rate, strength, clipped) => {
    expect(cellOf(rate)).toEqual({ strength, clipped });
  });

  it('is neutral at the interest rate, as most rates are', () => {
    expect([cellOf(0.0001), cellOf(-0.0001)].map(({ strength }) => strength)).toEqual([0, -1]);
  });

  it('is symmetric beyond it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1_000_001, max: 100_000_000 }).map((e10) => e10 / 1e10),
        (rate) => {
          const [plus, minus] = [cellOf(rate), cellOf(-rate)];
          expect(minus).toEqual({ strength: 0 - plus.strength, clipped: plus.clipped });
        },
      ),
    );
  });
});

describe('a row of the heatmap', () => {
  const boundaries = listFundingTimes(
    { from: Date.parse(fundingTimeAt(0)), to: Date.parse(fundingTimeAt(8)) },
    Date.parse(fundingTimeAt(3)),
  );
  const kinds = (
    prints: readonly WrittenPrint[],
    known: { readonly launch: boolean; readonly from?: string; readonly behind?: boolean; readonly due?: number },
  ) => {
    const history = {
      prints: toWirePrints(prints),
      knownFrom: (known.from ?? null) as Instant | null,
      reachesLaunch: known.launch,
      isBehind: known.behind ?? false,
      dueTo: known.due === undefined ? null : Date.parse(fundingTimeAt(known.due)),
    };
    return toHeatmapCells(createFundingSeries(history), boundaries).map((cell) =>
      cell.kind === 'print' ? cell.strength : cell.kind,
    );
  };
  const [two, three, six] = [printAt(2, '0.00015'), printAt(3, '-0.0004'), printAt(6, '0')];

  it('has a cell for every funding time', () => {
    expect(boundaries.map((end) => new Date(end).toISOString())).toHaveLength(8);
    expect(boundaries.at(-1)).toBe(Date.parse(fundingTimeAt(8)));
  });

  it('says why a funding time has no rate', () => {
    expect(kinds([two, three, six], { launch: true })).toEqual([
      'not listed',
      'not listed',
      1,
      -2,
      'gap',
      'gap',
      0,
      'not settled',
    ]);
    expect(kinds([two, three, six], { launch: false, from: fundingTimeAt(1) })).toEqual([
      'not read',
      'gap',
      1,
      -2,
      'gap',
      'gap',
      0,
      'not settled',
    ]);
    expect(kinds([six], { launch: false, behind: true }).slice(6)).toEqual([0, 'not read']);
    expect(new Set(kinds([], { launch: true }))).toEqual(new Set(['not listed']));
  });

  it('marks rates that are overdue as missing', () => {
    expect(kinds([two, three, six], { launch: true, due: 8 }).slice(5)).toEqual(['gap', 0, 'gap']);
    expect(kinds([two, three, six], { launch: true, due: 7 }).slice(5)).toEqual(['gap', 0, 'not settled']);
    expect(kinds([two, three, six], { launch: true, behind: true, due: 8 }).slice(5)).toEqual(['gap', 0, 'not read']);
  });

  it('marks an interval of another length as a fault', () => {
    const odd = { start: fundingTimeAt(4), end: '2026-06-02T12:00:00Z', rate: '0.1' };
    expect(kinds([two, three, odd, six], { launch: true }).slice(4, 6)).toEqual(['fault', 'gap']);
  });
});

describe('the faults of an interval', () => {
  const faultsOf = (prints: readonly WrittenPrint[], count: number) => {
    const series = createFundingSeries({ prints: toWirePrints(prints), knownFrom: null, reachesLaunch: true });
    return findFaultsAt(series, Date.parse(fundingTimeAt(count))).map(({ kind }) => kind);
  };

  it('include those of every rate that overlaps it, and no others', () => {
    const across = { start: '2026-06-01T12:00:00Z', end: '2026-06-01T20:00:00Z', rate: '0.1' };
    const prints = [printAt(0, '0'), printAt(1, '0.0001'), across, printAt(2, '0.0002'), printAt(3, '0')];
    expect([1, 2, 3, 4].map((count) => faultsOf(prints, count))).toEqual([[], ['overlap'], ['overlap'], []]);
  });

  it('are reported even if it has a valid rate', () => {
    expect(faultsOf([printAt(0, '0'), printAt(1, '0.001'), printAt(1, '0.001')], 2)).toEqual(['duplicate']);
  });

  it('are empty if its rate is only missing', () => {
    expect(faultsOf([printAt(0, '0'), printAt(2, '0')], 2)).toEqual([]);
  });
});
