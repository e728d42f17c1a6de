import type { DeskStatus } from '#contract/desk/status.ts';
import { formatCount } from '#model/format/count.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { Table, type Column } from '#page/kit/table.tsx';
import { Timestamp } from '#page/kit/time/timestamp.tsx';

type Cost = NonNullable<DeskStatus['funding']>[number];

const COLUMNS: readonly Column<Cost>[] = [
  { name: 'Perpetual', pinned: 'start', cell: ({ base_symbol }) => base_symbol },
  { name: 'Product ID', numeric: true, cell: ({ product_id }) => String(product_id) },
  { name: 'Stored rates', numeric: true, cell: ({ prints }) => formatKnown(prints) },
  { name: 'Exchange reads', unit: 'total', numeric: true, cell: ({ reads }) => formatKnown(reads) },
  { name: 'Last read', cell: ({ last_read_at }) => <Timestamp at={last_read_at} /> },
];

function formatKnown(count: number | null): string {
  return count === null ? NO_VALUE : formatCount(count);
}

interface FundingCostTableProps {
  /** Null if they cannot be read. */
  readonly costs: readonly Cost[] | null;
  /** The store’s last failure. */
  readonly lastFailure: DeskStatus['store']['last_failure'];
}

export function FundingCostTable({ costs, lastFailure }: FundingCostTableProps) {
  if (costs === null) {
    return (
      <EmptyState title="Stored rates cannot be read">
        <p>{lastFailure?.detail}</p>
      </EmptyState>
    );
  }
  if (costs.length === 0) {
    return (
      <EmptyState title="No settled rates read yet">
        <p>
          Perpdesk reads them when a screen first needs them: one read per perpetual for its whole history, then one
          after each funding interval.
        </p>
      </EmptyState>
    );
  }
  return (
    <Table
      caption="Settled funding rates"
      columns={COLUMNS}
      rows={costs}
      keyOf={({ product_id }) => String(product_id)}
    />
  );
}
