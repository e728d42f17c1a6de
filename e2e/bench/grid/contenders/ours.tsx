import { useMemo } from 'react';
import { Grid } from '../../../../src/page/kit/grid/grid.tsx';
import { defaultGridState, type GridColumn } from '../../../../src/model/tables/grid.ts';
import { useGridRows } from '../../../../src/page/kit/grid/use-grid-rows.ts';
import '../../../../src/page/kit/tokens.css';
import type { WireOrder } from '../../lib/wire-orders.ts';
import { COLUMNS } from '../columns.ts';
import { present } from '../stage.ts';
import { createReactContender, type View } from './react-contender.tsx';

/** The columns, defined as those of the orders screen. */
const [DIGITS, STAMP, LETTERS] = [/\d/, /[\d\-:.TZ]/i, /[a-z -]/i];
const ALPHABETS: Partial<Record<keyof WireOrder, RegExp>> = {
  ...{ time: STAMP, last_modified: STAMP, product_id: DIGITS, id: DIGITS, open_ack_id: DIGITS },
  ...{ product_type: LETTERS, side: LETTERS, status: LETTERS, time_in_force: LETTERS },
};

const columns: readonly GridColumn<WireOrder>[] = COLUMNS.map(({ key, width, kind, format }) => ({
  id: key,
  title: key,
  kind: kind === 'number' ? 'number' : 'text',
  width,
  text: format,
  value: (order) => order[key],
  ...(ALPHABETS[key] && { alphabet: ALPHABETS[key] }),
}));
const usual = defaultGridState(columns);
const keyOf = ({ id }: WireOrder): string => id;
const ignore = (): void => undefined;

function Ours({ orders, direction, symbol, text }: View) {
  const state = useMemo(
    () => ({
      ...usual,
      sorts: direction === null ? [] : [{ id: 'price', desc: direction === 'desc' }],
      filters: symbol === null ? {} : { symbol: { kind: 'is', texts: [symbol] } as const },
      quick: text,
    }),
    [direction, symbol, text],
  );
  const rows = useGridRows({ rows: orders, columns, keyOf, state });
  const table = { columns, state, set: ignore };
  return <Grid label="Orders" table={table} rows={rows} />;
}

await present(
  createReactContender(Ours, {
    topId: () => {
      const grid = document.querySelector('[role=grid]');
      return grid?.scrollTop === 0
        ? (grid.querySelector('[aria-rowindex="2"] > [data-column=id]')?.textContent ?? null)
        : null;
    },
    scroller: () => {
      const grid = document.querySelector<HTMLElement>('[role=grid]');
      if (grid === null) throw new Error('the grid is not mounted');
      return grid;
    },
  }),
);
