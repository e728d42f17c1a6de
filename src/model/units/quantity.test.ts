import { describe, expect, expectTypeOf, it } from 'vitest';
import { createParser } from '#contract/parse/parse.ts';
import { list } from '#contract/exchange/schema.ts';
import { FundingRateData, VOIDataPoint } from '#contract/exchange/market-data.ts';
import { sampleResponses } from '#testing/sample-responses.ts';
import { asContracts, asTicks, asUsd, deriveQuantity, fromCents, sourcesOf, toQuantity } from './quantity.ts';
import type { Source } from '../response.ts';

const source: Source = {
  endpoint: 'chartVoi',
  target: '/api/web/charts/voi',
  respondedAt: null,
  receivedAt: 0,
  ageSeconds: 3,
  cache: 'hit',
  requestId: 'r1',
};

function readVoi(fields: object = {}): VOIDataPoint {
  const [row] =
    createParser(list(VOIDataPoint)).tolerant(JSON.stringify([{ ...sampleResponses.chartVoi[0], ...fields }])).value ??
    [];
  if (row === undefined) throw new Error('The row of the test is not a good one.');
  return row;
}

describe('toQuantity', () => {
  it('has the value in its unit, with its provenance', () => {
    const row = readVoi();
    const quantity = toQuantity({ source, dataTime: row.date }, row, 'notionalVolume', fromCents);
    expect(quantity.value?.toFixed()).toBe('23658.7');
    expect(quantity).toMatchObject({
      unit: 'USD',
      withheld: null,
      provenance: {
        kind: 'read',
        source,
        field: 'notionalVolume',
        wireText: '2365870',
        wireUnit: 'US cents',
        factor: '0.01',
        spec: null,
        dataTime: '2025-12-14',
      },
    });
  });

  it('keeps null', () => {
    const row = readVoi({ openInterest: null });
    expect(toQuantity({ source, dataTime: row.date }, row, 'openInterest', asContracts)).toMatchObject({
      value: null,
      withheld: null,
      provenance: { wireText: null },
    });
  });

  it('withholds an impossible value, and says what was received', () => {
    const row = readVoi({ volume: -500 });
    const quantity = toQuantity({ source, dataTime: row.date }, row, 'volume', asContracts);
    expect(quantity).toMatchObject({
      value: null,
      withheld: 'Impossible value: expected at least 0, found -500.',
      provenance: { wireText: null },
    });
  });

  it('keeps all digits of the wire', () => {
    const text = `{"data":[${JSON.stringify(sampleResponses.fundingRates.data[0]).replace('101234.56', '101234.567890123456789')}],"pagination":{}}`;
    const row = createParser(FundingRateData).tolerant(
      text.slice('{"data":['.length, text.indexOf('],"pagination')),
    ).value;
    const quantity = row && toQuantity({ source, dataTime: row.interval_end }, row, 'price_index', asTicks);
    expect(quantity?.value?.toFixed()).toBe('101234.567890123456789');
  });

  it('does not compile with a conversion for another unit', () => {
    type Fields = Parameters<typeof toQuantity<Parameters<NonNullable<typeof fromCents.accepts>>[0], VOIDataPoint>>[2];
    expectTypeOf<Fields>().toEqualTypeOf<'notionalVolume' | 'notionalOpenInterest'>();
    const row = readVoi();
    // @ts-expect-error -- cents are not dollars
    toQuantity({ source, dataTime: null }, row, 'notionalVolume', asUsd);
    // @ts-expect-error -- contracts are not money
    toQuantity({ source, dataTime: null }, row, 'volume', fromCents);
  });
});

describe('deriveQuantity', () => {
  const row = readVoi();
  const at = { source, dataTime: row.date };
  const volume = toQuantity(at, row, 'volume', asContracts);
  const none = toQuantity(at, readVoi({ volume: null }), 'volume', asContracts);

  it('computes from its inputs, and has their sources', () => {
    const twice = deriveQuantity('contracts', 'twice', [volume, volume], ([a, b]) => (a && b ? a.plus(b) : null));
    expect(twice.value?.toFixed()).toBe('54');
    expect(sourcesOf(twice)).toEqual([source]);
  });

  it('is null where an input is null', () => {
    expect(deriveQuantity('contracts', 'either', [volume, none], ([a]) => a ?? null).value).toBeNull();
  });

  it('is withheld where an input is', () => {
    const held = toQuantity(at, row, 'volume', { ...asContracts, withheld: 'because' });
    expect(held).toMatchObject({ value: null, withheld: 'because' });
    expect(deriveQuantity('contracts', 'sum', [volume, held], ([a]) => a ?? null)).toMatchObject({
      value: null,
      withheld: 'because',
    });
  });

  it('has no reason to withhold a missing value', () => {
    expect(toQuantity(at, readVoi({ volume: null }), 'volume', { ...asContracts, withheld: 'because' })).toMatchObject({
      value: null,
      withheld: null,
    });
  });
});
