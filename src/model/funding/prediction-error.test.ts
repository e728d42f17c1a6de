import { expect, test } from 'vitest';
import { DeskEstimates } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';
import { toPredictionErrors } from './prediction-error.ts';

const parser = createParser(DeskEstimates, 'estimates');

function read(day: number, share: number, estimate: string, settled: string | null) {
  const end = `2026-08-${String(day).padStart(2, '0')}T08:00:00Z`;
  return `{"base_symbol":"BTCUC","interval_end":"${end}","share":${String(share)},"estimate":${estimate},"settled":${settled ?? 'null'},"read_at":"${end}"}`;
}

const missesOf = (...rows: readonly string[]) =>
  toPredictionErrors(parser.strict(`{"estimates":[${rows.join(',')}]}`).estimates);
const at = (misses: ReturnType<typeof missesOf>, share: number) =>
  misses.find((miss) => miss.share === share) ?? expect.fail('no such share');

test('the median at each share is the exact one of settled intervals', () => {
  const misses = missesOf(
    read(1, 0.5, '0.0001', '0.00016'),
    read(2, 0.49, '0.0003', '0.0001'),
    read(3, 0.52, '-0.0001', '-0.00011'),
    read(4, 0.5, '0.5', null),
  );
  expect(at(misses, 0.5).median?.toFixed()).toBe('0.00006');
  expect(at(misses, 0.5).largest?.toFixed()).toBe('0.0002');
  expect(at(misses, 0.5).count).toBe(3);
});

test('the median of an even number is the mean of the two in the middle', () => {
  const misses = missesOf(read(1, 0.5, '0.0001', '0.0002'), read(2, 0.5, '0.0001', '0.0004'));
  expect(at(misses, 0.5).median?.toFixed()).toBe('0.0002');
});

test('an interval counts once, with the nearest prediction, and not without one nearby', () => {
  const misses = missesOf(
    read(1, 0.46, '0.9', '0.0001'),
    read(1, 0.51, '0.0002', '0.0001'),
    read(1, 0.54, '0.8', '0.0001'),
  );
  expect(at(misses, 0.5)).toMatchObject({ count: 1 });
  expect(at(misses, 0.5).median?.toFixed()).toBe('0.0001');
  expect(at(misses, 0.75)).toMatchObject({ count: 0, median: null, largest: null });
});
