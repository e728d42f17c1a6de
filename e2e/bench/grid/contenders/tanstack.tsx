import {
  columnFilteringFeature,
  columnSizingFeature,
  createFilteredRowModel,
  createSortedRowModel,
  filterFn_equalsString,
  filterFn_includesString,
  globalFilteringFeature,
  rowSortingFeature,
  sortFn_basic,
  tableFeatures,
  useTable,
  type ColumnDef,
} from '@tanstack/react-table';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useMemo, useRef } from 'react';
import type { WireOrder } from '../../lib/wire-orders.ts';
import { COLUMNS, ID_PLACE, ROW_PX } from '../columns.ts';
import { present } from '../stage.ts';
import { createReactContender, type View } from './react-contender.tsx';
import './tanstack.css';

const features = tableFeatures({
  rowSortingFeature,
  columnFilteringFeature,
  globalFilteringFeature,
  columnSizingFeature,
  sortedRowModel: createSortedRowModel(),
  filteredRowModel: createFilteredRowModel(),
});
const columns = COLUMNS.map(({ key, width }): ColumnDef<typeof features, WireOrder> => ({
  id: key,
  accessorFn: (order) => order[key],
  size: width,
  filterFn: filterFn_equalsString,
  sortFn: sortFn_basic,
}));

/** The library as in its own guides: its rows, each drawn by React when it comes into sight. */
function Peer({ orders, direction, symbol, text }: View) {
  const scroller = useRef<HTMLDivElement>(null);
  const data = useMemo(() => [...orders], [orders]);
  const state = useMemo(
    () => ({
      sorting: direction === null ? [] : [{ id: 'price', desc: direction === 'desc' }],
      columnFilters: symbol === null ? [] : [{ id: 'symbol', value: symbol }],
      globalFilter: text === '' ? undefined : text,
    }),
    [direction, symbol, text],
  );
  const table = useTable({
    features,
    columns,
    data,
    state,
    getRowId: ({ id }) => id,
    globalFilterFn: filterFn_includesString,
  });
  const { rows } = table.getRowModel();
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW_PX,
    overscan: 10,
  });
  return (
    <div ref={scroller} className="peer-scroller">
      <div className="peer-head">
        {COLUMNS.map(({ key, width }) => (
          <div key={key} className="peer-cell" style={{ inlineSize: width }}>
            {key}
          </div>
        ))}
      </div>
      <div className="peer-body" style={{ blockSize: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map(({ index, start, key }) => (
          <div
            key={key}
            className="peer-row"
            data-index={index}
            style={{ transform: `translateY(${String(start)}px)` }}
          >
            {rows[index]?.getAllCells().map((cell, place) => (
              <div key={cell.id} className="peer-cell" style={{ inlineSize: cell.column.getSize() }}>
                {COLUMNS[place]?.format(cell.row.original)}
              </div>
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

await present(
  createReactContender(Peer, {
    topId: () => document.querySelector(`[data-index="0"] > :nth-child(${String(ID_PLACE + 1)})`)?.textContent ?? null,
    scroller: () => {
      const found = document.querySelector<HTMLElement>('.peer-scroller');
      if (found === null) throw new Error('the grid is not mounted');
      return found;
    },
  }),
);
