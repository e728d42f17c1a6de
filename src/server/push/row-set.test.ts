import fc from 'fast-check';
import { expect, test } from 'vitest';
import { noRows, type RowSet } from '#server/core/row-matcher.ts';
import { updateRows, type RowDiff } from './row-set.ts';

interface Row {
  readonly symbol: string;
  readonly id: string;
  readonly account: string;
  readonly price: number;
}

const FIELDS = { key: 'id', account: 'account' };

function toList(rows: readonly Row[]): string {
  return rows.map((row) => JSON.stringify(row)).join(',');
}

function update(before: RowSet, rows: readonly Row[]) {
  const next = updateRows(before, toList(rows), FIELDS);
  if (next === null) throw new Error('two rows share a key');
  return next;
}

/** As a client does, which has rows by key. */
function apply(rows: readonly Row[], diffs: ReadonlyMap<string, RowDiff>): readonly Row[] {
  const byId = new Map(rows.map((row) => [JSON.stringify(row.id), row]));
  for (const { gone } of diffs.values()) for (const key of gone) byId.delete(key);
  for (const { added } of diffs.values())
    for (const row of added) byId.set(JSON.stringify((JSON.parse(row) as Row).id), JSON.parse(row) as Row);
  for (const { set } of diffs.values()) {
    for (const [key, fields] of set) {
      const old = byId.get(key);
      if (old === undefined) throw new Error(`${key} changed, which is not there`);
      byId.set(key, { ...old, ...(JSON.parse(fields) as Partial<Row>) });
    }
  }
  return [...byId.values()].sort(byIdOf);
}

const byIdOf = (a: Row, b: Row): number => (a.id < b.id ? -1 : 1);

const row = fc.record({
  symbol: fc.constantFrom('BUSZ26', '},{'),
  id: fc.nat(40).map(String),
  account: fc.constantFrom('A', 'B'),
  price: fc.nat(2),
});
const reading = fc.uniqueArray(row, { selector: ({ id }) => id, maxLength: 40 });

test('differences of reading after reading lead to the last one', () => {
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 6 }), (readings) => {
      let [set, rows]: [RowSet, readonly Row[]] = [noRows(), []];
      for (const next of readings) {
        const updated = update(set, next);
        expect(apply(rows, updated.diffs)).toEqual(next.toSorted(byIdOf));
        [set, rows] = [updated.set, next];
      }
    }),
  );
});

test('two rows with one key are no rows that can be told apart', () => {
  const rows: readonly Row[] = [7, 8, 9].map((id) => ({ symbol: 'BUSZ26', id: String(id), account: 'A', price: 1 }));
  const { set } = update(noRows(), rows);
  for (const again of rows) expect(updateRows(set, toList([...rows, again]), FIELDS)).toBeNull();
  expect(updateRows(noRows(), toList([...rows, ...rows]), FIELDS)).toBeNull();
});

test.each([
  ['alone', '{"id":"1","account":"B","memo":"x"}'],
  ['and loses a field', '{"id":"1","account":"B"}'],
  ['and has none', '{"id":"1","memo":"x"}'],
])('a row that leaves an account %s is gone from it', (_, after) => {
  const before = updateRows(noRows(), '{"id":"1","account":"A","memo":"x"}', FIELDS)?.set ?? noRows();
  const diffs = updateRows(before, after, FIELDS)?.diffs;
  expect(diffs?.get('"A"')).toEqual({ set: [], added: [], gone: ['"1"'] });
  expect([...(diffs?.values() ?? [])].flatMap(({ added }) => added)).toEqual([after]);
});
