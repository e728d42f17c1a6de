import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createArranger } from './use-grid-rows.ts';
import type { GridColumn, GridState } from '#model/tables/grid.ts';

interface Row {
  readonly id: string;
  readonly price: number;
}

const priceColumn: GridColumn<{ readonly price: number }> = {
  id: 'price',
  title: 'Price',
  kind: 'number',
  width: 90,
  text: ({ price }) => String(price),
  value: ({ price }) => price,
};
const columns: readonly GridColumn<Row>[] = [priceColumn];
const byPrice = { sorts: [{ id: 'price', desc: false }], grouping: [], filters: {}, quick: '' };
const given = {
  columns,
  keyOf: ({ id }: Row) => id,
  arrangement: byPrice,
  closed: new Set<string>(),
  isCounted: () => true,
};
const before = [
  { id: 'a', price: 2 },
  { id: 'b', price: 1 },
];
const after = [
  { id: 'c', price: 0 },
  { id: 'a', price: 0.5 },
];

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
  const sorted = arrange({
    ...given,
    rows: after,
    held: true,
    arrangement: { ...byPrice, sorts: [{ id: 'price', desc: true }] },
  });
  expect(texts(sorted)).toEqual(['b 1', 'a 0.5']);
  expect(texts(arrange({ ...given, rows: before, held: true, arrangement: byPrice }))).toEqual(['b 1', 'a 2']);
});

it('shows rows that do not count, and returns those that do', () => {
  const arranged = createArranger<Row>()({ ...given, rows: before, held: false, isCounted: ({ id }) => id !== 'b' });
  expect([arranged.rowAt(0)?.id, arranged.rowAt(1)?.id, arranged.count]).toEqual(['b', 'a', 2]);
  expect(texts(arranged)).toEqual(['a 2']);
});

interface Remembered extends Row {
  readonly age: number;
  readonly facts?: object;
}

const remembered: readonly GridColumn<Remembered>[] = [
  priceColumn,
  {
    id: 'age',
    title: 'Age',
    kind: 'number',
    width: 90,
    ages: true,
    text: ({ age }) => String(age),
    value: ({ age }) => age,
  },
];
const readings = fc.array(
  fc.array(fc.record({ place: fc.nat(7), price: fc.nat(30), age: fc.nat(30), knowsFacts: fc.boolean() })),
  { maxLength: 6 },
);
const wanted = fc.record({
  quick: fc.stringMatching(/^[0-9]{0,2}( [0-9])?$/),
  sorts: fc.constantFrom<GridState['sorts'][]>([], [{ id: 'price', desc: true }], [{ id: 'age', desc: false }]),
  filters: fc.constantFrom<GridState['filters'][]>({}, { price: { kind: 'between', from: null, to: 9 } }),
});

it('what is remembered of rows that say the same finds what a search of all rows does', () => {
  fc.assert(
    fc.property(readings, wanted, (sequence, state) => {
      const arrangement = { ...state, grouping: [] };
      const known = new Map<string, object>();
      const arrange = createArranger<Remembered>();
      for (const reading of sequence) {
        const rows = reading.map(({ place, price, age, knowsFacts }): Remembered => {
          const says = `${String(place)} ${String(price)}`;
          const facts = known.get(says) ?? {};
          known.set(says, facts);
          return { id: String(place), price, age, ...(knowsFacts && { facts }) };
        });
        const arranging = {
          rows,
          columns: remembered,
          keyOf: ({ id }: Remembered) => id,
          arrangement,
          closed: new Set<string>(),
          held: false,
          isCounted: () => true,
        };
        expect(arrange({ ...arranging, factsOf: ({ facts }) => facts }).matching()).toEqual(
          createArranger<Remembered>()(arranging).matching(),
        );
      }
    }),
  );
});

it('a row that says the same is searched once, until something else is searched for', () => {
  let written = 0;
  const counting = remembered.map((column) => ({
    ...column,
    text: (row: Remembered) => {
      written += Number(column.ages !== true);
      return column.text(row);
    },
  }));
  const [arrange, facts] = [createArranger<Remembered>(), {}];
  const toArrangement = (quick: string) => ({ sorts: [], grouping: [], filters: {}, quick });
  const [one, two] = [toArrangement('1'), toArrangement('2')];
  for (const [age, arrangement] of [one, one, two, two, one].entries()) {
    arrange({
      rows: [{ id: 'a', price: 12, age, facts }],
      columns: counting,
      keyOf: ({ id }) => id,
      arrangement,
      closed: new Set(),
      held: false,
      isCounted: () => true,
      factsOf: (row) => row.facts,
    });
  }
  expect(written).toBe(3);
});
