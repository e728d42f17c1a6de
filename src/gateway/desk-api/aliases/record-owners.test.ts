import fc from 'fast-check';
import { expect, it } from 'vitest';
import { OWNER_FIELDS } from './alias-book.ts';
import { findOwners } from './record-owners.ts';

const code = fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom('NORD-105', 'NORD-107', '"account_id":"', '},{"', 'a\\', '"'));
const order = fc.record({ id: code, account_id: code, clearing_firm_code: code, connection_id: code, note: fc.option(fc.record({ account_id: code })) }, { requiredKeys: ['account_id'] });

function ownersOf(rows: readonly Readonly<Record<string, unknown>>[]): ReadonlySet<string> {
  return new Set(rows.map((row) => JSON.stringify(OWNER_FIELDS.map((field) => row[field] ?? null))));
}

it('finds the owners that parsing finds, each once and together, however the page is written', () => {
  fc.assert(
    fc.property(fc.array(order), fc.constantFrom(undefined, 2), (data, indent) => {
      const found = findOwners(JSON.stringify({ data, pagination: { cursor: 'next' } }, null, indent));
      expect(ownersOf(found)).toEqual(ownersOf(data));
      expect(found.length).toBeLessThanOrEqual(data.length);
    }),
  );
});

it.each(['', '{', '[]', '{"data":7}', '{"data":[{"account_id":'])('finds none in %j', (page) => {
  expect(findOwners(page)).toEqual([]);
});
