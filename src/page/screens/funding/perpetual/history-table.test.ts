import { describe, expect, it } from 'vitest';
import { wireText } from '#contract/exchange/row-notes.ts';
import type { Source } from '#model/response.ts';
import { printAt, toWirePrints } from '#testing/settled-rates.ts';
import type { SourcedPrint } from './history-columns.ts';
import { mergeLatest } from './history-table.tsx';

/** Rates are newest first, as in responses. */
function read(...rates: readonly (readonly [at: number, rate: string])[]): readonly SourcedPrint[] {
  return toWirePrints(rates.map(([at, rate]) => printAt(at, rate))).map((row) => ({ row, source: {} as Source }));
}

function ratesOf(prints: readonly SourcedPrint[]): readonly string[] {
  return prints.map(({ row }) => wireText(row, 'funding_rate'));
}

describe('merged history pages', () => {
  it('take corrected, added and withdrawn rates from the latest response', () => {
    const paged = read([1, '0.0001'], [2, '0.0002'], [3, '0.0003'], [4, '0.0004']);
    const latest = read([2, '0.0002'], [3, '-0.0009'], [5, '0.0005']);
    expect(ratesOf(mergeLatest(paged, latest))).toEqual(['0.0005', '-0.0009', '0.0002', '0.0001']);
  });

  it('leave out older rates of the latest response until their page is loaded', () => {
    expect(ratesOf(mergeLatest(read([3, '0.0003']), read([1, '0.0001'], [2, '0.0002'], [3, '0.0003'])))).toEqual([
      '0.0003',
    ]);
    expect(mergeLatest([], read([1, '0.0001']))).toEqual([]);
  });

  it('keep the rates of a page that the latest response does not reach back to', () => {
    expect(ratesOf(mergeLatest(read([1, '0.0001'], [2, '0.0002']), []))).toEqual(['0.0002', '0.0001']);
  });

  it('keep duplicates', () => {
    const twice = read([1, '0.0001'], [1, '0.0001']);
    expect(ratesOf(mergeLatest(twice, twice))).toEqual(['0.0001', '0.0001']);
  });
});
