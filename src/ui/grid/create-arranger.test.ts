import { expect, it } from 'vitest';
import { createArranger } from './create-arranger.ts';
import type { GridColumn } from './grid-column.ts';

interface Row {
  readonly id: string;
  readonly price: number;
}

const columns: readonly GridColumn<Row>[] = [{ id: 'price', title: 'Price', kind: 'number', width: 90, text: ({ price }) => String(price), value: ({ price }) => price }];
const byPrice = { sorts: [{ id: 'price', desc: false }], grouping: [], filters: {}, quick: '' };
const given = { columns, keyOf: ({ id }: Row) => id, arrangement: byPrice, closed: new Set<string>(), isCounted: () => true };
const before = [{ id: 'a', price: 2 }, { id: 'b', price: 1 }];
const after = [{ id: 'c', price: 0 }, { id: 'a', price: 0.5 }];

function texts({ matching }: { readonly matching: () => readonly Row[] }): readonly string[] {
  return matching().map(({ id, price }) => `${id} ${String(price)}`);
}

it('arranges every update', () => {
  const arrange = createArranger<Row>();
  expect(texts(arrange({ ...given, rows: before, held: false }))).toEqual(['b 1', 'a 2']);
  const updated = arrange({ ...given, rows: after, held: false });
  expect(texts(updated)).toEqual(['c 0', 'a 0.5']);
  expect(updated.pending).toBe(0);
});

it('replaces held rows in place, and counts those added and removed', () => {
  const arrange = createArranger<Row>();
  arrange({ ...given, rows: before, held: false });
  const held = arrange({ ...given, rows: after, held: true });
  expect(texts(held)).toEqual(['b 1', 'a 0.5']);
  expect(held.pending).toBe(2);
  expect(texts(arrange({ ...given, rows: after, held: false }))).toEqual(['c 0', 'a 0.5']);
});

it('sorts held rows on request', () => {
  const arrange = createArranger<Row>();
  arrange({ ...given, rows: before, held: false });
  const sorted = arrange({ ...given, rows: after, held: true, arrangement: { ...byPrice, sorts: [{ id: 'price', desc: true }] } });
  expect(texts(sorted)).toEqual(['b 1', 'a 0.5']);
  expect(texts(arrange({ ...given, rows: before, held: true, arrangement: byPrice }))).toEqual(['b 1', 'a 2']);
});

it('shows rows that do not count, and returns those that do', () => {
  const arranged = createArranger<Row>()({ ...given, rows: before, held: false, isCounted: ({ id }) => id !== 'b' });
  expect([arranged.rowAt(0)?.id, arranged.rowAt(1)?.id, arranged.count]).toEqual(['b', 'a', 2]);
  expect(texts(arranged)).toEqual(['a 2']);
});
