import fc from 'fast-check';
import { expect, test } from 'vitest';
import { NO_ROWS, readRows, type RowList } from '#server/core/row-list.ts';
import { growthOf, termOf, toAccountChanges, type WireDiff } from './feed.ts';

interface Row {
  readonly symbol: string;
  readonly id: string;
  readonly account: string;
  readonly price: number;
}

function toList(rows: readonly Row[]): string {
  return rows.map((row) => JSON.stringify(row)).join(',');
}

function update(from: RowList, text: string) {
  const { list, diff, left } = readRows(from, [text], 'id');
  return { list, left, growth: growthOf(diff), changes: toAccountChanges(diff, 'account') };
}

function sumOf(list: RowList): number {
  return list.rows.reduce((sum, each) => (sum + termOf(each)) | 0, 0);
}

/** Applies differences by key, as a client does. */
function apply(rows: readonly Row[], diffs: ReadonlyMap<string, WireDiff>): readonly Row[] {
  const byId = new Map(rows.map((row) => [JSON.stringify(row.id), row]));
  for (const { gone } of diffs.values()) for (const key of gone) byId.delete(key);
  for (const { added } of diffs.values())
    for (const row of added) byId.set(JSON.stringify((JSON.parse(row) as Row).id), JSON.parse(row) as Row);
  for (const { changed } of diffs.values()) {
    for (const [key, fields] of changed) {
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
      let [list, rows]: [RowList, readonly Row[]] = [NO_ROWS, []];
      for (const next of readings) {
        const updated = update(list, toList(next));
        expect(apply(rows, updated.changes)).toEqual(next.toSorted(byIdOf));
        expect((sumOf(list) + updated.growth) | 0).toBe(sumOf(updated.list));
        [list, rows] = [updated.list, next];
      }
    }),
  );
});

test('two rows with one key are no rows that can be told apart', () => {
  const rows: readonly Row[] = [7, 8, 9].map((id) => ({ symbol: 'BUSZ26', id: String(id), account: 'A', price: 1 }));
  const { list } = update(NO_ROWS, toList(rows));
  for (const again of rows) expect(update(list, toList([...rows, again])).left).toBe(1);
  const twice = readRows(NO_ROWS, [toList([...rows, ...rows])], 'id');
  expect(twice.left).toBe(3);
  expect(twice.list.rows).toEqual(list.rows);
});

test('an earlier list can still be compared with, after others have followed it', () => {
  const listOf = (...ids: readonly string[]): string => ids.map((id) => `{"id":"${id}"}`).join(',');
  const first = update(NO_ROWS, listOf('1', '2')).list;
  update(update(first, listOf('2', '3')).list, listOf('3', '4'));
  expect(update(first, listOf('1', '3')).changes.get('')).toEqual({
    added: ['{"id":"3"}'],
    changed: [],
    gone: ['"2"'],
  });
});

test.each([
  ['alone', '{"id":"1","account":"B","memo":"x"}'],
  ['and loses a field', '{"id":"1","account":"B"}'],
  ['and has none', '{"id":"1","memo":"x"}'],
])('a row that leaves an account %s is gone from it', (_, after) => {
  const before = update(NO_ROWS, '{"id":"1","account":"A","memo":"x"}').list;
  const { changes } = update(before, after);
  expect(changes.get('"A"')).toEqual({ changed: [], added: [], gone: ['"1"'] });
  expect([...changes.values()].flatMap(({ added }) => added)).toEqual([after]);
});
