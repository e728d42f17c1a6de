import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { NamedProduct } from '../products/product-directory.ts';
import { toStackedDays } from './stacked-days.ts';

const [sample] = sampleResponses.chartVoi;
const none = { volume: null, notionalVolume: null, openInterest: null, notionalOpenInterest: null };

type Figures = Partial<Record<keyof typeof none, number | null>>;

function read(...rows: readonly (readonly [productId: number, day: number, figures: Figures])[]) {
  const wire = rows.map(([productId, day, figures]) => ({
    ...sample,
    ...none,
    productId,
    date: `2026-08-1${String(day)}`,
    ...figures,
  }));
  return createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(wire)).value ?? [];
}

function named(id: number, product: object | null = null): NamedProduct {
  return { id, name: `P${String(id)}`, product } as unknown as NamedProduct;
}

/** Returns the total of each day, with the products missing from it. */
function totalsOf(rows: ReturnType<typeof read>, ...products: readonly NamedProduct[]) {
  return toStackedDays(rows, products, 'openInterest').map(({ total, missing }) => [
    total?.toNumber() ?? null,
    missing,
  ]);
}

describe('toStackedDays', () => {
  it('has a row for every day of any product, with null where a product has none', () => {
    const rows = read([1, 7, { notionalVolume: 150 }], [2, 8, { notionalVolume: 50 }], [1, 8, {}]);
    const days = toStackedDays(rows, [named(2), named(1), named(3)], 'notionalVolume');
    expect(
      days.map(({ date, values, total }) => [
        date,
        values.map((value) => value?.toFixed() ?? null),
        total?.toFixed() ?? null,
      ]),
    ).toEqual([
      ['2026-08-17', [null, '1.5', null], '1.5'],
      ['2026-08-18', ['0.5', null, null], '0.5'],
    ]);
  });

  it('of duplicate dates keeps the later row', () => {
    const rows = read([1, 7, { volume: 2 }], [1, 8, { volume: 3 }], [1, 7, { volume: 4 }]);
    expect(toStackedDays(rows, [named(1)], 'volume').map(({ total }) => total?.toFixed())).toEqual(['4', '3']);
  });

  it('has no total on a day where open interest of a product is missing, with a row or without', () => {
    const rows = read(
      [1, 5, { openInterest: 9 }],
      [2, 5, { openInterest: 4 }],
      [1, 6, { openInterest: 9 }],
      [1, 7, { openInterest: 9 }],
      [2, 7, {}],
      [1, 8, { openInterest: 9 }],
      [2, 8, { openInterest: 4 }],
    );
    expect(totalsOf(rows, named(1), named(2))).toEqual([
      [13, []],
      [null, [1]],
      [null, [1]],
      [13, []],
    ]);
  });

  it('reports missing open interest at the end too, unless none has been published yet', () => {
    const rows = read(
      [1, 5, { openInterest: 9 }],
      [2, 5, { openInterest: 4 }],
      [1, 6, { openInterest: 9 }],
      [1, 7, {}],
      [2, 7, {}],
    );
    expect(totalsOf(rows, named(1), named(2))).toEqual([
      [13, []],
      [null, [1]],
      [null, []],
    ]);
  });

  it('does not report it before the first value, from the final settlement on, or for an expired product', () => {
    const rows = read(
      [1, 5, { openInterest: 9 }],
      [1, 6, { openInterest: 9 }],
      [2, 6, { openInterest: 4 }],
      [1, 7, { openInterest: 9 }],
    );
    const whole = [
      [9, []],
      [13, []],
      [9, []],
    ];
    expect(totalsOf(rows, named(1), named(2, { final_settle_time: '2026-08-17T21:00:00.000000Z' }))).toEqual(whole);
    expect(totalsOf(rows, named(1), named(2, { product_status: 'expired' }))).toEqual(whole);
    expect(totalsOf(rows, named(1), named(3))).toEqual([
      [9, []],
      [9, []],
      [9, []],
    ]);
  });
});
