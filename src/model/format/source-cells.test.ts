import { expect, it } from 'vitest';
import type { Source } from '../source.ts';
import { SOURCE_HEADING, toSourceCells } from './source-cells.ts';

const source: Source = {
  endpoint: 'desk/funding',
  target: '/api/desk/funding',
  answeredAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'computed',
  requestId: 'r-1',
};

function toNamed(from: Source): Readonly<Record<string, unknown>> {
  const cells = toSourceCells(from);
  expect(cells).toHaveLength(SOURCE_HEADING.length);
  return Object.fromEntries(SOURCE_HEADING.map((name, at) => [name, cells[at]]));
}

it('contain the time of the response, the time received and the age', () => {
  const answeredAt = '2026-11-20T12:00:00.123456789Z' as Source['answeredAt'];
  expect(toNamed({ ...source, answeredAt })).toEqual({
    ...{
      endpoint: 'desk/funding',
      request: 'GET /api/desk/funding',
      answered_at: answeredAt,
      received_at: '1970-01-01T00:00:00.000Z',
      age_s: 3,
    },
    ...{ from: 'computed', request_id: 'r-1' },
  });
});

it('are empty where unknown', () => {
  expect(toNamed({ ...source, ageSeconds: null })).toMatchObject({ answered_at: null, age_s: null });
});
