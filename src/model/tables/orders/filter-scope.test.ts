import { expect, it } from 'vitest';
import { describeScope } from './filter-scope.ts';

it.each([
  ['product', { kind: 'is', texts: ['PBTCUCZ50'] }, 'Filtered by the exchange.'],
  [
    'product',
    { kind: 'is', texts: ['PBTCUCZ50', 'PETHUIZ50'] },
    'Applies to loaded orders only. The exchange filters by one value.',
  ],
  [
    'product',
    undefined,
    'The exchange filters by one exact value. Several values, or “Contains”, apply to loaded orders only.',
  ],
  [
    'type',
    { kind: 'is', texts: ['Perpetual'] },
    'The exchange filters by Future, which includes perpetuals; the rest applies to loaded orders only.',
  ],
  [
    'time',
    undefined,
    'Applies to loaded orders only. To have the exchange filter by time, set From and To above the list.',
  ],
  ['price', undefined, 'Applies to loaded orders only.'],
] as const)('a filter of %s by %j: %s', (columnId, filter, sentence) => {
  expect(describeScope(columnId, filter)).toBe(sentence);
});
