/** A grid alone on a page, in the ways that screens use it; the address says which. */
import { useMemo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import '../../../../src/ui/tokens.css';
import '../../../../src/ui/base.css';
import { Grid } from '../../../../src/ui/grid/grid.tsx';
import type { GridColumn } from '../../../../src/ui/grid/grid-column.ts';
import type { GridMark } from '../../../../src/ui/grid/grid-props.ts';
import { sparseRows } from '../../../../src/ui/grid/grid-rows.ts';
import { defaultGridState, type GridState } from '../../../../src/ui/grid/grid-state.ts';
import { useGridRows } from '../../../../src/ui/grid/use-grid-rows.ts';

interface Row {
  readonly id: string;
  readonly product: string;
  readonly account: string | null;
  readonly side: 'Bid' | 'Ask';
  readonly price: number;
  readonly filled: number;
  readonly requested: number;
}

interface Recorded {
  readonly opened: string[];
  readonly explained: string[];
  readonly menus: string[];
  readonly near: string[];
  state: GridState;
  pending: number;
}

interface Page extends Recorded {
  readonly change: (part: Partial<Shown>) => void;
  readonly arrive: (count: number) => void;
}

interface Shown {
  readonly rows: readonly Row[];
  readonly held: boolean;
  readonly marks: ReadonlyMap<string, GridMark>;
  readonly grouping: readonly string[];
}

declare global {
  var gridPage: Page;
}

const query = new URLSearchParams(location.search);
const mode = query.get('mode') ?? 'plain';
const ROWS = Number(query.get('rows') ?? 10_000);
const NEWEST = 7_670_000_000_000_000_000n;

function createRow(index: number): Row {
  return {
    id: String(NEWEST - BigInt(index)),
    product: ['BUSZ26', 'PBUSZ50', 'PSHBUNZ50'][index % 3] ?? '',
    account: index % 11 === 0 ? null : `ACCT-${String(1_000 + (index % 7))}`,
    side: index % 2 === 0 ? 'Bid' : 'Ask',
    price: 23_000 + ((index * 7_919) % 1_000),
    filled: index % 5,
    requested: 10,
  };
}

const whole = new Intl.NumberFormat('en');

const base: readonly GridColumn<Row>[] = [
  { id: 'product', title: 'Product', kind: 'text', width: 110, pinned: 'start', text: ({ product }) => product, value: ({ product }) => product },
  { id: 'side', title: 'Side', kind: 'text', width: 60, text: ({ side }) => side, value: ({ side }) => side, tone: ({ side }) => side.toLowerCase() },
  { id: 'price', title: 'Price', unit: 'USD', kind: 'number', width: 90, text: ({ price }) => whole.format(price), value: ({ price }) => price },
  {
    id: 'filled',
    title: 'Filled',
    unit: 'of requested',
    kind: 'number',
    width: 110,
    text: ({ filled, requested }) => `${String(filled)} / ${String(requested)}`,
    value: ({ filled }) => filled,
    bar: ({ filled, requested }) => (filled === 0 ? null : filled / requested),
    subtotal: (rows) => {
      const value = rows.reduce((sum, { filled }) => sum + filled, 0);
      return { value, text: whole.format(value) };
    },
  },
  { id: 'account', title: 'Account', kind: 'text', width: 100, tooltip: 'Codes of the clearing firm', text: ({ account }) => account ?? '–', value: ({ account }) => account },
  { id: 'id', title: 'Order', kind: 'text', width: 160, text: ({ id }) => id, value: ({ id }) => id, compare: (a, b) => Number(BigInt(a) - BigInt(b)) },
];

const many: readonly GridColumn<Row>[] = Array.from({ length: 60 }, (_, index) => ({
  id: `extra${String(index)}`,
  title: `Extra ${String(index)}`,
  kind: 'number',
  width: 90,
  text: ({ price }) => whole.format(price + index),
  value: ({ price }) => price + index,
}));

const columns = mode === 'wide' ? [...base, ...many] : base;
const keyOf = ({ id }: Row): string => id;
const initial = defaultGridState(columns);
const first: Shown = { rows: Array.from({ length: mode === 'sparse' ? 0 : ROWS }, (_, index) => createRow(index)), held: false, marks: new Map(), grouping: [] };
const recorded: Recorded = { opened: [], explained: [], menus: [], near: [], state: initial, pending: 0 };

function Screen() {
  const [shown, setShown] = useState(first);
  const [state, setState] = useState<GridState>(initial);
  const present = useMemo(() => ({ ...state, grouping: shown.grouping }), [state, shown.grouping]);
  const table = { columns, state: present, set: setState };
  const rows = useGridRows({ rows: shown.rows, columns, keyOf, state: present, held: shown.held });
  const sparse = useMemo(() => sparseRows({ rowCount: ROWS, keyOf, rowAt: (index) => (index % 1_000 < 900 ? createRow(index) : undefined) }), []);
  Object.assign(globalThis, {
    gridPage: Object.assign(recorded, {
      state: present,
      pending: rows.pending,
      change: (part: Partial<Shown>) => {
        setShown((before) => ({ ...before, ...part }));
      },
      arrive: (count: number) => {
        setShown((before) => {
          const newest = BigInt(before.rows[0]?.id ?? NEWEST);
          const added = Array.from({ length: count }, (_, index) => ({ ...createRow(index), id: String(newest + BigInt(count - index)) }));
          return { ...before, rows: [...added, ...before.rows] };
        });
      },
    }),
  });
  return (
    <Grid
      label="Orders"
      table={table}
      rows={mode === 'sparse' ? sparse : rows}
      marks={shown.marks}
      onOpen={({ id }) => recorded.opened.push(id)}
      onExplain={({ row, column }) => recorded.explained.push(`${row.id} ${column.id}`)}
      onColumnMenu={(id) => recorded.menus.push(id)}
      onNearEnd={() => recorded.near.push('end')}
    />
  );
}

const root = document.querySelector('#root');
if (root !== null) createRoot(root).render(<Screen />);
