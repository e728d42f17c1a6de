import { describe, expect, it } from 'vitest';
import { wireText } from '#contract/json-text.ts';
import type { Source } from '#domain/source.ts';
import { printAt, toWirePrints } from '#testing/funding-prints.ts';
import { withLatest, type ReadPrint } from './with-latest.ts';

/** Newest first, as answers have them. */
function read(...rates: readonly (readonly [at: number, rate: string])[]): readonly ReadPrint[] {
  return toWirePrints(rates.map(([at, rate]) => printAt(at, rate))).map((row) => ({ row, source: {} as Source }));
}

function ratesOf(prints: readonly ReadPrint[]): readonly string[] {
  return prints.map(({ row }) => wireText(row, 'funding_rate'));
}

describe('every print', () => {
  it('is as the latest answer has it: what was corrected, settled or withdrawn since its page was read is so here too', () => {
    const paged = read([1, '0.0001'], [2, '0.0002'], [3, '0.0003'], [4, '0.0004']);
    const latest = read([2, '0.0002'], [3, '-0.0009'], [5, '0.0005']);
    expect(ratesOf(withLatest(paged, latest))).toEqual(['0.0005', '-0.0009', '0.0002', '0.0001']);
  });

  it('comes in the order of pages: older ones of the latest answer wait for their page', () => {
    expect(ratesOf(withLatest(read([3, '0.0003']), read([1, '0.0001'], [2, '0.0002'], [3, '0.0003'])))).toEqual(['0.0003']);
    expect(withLatest([], read([1, '0.0001']))).toEqual([]);
  });

  it('is that of its page where the latest answer does not go back as far, or has none', () => {
    expect(ratesOf(withLatest(read([1, '0.0001'], [2, '0.0002']), []))).toEqual(['0.0002', '0.0001']);
  });

  it('that came twice is there twice', () => {
    const twice = read([1, '0.0001'], [1, '0.0001']);
    expect(ratesOf(withLatest(twice, twice))).toEqual(['0.0001', '0.0001']);
  });
});
