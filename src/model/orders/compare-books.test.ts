import fc from 'fast-check';
import { expect, it } from 'vitest';
import { orderLists, readOrders, toRows } from '#testing/order-rows.ts';
import { compareBooks } from './compare-books.ts';
import { isPresent, type OrderRow } from './order-row.ts';
import { toRowStatus } from './order-status.ts';
import { compareNewest } from './working-set.ts';

const rowsOf = (fields: readonly object[]) => toRows(readOrders(fields).toSorted(compareNewest));
const idsOf = (rows: readonly OrderRow[]) => rows.map(({ order }) => order.id);

it('each order is added, changed, gone or the same, as by a plain comparison', () => {
  fc.assert(
    fc.property(orderLists, orderLists, (before, after) => {
      const [earlier, later] = [rowsOf(before), rowsOf(after)];
      const { rows, differences, counts } = compareBooks(earlier, later);
      const all = new Set([...idsOf(earlier), ...idsOf(later)]);
      expect(new Set(idsOf(rows))).toEqual(all);
      expect(rows.map(({ order }) => order)).toEqual(rows.map(({ order }) => order).toSorted(compareNewest));
      expect(idsOf(rows.filter(isPresent))).toEqual(idsOf(later));
      expect(differences.size).toBe(all.size);
      for (const [id, { kind, before: was, fields }] of differences) {
        const [old, next] = [before, after].map((list) => list.find((one) => one.id === id));
        const changed =
          old &&
          next &&
          Object.keys(next).filter((name) => old[name as keyof typeof old] !== next[name as keyof typeof next]);
        expect(kind).toBe(
          old === undefined ? 'added' : next === undefined ? 'gone' : changed?.length === 0 ? 'same' : 'changed',
        );
        expect(fields.toSorted()).toEqual(kind === 'changed' ? changed?.toSorted() : []);
        expect(was?.order.id).toBe(old === undefined ? undefined : id);
      }
      expect(counts.added + counts.changed + counts.gone + counts.same).toBe(all.size);
      expect(counts.added - counts.gone).toBe(later.length - earlier.length);
    }),
  );
});

it('compares as backwards as forwards: what is added is gone the other way round', () => {
  fc.assert(
    fc.property(orderLists, orderLists, (before, after) => {
      const [on, back] = [
        compareBooks(rowsOf(before), rowsOf(after)).counts,
        compareBooks(rowsOf(after), rowsOf(before)).counts,
      ];
      expect(on).toEqual({ ...back, added: back.gone, gone: back.added });
    }),
  );
});

it('a gone order is as it was at the earlier time, in no sum, and says so', () => {
  const { rows } = compareBooks(rowsOf([{ id: '1', quantity_filled: 2 }]), []);
  const [row] = rows;
  if (row === undefined) throw new Error('no row');
  expect(isPresent(row)).toBe(false);
  expect(toRowStatus(row)).toMatchObject({
    label: 'No longer working',
    explanation: expect.stringContaining('at the earlier of the two times') as string,
  });
});
