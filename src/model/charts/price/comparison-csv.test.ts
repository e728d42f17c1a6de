import { expect, it } from 'vitest';
import type { ApiResponse } from '../../response.ts';
import type { Bar } from '../../price/bars.ts';
import type { RunningChange } from '../../price/running-session.ts';
import { toDecimal } from '../../units/decimal.ts';
import { toComparisonCsv } from './comparison.ts';

const response = {
  target: '/api/web/charts/price/1',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'hit',
  requestId: 'r-1',
} as ApiResponse<unknown>;

function bars(...days: readonly (readonly [string, string])[]): readonly Bar[] {
  return days.map(([date, settlement]) => ({ date, settlement }) as unknown as Bar);
}

const first = {
  name: 'A',
  bars: bars(['2026-03-01', '10'], ['2026-03-02', '20.0000000000'], ['2026-03-03', '30'], ['2026-03-04', '40']),
  running: null,
  response,
};
const second = { name: 'B', bars: bars(['2026-03-02', '4'], ['2026-03-03', '6']), running: null, response };

it('has a row for each product and session, figures without padding, and an index between the first and the last common session', () => {
  const text = toComparisonCsv([first, second]);
  const lines = text
    .split('\r\n')
    .slice(1, -1)
    .map((line) => line.split(','));
  expect(lines.map((line) => [...line.slice(0, 5), line.at(-1)])).toEqual([
    ['2026-03-01', 'A', '10', '', '2026-03-02', 'published'],
    ['2026-03-02', 'A', '20', '100', '2026-03-02', 'published'],
    ['2026-03-03', 'A', '30', '150', '2026-03-02', 'published'],
    ['2026-03-04', 'A', '40', '', '2026-03-02', 'published'],
    ['2026-03-02', 'B', '4', '100', '2026-03-02', 'published'],
    ['2026-03-03', 'B', '6', '150', '2026-03-02', 'published'],
  ]);
  expect(text).toContain('GET /api/web/charts/price/1,,1970-01-01T00:00:00.000000000Z,3,hit,r-1');
});

it('the running session has no settlement, the index of its last price, and its own source, if both have one', () => {
  const source = { ...response, target: '/api/product/data/1' };
  const fraction = { value: toDecimal('0.1'), provenance: { kind: 'read', source } };
  const since = (day: string) => ({ date: '2026-03-05', since: day, fraction }) as unknown as RunningChange;
  const ofRunning = (...products: Parameters<typeof toComparisonCsv>[0]) =>
    toComparisonCsv(products)
      .split('\r\n')
      .filter((line) => line.endsWith(',running session'));
  const provenance = 'GET /api/product/data/1,,1970-01-01T00:00:00.000000000Z,3,hit,r-1,running session';
  expect(ofRunning({ ...first, running: since('2026-03-04') }, { ...second, running: since('2026-03-03') })).toEqual([
    `2026-03-05,A,,220,2026-03-02,${provenance}`,
    `2026-03-05,B,,165,2026-03-02,${provenance}`,
  ]);
  expect(ofRunning({ ...first, running: since('2026-03-04') }, second)).toEqual([]);
});
