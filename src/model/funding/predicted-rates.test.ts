import { expect, test } from 'vitest';
import { type PredictedRate, toPredictedPath } from './predicted-rates.ts';

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
