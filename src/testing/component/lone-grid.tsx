/** A grid alone on a page, set up in the ways that screens use it. */
import { useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { onTestFinished } from 'vitest';
import '#page/kit/tokens.css';
import '#page/kit/base.css';
import { Grid } from '#page/kit/grid/grid.tsx';
import { defaultGridState, type GridColumn, type GridState } from '#model/tables/grid.ts';
import type { GridMark } from '#page/kit/grid/grid-props.ts';
import { sparseRows } from '#model/tables/arrange-rows.ts';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';

interface Row {
  readonly id: string;
  readonly product: string;
  readonly account: string | null;
  readonly side: 'Bid' | 'Ask';
  readonly price: number;
  readonly filled: number;
  readonly requested: number;
}

/** What the grid did, and how a test acts on it. */
interface LoneGrid {
  readonly opened: string[];
  readonly explained: string[];
  readonly menus: string[];
  /** How often the end was nearly reached. */
  nearEnd: number;
  state: GridState;
  pending: number;
  change: (part: Partial<Shown>) => void;
  arrive: (count: number) => void;
}

interface Shown {
  readonly rows: readonly Row[];
  readonly held: boolean;
  readonly marks: ReadonlyMap<string, GridMark>;
  readonly grouping: readonly string[];
}

const ROWS = 10_000;
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
  {
    id: 'product',
    title: 'Product',
    kind: 'text',
    width: 110,
    pinned: 'start',
    text: ({ product }) => product,
    value: ({ product }) => product,
  },
  {
    id: 'side',
    title: 'Side',
    kind: 'text',
    width: 60,
    text: ({ side }) => side,
    value: ({ side }) => side,
    tone: ({ side }) => side.toLowerCase(),
  },
  {
    id: 'price',
    title: 'Price',
    unit: 'USD',
    kind: 'number',
    width: 90,
    text: ({ price }) => whole.format(price),
    value: ({ price }) => price,
  },
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
  {
    id: 'account',
    title: 'Account',
    kind: 'text',
    width: 100,
    tooltip: 'Codes of the clearing firm',
    text: ({ account }) => account ?? '–',
    value: ({ account }) => account,
  },
  {
    id: 'id',
    title: 'Order',
    kind: 'text',
    width: 160,
    text: ({ id }) => id,
    value: ({ id }) => id,
    compare: (a, b) => Number(BigInt(a) - BigInt(b)),
  },
];

const many: readonly GridColumn<Row>[] = Array.from({ length: 60 }, (_, index) => ({
  id: `extra${String(index)}`,
  title: `Extra ${String(index)}`,
  kind: 'number',
  width: 90,
  text: ({ price }) => whole.format(price + index),
  value: ({ price }) => price + index,
}));

const keyOf = ({ id }: Row): string => id;

interface ScreenProps {
  readonly columns: readonly GridColumn<Row>[];
  /** The number of rows if not all of them are in memory; null if they are. */
  readonly sparse: number | null;
  readonly recorded: LoneGrid;
}

function Screen({ columns, sparse, recorded }: ScreenProps) {
  const [shown, setShown] = useState<Shown>(() => ({
    rows: Array.from({ length: sparse === null ? ROWS : 0 }, (_, index) => createRow(index)),
    held: false,
    marks: new Map(),
    grouping: [],
  }));
  const [state, setState] = useState<GridState>(recorded.state);
  const present = useMemo(() => ({ ...state, grouping: shown.grouping }), [state, shown.grouping]);
  const rows = useGridRows({ rows: shown.rows, columns, keyOf, state: present, held: shown.held });
  const partly = useMemo(
    () =>
      sparseRows({
        rowCount: sparse ?? 0,
        keyOf,
        rowAt: (index) => (index % 1_000 < 900 ? createRow(index) : undefined),
      }),
    [sparse],
  );
  Object.assign(recorded, {
    state: present,
    pending: rows.pending,
    change: (part: Partial<Shown>) => {
      setShown((before) => ({ ...before, ...part }));
    },
    arrive: (count: number) => {
      setShown((before) => {
        const newest = BigInt(before.rows[0]?.id ?? NEWEST);
        const added = Array.from({ length: count }, (_, index) => ({
          ...createRow(index),
          id: String(newest + BigInt(count - index)),
        }));
        return { ...before, rows: [...added, ...before.rows] };
      });
    },
  });
  return (
    <Grid
      label="Orders"
      table={{ columns, state: present, set: setState }}
      rows={sparse === null ? rows : partly}
      marks={shown.marks}
      onOpen={({ id }) => recorded.opened.push(id)}
      onExplain={({ row, column }) => recorded.explained.push(`${row.id} ${column.id}`)}
      onColumnMenu={(id) => recorded.menus.push(id)}
      onNearEnd={() => (recorded.nearEnd += 1)}
    />
  );
}

/** Draws the grid. It is drawn when this returns, before any code for its input has loaded. */
export function mountGrid({
  isWide = false,
  sparse = null,
}: { readonly isWide?: boolean; readonly sparse?: number | null } = {}): LoneGrid {
  const columns = isWide ? [...base, ...many] : base;
  const recorded: LoneGrid = {
    opened: [],
    explained: [],
    menus: [],
    nearEnd: 0,
    state: defaultGridState(columns),
    pending: 0,
    change: () => undefined,
    arrive: () => undefined,
  };
  const element = document.createElement('main');
  element.style.cssText = 'position:fixed;inset:0;display:flex;flex-direction:column';
  document.body.replaceChildren(element);
  const root = createRoot(element);
  onTestFinished(() => {
    root.unmount();
  });
  flushSync(() => {
    root.render(<Screen {...{ columns, sparse, recorded }} />);
  });
  return recorded;
}
