import { expect, test } from 'vitest';
import { findUncountable, toScope } from './activity-scope.ts';

test('filters by one value are requested; all others are named, not ignored', () => {
  const filters = {
    account: { kind: 'is', texts: ['NORD-105'] },
    type: { kind: 'is', texts: ['Future', 'Option'] },
    price: { kind: 'between', from: 1, to: null },
    firm: { kind: 'has', text: 'A' },
  } as const;
  expect(toScope({ filters })).toEqual({ account_id: 'NORD-105' });
  expect(findUncountable({ filters, quick: ' x ' })).toEqual(['type', 'price', 'firm', 'quick']);
  expect(findUncountable({ filters: { product: { kind: 'is', texts: ['BUSZ26'] } }, quick: ' ' })).toEqual([]);
});
