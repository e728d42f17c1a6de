import { describe, expect, it } from 'vitest';
import type { Day } from '#contract/exchange/instant.ts';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { Source } from '../response.ts';
import { describeMissingDays, describeUnpublished, toVoiQuantity } from './voi-bars.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';

const [sample] = sampleResponses.chartVoi;
const source: Source = {
  endpoint: 'chartVoi',
  target: '/api/web/charts/voi',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: null,
  cache: 'miss',
  requestId: null,
};
const rows = read([
  { ...sample, date: '2026-11-11', volume: 10, notionalVolume: 1_050, openInterest: 7 },
  { ...sample, date: '2026-11-12', volume: null, notionalVolume: null, openInterest: 8 },
  { ...sample, date: '2026-11-13', volume: 5, notionalVolume: 25, openInterest: null },
]);
const week = { date: '2026-11-11' as Day, lastDate: '2026-11-13' as Day };

function read(wire: readonly object[]) {
  return createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(wire)).value ?? [];
}

describe('a figure of volume and open interest', () => {
  it('of one day is the published value with its conversion', () => {
    const day = { date: week.date, lastDate: week.date };
    expect(toVoiQuantity(rows, source, day, 'notionalVolume')).toMatchObject({
      unit: 'USD',
      provenance: { kind: 'read', field: 'notionalVolume', wireText: '1050', factor: '0.01', dataTime: '2026-11-11' },
    });
  });

  it('of several days is the sum of their volume', () => {
    const quantity = toVoiQuantity(rows, source, week, 'volume');
    expect(quantity?.value?.toFixed()).toBe('15');
    expect(quantity?.provenance).toMatchObject({
      kind: 'derived',
      how: 'Sum of 2 days from 2026-11-11 to 2026-11-13.',
    });
  });

  it('of several days is withheld if the volume of one of them is impossible', () => {
    const impossible = [...rows, ...read([{ ...sample, date: '2026-11-13', volume: -9 }])];
    expect(toVoiQuantity(impossible, source, week, 'volume')).toMatchObject({
      value: null,
      withheld: expect.stringContaining('found -9') as string,
    });
  });

  it('counts a duplicate day once, with its later value', () => {
    const twice = [...rows, ...read([{ ...sample, date: '2026-11-11', volume: 11 }])];
    expect(toVoiQuantity(twice, source, week, 'volume')?.value?.toFixed()).toBe('16');
  });

  it('of several days is the last open interest', () => {
    expect(toVoiQuantity(rows, source, week, 'openInterest')).toMatchObject({
      provenance: { kind: 'read', wireText: '8', dataTime: '2026-11-12' },
    });
  });

  it('is null without days', () => {
    expect(
      toVoiQuantity(rows, source, { date: '2026-11-20' as Day, lastDate: '2026-11-20' as Day }, 'volume'),
    ).toBeNull();
  });
});

function days(interest: Readonly<Record<string, number | null>>): readonly VOIDataPoint[] {
  return Object.entries(interest).map(([date, openInterest]) => ({ date, openInterest }) as unknown as VOIDataPoint);
}

it('days without open interest are named, but not those that are still to be published', () => {
  expect(describeUnpublished(days({ '2026-11-12': 5, '2026-11-13': null, '2026-11-16': 7, '2026-11-17': null }))).toBe(
    'Open interest not published for 13 Nov 2026.',
  );
  expect(describeUnpublished(days({ '2026-11-12': 5, '2026-11-13': null }))).toBeNull();
  expect(describeUnpublished([])).toBeNull();
});

it('a day that one of several products has is published', () => {
  expect(
    describeUnpublished([
      ...days({ '2026-11-12': null, '2026-11-13': 5 }),
      ...days({ '2026-11-12': 4, '2026-11-13': 5 }),
    ]),
  ).toBeNull();
});

it('sessions without a row are named, but not weekends of products that have them, nor what is before and after', () => {
  const rows = days({ '2026-11-19': 5, '2026-11-21': 7, '2026-11-22': null });
  expect(describeMissingDays(rows, true)).toBe('No volume or open interest published for 20 Nov 2026.');
  expect(describeMissingDays(rows, false)).toBeNull();
  expect(describeMissingDays(days({ '2026-11-19': 5, '2026-11-20': 7 }), true)).toBeNull();
  expect(describeMissingDays([], true)).toBeNull();
});
