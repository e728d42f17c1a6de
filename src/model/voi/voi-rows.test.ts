import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromNumber, toNumber } from '#contract/exchange/brand.ts';
import type { Day } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { addDays } from '../time/session.ts';
import { toVoiBars } from './voi-bars.ts';
import { findLatestOpenInterest, groupByProduct } from './voi-rows.ts';

type Figures = Partial<Record<'volume' | 'notionalVolume' | 'openInterest' | 'notionalOpenInterest', number | null>>;

function voi(date: string, { productId = 1, ...figures }: Figures & { productId?: number } = {}): VOIDataPoint {
  const of = (value: number | null | undefined) =>
    value === null || value === undefined ? null : fromNumber<never>(value);
  return {
    date: date as Day,
    productId: fromNumber(productId),
    baseSymbol: 'PBU',
    volume: of(figures.volume),
    notionalVolume: of(figures.notionalVolume),
    openInterest: of(figures.openInterest),
    notionalOpenInterest: of(figures.notionalOpenInterest),
  };
}

describe('toVoiBars', () => {
  it('sums volume and takes open interest from the last session that has one', () => {
    const rows = [
      voi('2026-08-19', { volume: 5, notionalVolume: 1_000, openInterest: null }),
      voi('2026-08-17', { volume: 2, notionalVolume: 150, openInterest: 40, notionalOpenInterest: 80_001 }),
      voi('2026-08-18', { volume: null, notionalVolume: null, openInterest: 41, notionalOpenInterest: 80_100 }),
    ];
    const [week] = toVoiBars(rows, '1W');
    expect(week).toMatchObject({ date: '2026-08-17', lastDate: '2026-08-19', openInterestDate: '2026-08-18' });
    expect(
      [week?.volume, week?.volumeUsd, week?.openInterest, week?.openInterestUsd].map((value) => value?.toFixed()),
    ).toEqual(['7', '11.5', '41', '801']);
  });

  it('of duplicate dates keeps the later row', () => {
    const rows = [voi('2026-08-17', { volume: 2 }), voi('2026-08-18', { volume: 3 }), voi('2026-08-17', { volume: 4 })];
    expect(toVoiBars(rows, '1W').map(({ volume }) => volume?.toFixed())).toEqual(['7']);
  });

  it('keeps nulls: a week without values has none, which is not zero', () => {
    const [week, ...others] = toVoiBars([voi('2026-08-17'), voi('2026-08-18')], '1W');
    const none = {
      volume: null,
      volumeUsd: null,
      openInterest: null,
      openInterestUsd: null,
      openInterestDate: null,
      drawnOpenInterest: null,
    };
    expect(week).toMatchObject({ date: '2026-08-17', lastDate: '2026-08-18', ...none });
    expect(others).toEqual([]);
    expect(toVoiBars([], '1D')).toEqual([]);
  });

  it('has the same volume in days, weeks and months', () => {
    const rows = fc
      .uniqueArray(fc.integer({ min: 0, max: 400 }), { minLength: 1, maxLength: 60 })
      .chain((days) =>
        fc.tuple(fc.constant(days), fc.array(fc.nat(1_000), { minLength: days.length, maxLength: days.length })),
      )
      .map(([days, volumes]) =>
        days.map((day, index) => voi(addDays('2026-01-01' as Day, day), { volume: volumes[index] ?? 0 })),
      );
    fc.assert(
      fc.property(rows, (list) => {
        const total = list.reduce((sum, { volume }) => sum + (volume ? toNumber(volume) : 0), 0);
        for (const period of ['1D', '1W', '1M'] as const) {
          expect(toVoiBars(list, period).reduce((sum, { volume }) => sum + (volume?.toNumber() ?? 0), 0)).toBe(total);
        }
      }),
    );
  });
});

describe('groupByProduct', () => {
  it('has the days of each product sorted, without duplicates', () => {
    const rows = [
      voi('2026-08-18', { volume: 1 }),
      voi('2026-08-17', { productId: 2 }),
      voi('2026-08-17'),
      voi('2026-08-18', { volume: 9 }),
    ];
    const groups = groupByProduct(rows);
    expect([...groups.keys()]).toEqual([1, 2]);
    expect(groups.get(1)?.map(({ date, volume }) => [date, volume && toNumber(volume)])).toEqual([
      ['2026-08-17', null],
      ['2026-08-18', 9],
    ]);
  });

  it('finds the latest open interest, which is published a day later', () => {
    const rows = [voi('2026-08-17', { openInterest: 3 }), voi('2026-08-18')];
    expect(findLatestOpenInterest(rows)?.date).toBe('2026-08-17');
    expect(findLatestOpenInterest([voi('2026-08-18')])).toBeNull();
  });

  it('finds it in rows of any order', () => {
    const rows = [voi('2026-08-20', { openInterest: 3 }), voi('2026-08-12', { productId: 2, openInterest: 4 })];
    expect(findLatestOpenInterest(rows)?.date).toBe('2026-08-20');
  });
});
