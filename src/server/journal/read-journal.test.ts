import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Change } from './segment/change.ts';
import type { JournalStore } from './journal-store.ts';
import { createJournalReader } from './read-journal.ts';
import type { Stretch } from './stretch.ts';

const change = fc.record({
  kind: fc.constantFrom('seen', 'changed', 'gone', 'ended'),
  id: fc.constantFrom('1', '2', '3'),
  to: fc.nat(20),
  price: fc.nat(3),
});

function toStretch(
  parts: readonly { readonly kind: Change['kind']; readonly id: string; readonly to: number; readonly price: number }[],
): Stretch {
  const changes = parts
    .toSorted((a, b) => a.to - b.to)
    .map(({ price, ...one }) => ({ ...one, from: 0, row: `{"id":"${one.id}","price":${String(price)}}` }));
  const readings = [{ from: 20, to: 20, isComplete: true, isAfterGap: false }];
  return { from: 0, base: new Map([['1', '{"id":"1","price":9}']]), readings, changes };
}

it('changes of any time, and the orders before them, are those among all changes', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(change, { maxLength: 30 }),
      fc.nat(21),
      fc.nat(21),
      fc.boolean(),
      async (parts, from, to, isNewestFirst) => {
        const { changes } = createJournalReader(
          { segments: () => [], stretches: () => [toStretch(parts)], refresh: () => Promise.resolve() },
          {} as JournalStore,
        );
        const request = { isNewestFirst, after: null, limit: 100, matches: () => true };
        const all = await changes({ ...request, from: 0, to: Infinity });
        const some = await changes({ ...request, from, to });
        expect(some.changes).toEqual(all.changes.filter((one) => one.to >= from && one.to < to));
      },
    ),
  );
});
