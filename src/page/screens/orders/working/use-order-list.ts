import type { OrderId } from '#contract/exchange/ids.ts';
import type { OrderMark, TrackedOrders } from '#model/orders/tracked-orders.ts';
import type { GridHandle, GridMark, GridMarks, GridTable } from '#page/kit/grid/grid-props.ts';
import { useMemo, useRef, useState } from 'react';
import { isPresent, type OrderRow, toFacts } from '#model/orders/order-row.ts';
import { type ExplainCell, useGridKeys, useGridTooltips } from '#page/kit/grid/use-stored-grid.tsx';
import { useGridRows } from '#page/kit/grid/use-grid-rows.ts';
import { useAnnouncedCount } from '#page/kit/live-region.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { useEscape, useFollowCursor } from '../beside/panel-frame.tsx';
import { orderParam, panelParam } from '../beside/panel-params.ts';
import { keyOfOrder } from '../shared/use-order-columns.ts';
import type { OpenDialog } from './working-tools.tsx';

/** Each row has its value in one of these columns. */
const VALUES = ['notional', 'premium', 'difference'];

/** Maps each field to the columns that show it or are computed from it. */
const COLUMNS: Readonly<Record<string, readonly string[]>> = {
  price: ['price', 'distance', 'distanceTicks', 'band', ...VALUES],
  avg_price: ['avgPrice', 'filledNotional'],
  quantity_requested: ['filled', 'remaining', ...VALUES, 'underlying', 'status'],
  quantity_filled: ['filled', 'remaining', ...VALUES, 'underlying', 'filledNotional', 'status'],
  status: ['status'],
  last_modified: ['lastModified'],
  time: ['time', 'age'],
  side: ['side'],
  symbol: ['product'],
  product_type: ['type'],
  time_in_force: ['tif'],
  account_id: ['account'],
  clearing_firm_code: ['firm'],
  connection_id: ['connection'],
  open_ack_id: ['ack'],
};

/** Returns marks for the grid, translated on demand: of thousands, only those in sight are needed. */
export function toGridMarks({ marks, unread }: TrackedOrders): GridMarks {
  const unreadIds = new Set<string>(unread.map(({ order }) => order.id));
  const known = new Map<string, GridMark | undefined>();
  const get = (id: string): GridMark | undefined => {
    if (!known.has(id)) known.set(id, unreadIds.has(id) ? 'unread' : toGridMark(marks.get(id as OrderId)));
    return known.get(id);
  };
  return { get, size: marks.size + unread.length };
}

/** Translates a mark to the columns it affects. */
export function toGridMark(mark: OrderMark | undefined): GridMark | undefined {
  return mark?.kind === 'changed' ? new Set([...mark.fields].flatMap((field) => COLUMNS[field] ?? [])) : mark?.kind;
}

interface OrderListInputs {
  readonly table: GridTable<OrderRow>;
  /** The rows to filter, sort and group. */
  readonly all: readonly OrderRow[];
  /** The number of orders before filtering. */
  readonly total: number;
  readonly explain: ExplainCell<OrderRow>;
}

/**
 * Holds the state of a list of working orders, present or past: its rows, its selection, the panel beside it and its
 * dialogs.
 */
export function useOrderList({ table, all, total, explain }: OrderListInputs) {
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
