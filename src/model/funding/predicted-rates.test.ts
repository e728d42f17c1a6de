import { expect, test } from 'vitest';
import { type PredictedRate, toPredictedPath, toPredictedRateErrors } from './predicted-rates.ts';
import { DeskEstimates } from '#contract/desk/funding.ts';
import { createParser } from '#contract/parse/parse.ts';

const ENDS_AT = Date.UTC(2026, 7, 17, 8);

function predictedRate(read_at: string, interval_end = '2026-08-17T08:00:00Z'): PredictedRate {
  return {
    base_symbol: 'BTCUC',
    interval_end,
    share: 0.5,
    estimate: 0.0001,
    settled: null,
    read_at,
  } as unknown as PredictedRate;
}

test('a path has the predictions of one interval, however its end is written, in the order they were read', () => {
  const path = toPredictedPath(
    [
      predictedRate('2026-08-17T05:00:00.000Z', '2026-08-17T08:00:00.000000000Z'),
      predictedRate('2026-08-16T23:00:00.000Z', '2026-08-17T00:00:00Z'),
      predictedRate('2026-08-17T01:00:00.000Z'),
    ],
    ENDS_AT,
  );
  expect(path.map(({ read_at }) => read_at)).toEqual(['2026-08-17T01:00:00.000Z', '2026-08-17T05:00:00.000Z']);
});

test('of the predictions read in one second, the last counts', () => {
  const path = toPredictedPath(
    ['2026-08-17T05:00:00.900Z', '2026-08-17T05:00:00.100Z', '2026-08-17T05:00:01.000Z'].map((at) => predictedRate(at)),
    ENDS_AT,
  );
  expect(path.map(({ read_at }) => read_at)).toEqual(['2026-08-17T05:00:00.900Z', '2026-08-17T05:00:01.000Z']);
});

const parser = createParser(DeskEstimates, 'estimates');

function read(day: number, share: number, estimate: string, settled: string | null) {
  const end = `2026-08-${String(day).padStart(2, '0')}T08:00:00Z`;
  return `{"base_symbol":"BTCUC","interval_end":"${end}","share":${String(share)},"estimate":${estimate},"settled":${settled ?? 'null'},"read_at":"${end}"}`;
}

const missesOf = (...rows: readonly string[]) =>
  toPredictedRateErrors(parser.strict(`{"estimates":[${rows.join(',')}]}`).estimates);
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
