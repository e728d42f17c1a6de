import { useMemo, useRef, useState } from 'react';
import { isPresent, toFacts, type OrderRow } from '#model/orders/order-row.ts';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell, GridHandle } from '#page/kit/grid/grid-props.ts';
import type { GridTable } from '#page/kit/grid/grid-table.ts';
import { useGridKeys } from '#page/kit/grid/use-grid-keys.ts';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { useGridTooltips } from '#page/kit/grid/use-grid-tooltips.tsx';
import { useAnnouncedCount } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { useFollowCursor } from '../shared/use-follow-cursor.ts';
import { orderParam, panelParam } from '../shared/url-params.ts';
import { useEscape } from '../shared/use-escape.ts';
import { keyOfOrder } from '../shared/use-order-columns.ts';
import type { OpenDialog } from './working-tools.tsx';

interface OrderListParts {
  readonly table: GridTable<OrderRow>;
  /** The rows to filter, sort and group. */
  readonly all: readonly OrderRow[];
  /** How many orders there are without the filter. */
  readonly total: number;
  readonly explain: (cell: GridCell<OrderRow>) => CellTooltip;
}

/** What a list of working orders consists of, now or in the past: its rows, its selection, the panel beside it and its dialogs. */
export function useOrderList({ table, all, total, explain }: OrderListParts) {
  const { columns, state } = table;
  const rows = useGridRows({ rows: all, columns, keyOf: keyOfOrder, state, isCounted: isPresent, factsOf: toFacts });
  const matching = useMemo(() => rows.matching(), [rows]);
  const [panel, setPanel] = useUrlState(panelParam);
  const [orderId, setOrderId] = useUrlState(orderParam);
  const grid = useRef<GridHandle>(null);
  const [opened, setOpened] = useState<OpenDialog | null>(null);
  const [message, setMessage] = useState('');
  const [selectedKeys, setSelectedKeys] = useState(NOTHING_SELECTED);
  const selected = useMemo(() => matching.filter((row) => selectedKeys.has(keyOfOrder(row))), [matching, selectedKeys]);
  useAnnouncedCount(matching.length, total, 'orders');
  const tooltips = useGridTooltips(explain);
  const letters = useGridKeys();
  const follow = useFollowCursor(panel === 'order', setOrderId);
  const closePanel = (): void => {
    setPanel('none');
    grid.current?.focus();
  };
  const escape = useEscape(panel !== 'none', closePanel);
  return {
    rows,
    matching,
    selected,
    message,
    panel,
    orderId,
    setOrderId,
    closePanel,
    escape,
    tools: { table, grid, opened, setOpened },
    gridProps: {
      ...tooltips,
      letters,
      table,
      rows,
      opened: panel === 'order' ? orderId : undefined,
      handle: grid,
      onSelect: setSelectedKeys,
      onAnnounce: setMessage,
      onColumnMenu: (columnId: string) => {
        setOpened({ dialog: 'filter', columnId });
      },
      onActive: follow,
      onOpen: ({ order }: OrderRow) => {
        setOrderId(order.id);
        setPanel('order');
      },
    },
  };
}

const NOTHING_SELECTED: ReadonlySet<string> = new Set();
