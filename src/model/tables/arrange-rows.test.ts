import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { GridColumn } from './grid.ts';
import { type GridGroup, groupRows, orderRows } from './arrange-rows.ts';

interface Row {
  readonly account: string | null;
  readonly side: string;
  readonly size: number;
}

const account: GridColumn<Row> = {
  id: 'account',
  title: 'Account',
  kind: 'text',
  width: 90,
  text: (row) => row.account ?? '–',
  value: (row) => row.account,
};
const side: GridColumn<Row> = {
  id: 'side',
  title: 'Side',
  kind: 'text',
  width: 90,
  text: (row) => row.side,
  value: (row) => row.side,
};
const size: GridColumn<Row> = {
  id: 'size',
  title: 'Size',
  kind: 'number',
  width: 90,
  text: (row) => String(row.size),
  value: (row) => row.size,
};
const columns = [account, side, size];

function group(
  rows: readonly Row[],
  closed: ReadonlySet<string> = new Set(),
  isCounted: (row: Row) => boolean = () => true,
) {
  const order = orderRows(
    rows,
    columns,
    { sorts: [{ id: 'size', desc: true }], grouping: ['account', 'side'], filters: {}, quick: '' },
    isCounted,
  );
  return groupRows(order, { rows, columns: [account, side], closed, isCounted });
}

const rowsOf = fc.array(
  fc.record({
    account: fc.constantFrom('A2', 'A10', 'A02', '7', '007', '1e5', '1e05', 'a/b', null),
    side: fc.constantFrom('Bid', 'Ask'),
    size: fc.integer({ min: 0, max: 9 }),
  }),
  { maxLength: 40 },
);

function sum(rows: readonly Row[]): number {
  return rows.reduce((total, row) => total + row.size, 0);
}

function atDepth(groups: readonly GridGroup<Row>[], depth: number): readonly GridGroup<Row>[] {
  return groups.filter((each) => each.depth === depth);
}

it('puts each row into one group per level, so that counts and sums of groups add up to those of all rows', () => {
  fc.assert(
    fc.property(rowsOf, (rows) => {
      const { lines, groups } = group(rows);
      for (const depth of [0, 1]) {
        const level = atDepth(groups, depth);
        expect(level.reduce((count, each) => count + each.count, 0)).toBe(rows.length);
        expect(level.reduce((total, each) => total + sum(each.rows()), 0)).toBe(sum(rows));
      }
      expect([...lines].filter((line) => line >= 0).toSorted((a, b) => a - b)).toEqual(rows.map((_, index) => index));
    }),
  );
});

it('has one group for each account, with exactly its rows', () => {
  fc.assert(
    fc.property(rowsOf, (rows) => {
      const accounts = atDepth(group(rows).groups, 0);
      expect(accounts.map(({ text }) => text).toSorted()).toEqual([...new Set(rows.map(account.text))].toSorted());
      for (const { text, rows: members } of accounts) expect([...new Set(members().map(account.text))]).toEqual([text]);
    }),
  );
});

it('groups rows with the same value, sorted within the group, missing values last', () => {
  const rows = [
    { account: null, side: 'Bid', size: 1 },
    { account: 'A10', side: 'Bid', size: 2 },
    { account: 'A2', side: 'Bid', size: 3 },
    { account: 'A10', side: 'Bid', size: 4 },
  ];
  const { lines, groups } = group(rows);
  const texts = [...lines].map((line) => (line < 0 ? groups[-1 - line]?.text : rows[line]?.size));
  expect(texts).toEqual(['A2', 'Bid', 3, 'A10', 'Bid', 4, 2, '–', 'Bid', 1]);
});

it('hides the rows of a closed group, but counts them', () => {
  fc.assert(
    fc.property(rowsOf, (rows) => {
      const open = group(rows);
      const [first] = open.groups;
      if (first === undefined) return;
      const { lines, groups } = group(rows, new Set([first.key]));
      expect(groups[0]).toMatchObject({ key: first.key, open: false, count: first.count });
      expect(lines.length).toBe(open.lines.length - first.count - new Set(first.rows().map((row) => row.side)).size);
    }),
  );
});

it('excludes rows that do not count from counts and sums, but shows them', () => {
  fc.assert(
    fc.property(rowsOf, (rows) => {
      const isCounted = ({ size: counted }: Row) => counted % 3 > 0;
      const { lines, groups } = group(rows, new Set(), isCounted);
      for (const each of atDepth(groups, 0)) {
        const members = rows.filter((row) => account.text(row) === each.text && isCounted(row));
        expect([each.count, sum(each.rows())]).toEqual([members.length, sum(members)]);
      }
      expect([...lines].filter((line) => line >= 0)).toHaveLength(rows.length);
    }),
  );
});

it('identifies a group by its values alone', () => {
  const rows = [{ account: 'a/b', side: 'Bid', size: 1 }];
  expect(group(rows).groups.map(({ key }) => key)).toEqual(['/a%2Fb', '/a%2Fb/Bid']);
});
