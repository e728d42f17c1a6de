import { describe, expect, it } from 'vitest';
import { toDecimal } from '../units/decimal.ts';
import { describeProvenance } from './provenance.ts';
import { deriveQuantity, type Quantity } from '../units/quantity.ts';

const source = {
  endpoint: 'chartVoi',
  target: '/api/web/charts/voi',
  respondedAt: '2026-11-20T12:00:00.123456789Z',
  receivedAt: 5,
  ageSeconds: null,
  cache: 'hit',
  requestId: null,
} as const;
const provenance = {
  kind: 'read',
  source,
  field: 'notionalVolume',
  wireText: '12345',
  wireUnit: 'US cents',
  factor: '0.01',
  spec: null,
  dataTime: '2026-11-20',
} as const;
const read = { value: toDecimal('123.45'), unit: 'USD', withheld: null, provenance } as unknown as Quantity;

function linesOf(quantity: Quantity): ReadonlyMap<string, string> {
  return new Map(describeProvenance(quantity, (at) => `at ${String(at)}`).map(({ name, value }) => [name, value]));
}

describe('the provenance of a figure', () => {
  it('has the request, the field, the raw value and the conversion', () => {
    const lines = linesOf(read);
    expect(lines.get('Endpoint')).toBe('GET /api/web/charts/voi');
    expect(lines.get('Raw value')).toBe('12345');
    expect(lines.get('Unit')).toBe('US cents × 0.01 = USD');
    expect(lines.get('As of')).toBe('2026-11-20');
  });

  it('keeps every digit of the exchange’s time, and marks what is unknown', () => {
    const lines = linesOf(read);
    expect(lines.get('Exchange responded')).toBe('at 2026-11-20T12:00:00.123456789Z');
    expect(lines.get('Received')).toBe('at 5');
    expect(lines.get('Data age when received')).toBe('unknown');
    expect(lines.get('Request ID')).toBe('unknown');
  });

  it('of a computed figure has the calculation and its inputs', () => {
    const lines = describeProvenance(
      deriveQuantity('USD', 'Twice', [read], ([value]) => value?.times(2) ?? null),
      String,
    );
    expect(lines.map(({ value }) => value)).toEqual(['Twice', 'chartVoi notionalVolume = 12345 (2026-11-20)']);
  });

  it('leads back to the wire through every calculation', () => {
    const once = deriveQuantity('USD', 'Twice', [read], ([value]) => value?.times(2) ?? null);
    const lines = describeProvenance(
      deriveQuantity('USD', 'Half', [once], ([value]) => value?.div(2) ?? null),
      String,
    );
    expect(lines.map(({ value }) => value)).toEqual(['Half', 'Twice', 'chartVoi notionalVolume = 12345 (2026-11-20)']);
  });

  it('begins with the reason why a figure is withheld', () => {
    expect(describeProvenance({ ...read, value: null, withheld: 'The increment is wrong.' }, String)[0]).toEqual({
      name: 'Not available',
      value: 'The increment is wrong.',
    });
  });
});
