import { expect, it } from 'vitest';
import type { ApiResponse } from '#api/api-response.ts';
import type { Bar } from '#domain/price/bars.ts';
import { toComparisonCsv } from './comparison-csv.ts';

const response = { target: '/api/web/charts/price/1', answeredAt: null, receivedAt: 0, ageSeconds: 3, cache: 'hit', requestId: 'r-1' } as ApiResponse<unknown>;

function bars(...days: readonly (readonly [string, string])[]): readonly Bar[] {
  return days.map(([date, settlement]) => ({ date, settlement }) as unknown as Bar);
}

it('has a row for each product and session, settlements as published, and an index from the first common session on', () => {
  const text = toComparisonCsv([
    { name: 'A', bars: bars(['2026-03-01', '10'], ['2026-03-02', '20.0000000000'], ['2026-03-03', '30']), response },
    { name: 'B', bars: bars(['2026-03-02', '4'], ['2026-03-04', '6']), response },
  ]);
  const lines = text.split('\r\n').slice(1, -1).map((line) => line.split(',').slice(0, 5));
  expect(lines).toEqual([
    ['2026-03-01', 'A', '10', '', '2026-03-02'],
    ['2026-03-02', 'A', '20.0000000000', '100.0000000000', '2026-03-02'],
    ['2026-03-03', 'A', '30', '150.0000000000', '2026-03-02'],
    ['2026-03-02', 'B', '4', '100.0000000000', '2026-03-02'],
    ['2026-03-04', 'B', '6', '150.0000000000', '2026-03-02'],
  ]);
  expect(text).toContain('GET /api/web/charts/price/1,,1970-01-01T00:00:00.000Z,3,hit,r-1');
});
