import { AllCommunityModule, ModuleRegistry, themeQuartz, type GridApi } from 'ag-grid-community';
import { AgGridReact } from 'ag-grid-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import type { WireOrder } from '../../lib/wire-orders.ts';
import { COLUMNS, ROW_PX } from '../columns.ts';
import { present } from '../stage.ts';

ModuleRegistry.registerModules([AllCommunityModule]);

const theme = themeQuartz.withParams({
  fontSize: 12,
  fontFamily: 'sans-serif',
  rowHeight: ROW_PX,
  headerHeight: ROW_PX,
  spacing: 2,
});
const columnDefs = COLUMNS.map(({ key, width, format, kind }) => ({
  field: key,
  width,
  minWidth: 20,
  filter: key === 'symbol' ? 'agTextColumnFilter' : false,
  cellDataType: false,
  ...(kind !== 'text' && { valueFormatter: ({ data }: { readonly data: WireOrder }) => format(data) }),
}));
const getRowId = ({ data }: { readonly data: WireOrder }): string => data.id;

let api: GridApi | null = null;
let setOrders: (orders: readonly WireOrder[]) => void = () => undefined;

function Peer({ initial }: { readonly initial: readonly WireOrder[] }) {
  const [orders, set] = useState(initial);
  setOrders = set;
  return (
    <div className="fill">
      <AgGridReact
        theme={theme}
        rowData={orders}
        columnDefs={columnDefs}
        getRowId={getRowId}
        rowHeight={ROW_PX}
        headerHeight={ROW_PX}
        animateRows={false}
        onGridReady={(event) => {
          api = event.api;
        }}
      />
    </div>
  );
}

function scroller(): HTMLElement {
  const all = [
    ...document.querySelectorAll<HTMLElement>('.ag-body-viewport, .ag-grid-viewport, .ag-center-cols-viewport'),
  ];
  const found = all.find((element) => element.scrollHeight > element.clientHeight + 100) ?? all[0];
  if (found === undefined) throw new Error('the grid is not mounted');
  return found;
}

await present({
  mount: (root, orders) => {
    createRoot(root).render(<Peer initial={orders} />);
  },
  topId: () => document.querySelector('.ag-row[row-index="0"] [col-id="id"]')?.textContent ?? null,
  scroller,
  update: (orders) => {
    setOrders(orders);
  },
  sortByPrice: (sort) => {
    api?.applyColumnState({ state: sort === null ? [] : [{ colId: 'price', sort }], defaultState: { sort: null } });
  },
  filterSymbol: (symbol) => {
    const model = symbol === null ? null : { filterType: 'text', type: 'equals', filter: symbol };
    void api?.setColumnFilterModel('symbol', model).then(() => api?.onFilterChanged());
  },
  search: (text) => {
    api?.setGridOption('quickFilterText', text);
  },
});
