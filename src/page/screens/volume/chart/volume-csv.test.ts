import { describe, expect, it } from 'vitest';
import { ENDPOINTS } from '#contract/exchange/endpoints.ts';
import { createParser } from '#contract/parse/parse.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import { readCsv } from '#testing/read-csv.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import type { VoiResponse } from '../shared/use-voi.ts';
import { toVolumeBarsCsv, toVolumeCsv } from './volume-csv.ts';

const [sample] = sampleResponses.chartVoi;
const days = [
  { ...sample, date: '2026-11-13', volume: 10, notionalVolume: 1_005, openInterest: 7, notionalOpenInterest: 5 },
  { ...sample, date: '2026-11-16', volume: 1, notionalVolume: 10, openInterest: 8, notionalOpenInterest: 800 },
  { ...sample, date: '2026-11-17', volume: 2, notionalVolume: 25, openInterest: null, notionalOpenInterest: null },
];
const { value } = createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(days));
const response = {
  value,
  endpoint: 'chartVoi',
  target: '/api/voi?product_id=7',
  respondedAt: '2026-11-20T12:00:00.123456789Z',
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'miss',
  requestId: 'r-1',
} as unknown as VoiResponse;
const products = [{ name: 'PBTC' }, { name: 'PETH' }] as unknown as readonly NamedProduct[];

/** Returns each line as an object by column name. */
function linesOf(text: string): readonly Readonly<Record<string, string>>[] {
  const [heading = [], ...lines] = readCsv(text);
  return lines.map((cells) => Object.fromEntries(heading.map((name, index) => [name, cells[index] ?? ''])));
}

describe('the CSV of daily bars', () => {
  it('has the exchange’s rows, with cents beside USD', () => {
    const [first, , last] = linesOf(toVolumeCsv(response, products, 'total'));
    expect(first).toMatchObject({
      date: '2026-11-13',
      volume_contracts: '10',
      volume_usd: '10.05',
      volume_cents_raw: '1005',
      open_interest_usd: '0.05',
      products: 'PBTC PETH',
    });
    expect(last).toMatchObject({ open_interest_contracts: '', open_interest_usd: '', open_interest_cents_raw: '' });
  });

  it('has the provenance of each row', () => {
    expect(linesOf(toVolumeCsv(response, products, 'total'))[0]).toMatchObject({
      request: 'GET /api/voi?product_id=7',
      responded_at: '2026-11-20T12:00:00.123456789Z',
      age_s: '3',
      request_id: 'r-1',
    });
  });

  it('names each row’s own product where products are stacked', () => {
    expect(linesOf(toVolumeCsv(response, products, 'stacked'))[0]?.['products']).toBe(String(sample.productId));
  });

  it('names the stacked products whose open interest is missing on a day', () => {
    const both = [
      { id: 7, name: 'PBTC', product: null },
      { id: 8, name: 'PETH', product: null },
    ] as unknown as readonly NamedProduct[];
    const rows = [
      ...days,
      ...days.map((day) => ({ ...day, openInterest: day.date === '2026-11-16' ? null : day.openInterest })),
    ].map((row, at) => ({ ...row, productId: at < days.length ? 7 : 8 }));
    const { value: read } = createParser(ENDPOINTS.chartVoi.response, 'rows').tolerant(JSON.stringify(rows));
    const missing = linesOf(toVolumeCsv({ ...response, value: read ?? [] }, both, 'stacked')).map(
      (line) => line['open_interest_missing_of'],
    );
    expect(missing).toEqual(['', 'PETH', '', '', 'PETH', '']);
    expect(linesOf(toVolumeCsv(response, products, 'total'))[0]).toMatchObject({ open_interest_missing_of: '' });
  });

  it('names the request of each row where products are stacked', () => {
    const other = {
      ...response,
      target: '/api/voi?product_id=8',
      respondedAt: '2026-11-20T12:01:00Z',
      requestId: 'r-2',
    } as VoiResponse;
    const stacked = { ...response, value: [...response.value, ...other.value], perProduct: [response, other] };
    const requests = linesOf(toVolumeCsv(stacked, products, 'stacked')).map(
      (line) => `${line['request'] ?? ''} ${line['request_id'] ?? ''}`,
    );
    expect(requests).toEqual([
      ...days.map(() => 'GET /api/voi?product_id=7 r-1'),
      ...days.map(() => 'GET /api/voi?product_id=8 r-2'),
    ]);
  });
});

describe('the CSV of longer bars', () => {
  it('sums volume and takes the open interest of the last day that has one', () => {
    const lines = linesOf(toVolumeBarsCsv(response, products, '1W'));
    expect(lines).toHaveLength(2);
    expect(lines[0]).toMatchObject({ date: '2026-11-09', last_session_date: '2026-11-13' });
    expect(lines[1]).toMatchObject({
      date: '2026-11-16',
      last_session_date: '2026-11-17',
      bar: 'computed 1W',
      volume_contracts: '3',
      volume_usd: '0.35',
      open_interest_contracts: '8',
      open_interest_usd: '8',
      open_interest_date: '2026-11-16',
      request_id: 'r-1',
    });
  });

  it('has months for monthly bars', () => {
    expect(linesOf(toVolumeBarsCsv(response, products, '1M')).map((line) => line['volume_contracts'])).toEqual(['13']);
  });
});
