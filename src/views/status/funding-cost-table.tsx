import type { DeskStatus } from '#contract/desk.ts';
import { formatCount } from '#domain/format-count.ts';
import { Nothing } from '#ui/panel/panel-body.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { Moment } from '#ui/time/moment.tsx';

type Cost = DeskStatus['funding'][number];

const COLUMNS: readonly Column<Cost>[] = [
  { name: 'Perpetual', pinned: true, cell: ({ base_symbol }) => base_symbol },
  { name: 'Product', numeric: true, cell: ({ product_id }) => String(product_id) },
  { name: 'Prints on disk', numeric: true, cell: ({ prints }) => formatCount(prints) },
  { name: 'Reads of the venue', unit: 'ever', numeric: true, cell: ({ reads }) => formatCount(reads) },
  { name: 'Last read', cell: ({ last_read_at }) => <Moment at={last_read_at} /> },
];

/** What settled funding has cost upstream: once the whole history, then one read after each interval. */
export function FundingCostTable({ costs }: { readonly costs: readonly Cost[] }) {
  if (costs.length === 0) {
    return (
      <Nothing title="Nothing read yet">
        <p>Settled funding is read when a screen first asks for it: one read per perpetual for all of its history.</p>
      </Nothing>
    );
  }
  return <Table caption="Settled funding" columns={COLUMNS} rows={costs} keyOf={({ product_id }) => String(product_id)} />;
}
