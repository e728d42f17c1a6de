import { describe, expect, it } from 'vitest';
import { toDecimal } from './decimal.ts';
import { describeProvenance } from './format-provenance.ts';
import { deriveQuantity, type Quantity } from './quantity.ts';

const source = { endpoint: 'chartVoi', target: '/api/web/charts/voi', answeredAt: '2026-11-20T12:00:00.123456789Z', receivedAt: 5, ageSeconds: null, cache: 'memory', requestId: null } as const;
const provenance = { kind: 'read', source, field: 'notionalVolume', wireText: '12345', wireUnit: 'US cents', factor: '0.01', spec: null, dataTime: '2026-11-20' } as const;
const read = { value: toDecimal('123.45'), unit: 'USD', withheld: null, provenance } as unknown as Quantity;

function told(quantity: Quantity): ReadonlyMap<string, string> {
  return new Map(describeProvenance(quantity, (at) => `at ${String(at)}`).map(({ name, value }) => [name, value]));
}

describe('where a figure comes from', () => {
  it('is its question, its field, the wire’s own text and what was made of it', () => {
    const lines = told(read);
    expect(lines.get('Endpoint')).toBe('GET /api/web/charts/voi');
    expect(lines.get('Wire')).toBe('12345');
    expect(lines.get('Unit')).toBe('US cents × 0.01 = USD');
    expect(lines.get('Figure of')).toBe('2026-11-20');
  });

  it('keeps every digit of the venue’s time, and says what is not told', () => {
    const lines = told(read);
    expect(lines.get('Venue answered')).toBe('at 2026-11-20T12:00:00.123456789Z');
    expect(lines.get('Received')).toBe('at 5');
    expect(lines.get('Age then')).toBe('not told');
    expect(lines.get('Request')).toBe('not told');
  });

  it('of a computed one is how, and from what', () => {
    const lines = describeProvenance(deriveQuantity('USD', 'Twice', [read], ([value]) => value?.times(2) ?? null), String);
    expect(lines.map(({ value }) => value)).toEqual(['Twice', 'chartVoi notionalVolume = 12345 (2026-11-20)']);
  });

  it('begins with the reason where it is withheld', () => {
    expect(describeProvenance({ ...read, value: null, withheld: 'The increment is wrong.' }, String)[0]).toEqual({ name: 'Withheld', value: 'The increment is wrong.' });
  });
});
