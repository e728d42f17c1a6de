import { describe, expect, it } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { DeskFunding } from '#contract/desk/funding.ts';
import { fundingTimeAt, printAt, toWirePrints, type WrittenPrint } from '#testing/settled-rates.ts';
import { toDecimal } from '../../units/decimal.ts';
import { type ColumnInputs, createCompareColumns } from './compare-columns.ts';
import { toPerpetualSeries } from '../../funding/funding-series.ts';
import { UNREAD_PREDICTED_RATES } from './compare-predictions.ts';
import { describeRanking, type RankedRow, rankRows, toCompareRows } from './compare-row.ts';
import type { NamedWindow } from './realised.ts';

const funding = {
  target: '/api/desk/funding',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 0,
  cache: 'hit',
  requestId: 'r-1',
} as unknown as ApiResponse<DeskFunding>;
const chosen = {
  id: '7d',
  label: '7 d',
  from: Date.parse(fundingTimeAt(0)),
  to: Date.parse(fundingTimeAt(21)),
} as NamedWindow;

function compare(histories: Readonly<Record<string, readonly WrittenPrint[]>>, dueTo: number | null = null) {
  const perpetuals = Object.entries(histories).map(([symbol, prints], index) => ({
    ...{ base_symbol: symbol, product_id: index + 1, prints: toWirePrints(prints).toReversed() },
    ...{ known_from: null, reaches_launch: true, read_at: fundingTimeAt(21), stale_because: null },
  }));
  const perpetualSeries = toPerpetualSeries(
    { value: { perpetuals } as unknown as DeskFunding, target: funding.target },
    dueTo,
  );
  return toCompareRows(perpetualSeries, {
    funding,
    voi: undefined,
    estimates: new Map(),
    windows: [chosen],
    chosen,
    past: '90d',
    form: 'apr',
    side: 'market',
    due: null,
  });
}

function must<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('there is no such row');
  return value;
}

function rankText(row: RankedRow, rankBy: ColumnInputs['rankBy']): string | undefined {
  const parts = {
    form: 'apr',
    side: 'market',
    windows: [chosen],
    chosen,
    rankBy,
    isPicked: () => false,
    clock: {},
    predictedRates: UNREAD_PREDICTED_RATES,
  } as unknown as ColumnInputs;
  return createCompareColumns(parts)
    .find(({ id }) => id === 'rank')
    ?.text(row);
}

const rows = compare({ HALTED: [printAt(3, '0.004')], LOW: [printAt(20, '0.0001')], HIGH: [printAt(20, '0.0003')] });

describe('comparison rows', () => {
  it('leaves a perpetual unranked, with the reason, when others have settled since', () => {
    expect(rankRows(rows, 'rate', 'market').map(({ symbol, rank }) => [symbol, rank])).toEqual([
      ['HALTED', null],
      ['HIGH', 1],
      ['LOW', 2],
    ]);
    expect(rankRows(rows, 'premium', 'market').map(({ rank }) => rank)[0]).toBeNull();
    expect(rows.map(({ behindBecause }) => behindBecause)).toEqual([
      'Last settled 2026-06-02 08:00 UTC; other perpetuals have settled up to 2026-06-08 00:00 UTC. Not ranked.',
      null,
      null,
    ]);
  });

  it('mark rates that are overdue, with the reason, also where all perpetuals have stopped', () => {
    const stopped = compare(
      { LOW: [printAt(11, '0.0001')], HIGH: [printAt(11, '0.0003')] },
      Date.parse(fundingTimeAt(21)),
    );
    const parts = {
      form: 'apr',
      side: 'market',
      windows: [chosen],
      chosen,
      rankBy: 'realised',
      isPicked: () => false,
      clock: {},
      predictedRates: UNREAD_PREDICTED_RATES,
    } as unknown as ColumnInputs;
    const columns = createCompareColumns(parts);
    const marks = ['settled', 'form', 'premium'].map((id) =>
      columns.find((column) => column.id === id)?.tone?.({ ...must(stopped[0]), rank: 1, tiedWith: 0 }),
    );
    expect(marks).toEqual(['old', 'old', 'old']);
    expect(
      columns.find(({ id }) => id === 'settled')?.explain?.({ ...must(stopped[0]), rank: 1, tiedWith: 0 })?.facts[0],
    ).toEqual({
      name: 'Overdue',
      value: 'The newest settled rate is from 5 Jun 2026 00:00 UTC; that of 8 Jun 2026 00:00 UTC is missing.',
    });
    expect(stopped.map(({ chosen: { measures } }) => [measures.prints, measures.missing, measures.notSettled])).toEqual(
      [
        [1, 9, 0],
        [1, 9, 0],
      ],
    );
  });

  it('share a rank on equal rates and are then ordered by premium and symbol', () => {
    const premiums = { NONE: null, C: '0.001', B: '-0.002', A: '0.001' };
    const equal = compare(Object.fromEntries(Object.keys(premiums).map((symbol) => [symbol, [printAt(20, '0.0001')]])));
    const apart = equal.map((row, at) => {
      const value = Object.values(premiums)[at] ?? null;
      return { ...row, premium: row.premium && { ...row.premium, value: value === null ? null : toDecimal(value) } };
    });
    const ranked = rankRows(apart, 'rate', 'market');
    expect(ranked.map(({ symbol, rank }) => [symbol, rank])).toEqual([
      ['A', 1],
      ['C', 1],
      ['B', 1],
      ['NONE', 1],
    ]);
  });

  it('ranks by the mean over the window in force, where a tie says so', () => {
    const each = (rates: readonly string[]) => rates.map((rate, at) => printAt(18 + at, rate));
    const compared = compare({
      FALLEN: each(['0.0009', '0.0001', '0.0001']),
      RISEN: each(['0.0001', '0.0001', '0.0003']),
      ONE: each(['0.0001', '0.0001', '0.0001']),
      OTHER: each(['0.0001', '0.0001', '0.0001']),
    });
    const ranks = (by: 'realised' | 'rate') =>
      Object.fromEntries(rankRows(compared, by, 'market').map((row) => [row.symbol, rankText(row, by)]));
    expect(ranks('realised')).toEqual({ FALLEN: '1', RISEN: '2', ONE: '=3', OTHER: '=3' });
    expect(ranks('rate')).toEqual({ RISEN: '1', FALLEN: '=2', ONE: '=2', OTHER: '=2' });
    expect(describeRanking('realised', chosen)).toBe('mean settled rate over 7 d, highest first');
    // These rank by distance, so a low figure may come before a higher one.
    expect(describeRanking('zscore', chosen)).toBe('size of the z-score over 7 d, most extreme first');
  });

  it('ranks a halted perpetual over a window that ended before it halted, and over no later one', () => {
    const halted = compare({ HALTED: [printAt(3, '0.004')], LOW: [printAt(3, '0.0001'), printAt(20, '0.0001')] });
    expect(rankRows(halted, 'realised', 'market').find(({ symbol }) => symbol === 'HALTED')?.rank).toBeNull();
    const before = halted.map((row) => ({
      ...row,
      chosen: { ...row.chosen, window: { ...chosen, to: Date.parse(fundingTimeAt(4)) } },
    }));
    expect(rankRows(before, 'realised', 'market').find(({ symbol }) => symbol === 'HALTED')?.rank).toBe(1);
  });

  it('mark a sum over a window that settled rates cover only in part, with the coverage', () => {
    const parts = {
      form: 'apr',
      side: 'market',
      windows: [chosen],
      chosen,
      rankBy: 'realised',
      isPicked: () => false,
      clock: {},
      predictedRates: UNREAD_PREDICTED_RATES,
    } as unknown as ColumnInputs;
    const sum = createCompareColumns(parts).find(({ id }) => id === 'sum-7d');
    const whole = compare({ WHOLE: Array.from({ length: 21 }, (_, at) => printAt(at, '0.00015')) });
    const marks = [...whole, ...rows]
      .map((row) => ({ ...row, rank: null, tiedWith: 0 }))
      .map((row) => [sum?.tone?.(row), sum?.explain?.(row)?.facts[0]?.value]);
    expect(marks.slice(0, 2)).toEqual([
      ['longs-1', expect.any(String)],
      ['partial longs-4', '1 settled rate in the 21 intervals of the window'],
    ]);
  });

  it('have a premium of mark over index that does not depend on the rate', () => {
    expect(rows.map(({ premium }) => premium?.value?.toDecimalPlaces(8).toFixed())).toEqual(
      Array.from({ length: 3 }, () => '0.00005868'),
    );
  });
});
