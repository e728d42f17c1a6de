import { describeChange, nameChange, type LifeContext } from '#model/orders/life-phrases.ts';
import type { LifeChange } from '#model/orders/order-life.ts';
import { NO_VALUE } from '#model/format/number.ts';
import { Table, type Column } from '#page/kit/table.tsx';
import { formatDuration } from '#model/format/format-time.ts';
import { Timestamp } from '#page/kit/time/timestamp.tsx';
import { LifePhraseText } from './life-phrase-text.tsx';

interface LifeTableProps {
  /** The oldest first. */
  readonly changes: readonly LifeChange[];
  readonly context: LifeContext;
}

/** The changes of an order in full, the newest first. */
export function LifeTable({ changes, context }: LifeTableProps) {
  const phrase = (name: string) => (change: LifeChange) => {
    const found = describeChange(change, context).find((one) => one.name.startsWith(name));
    return found === undefined ? '' : <LifePhraseText phrase={found} />;
  };
  const columns: readonly Column<LifeChange>[] = [
    { name: 'Change', pinned: 'start', cell: (change) => nameChange(change) ?? 'Changed' },
    { name: 'Not before', cell: ({ readAfter }) => <Timestamp at={readAfter} /> },
    { name: 'Not after', cell: ({ readBy }) => <Timestamp at={readBy} /> },
    {
      name: 'Since the last change',
      numeric: true,
      cell: ({ sinceMs }) => (sinceMs === null ? NO_VALUE : formatDuration(sinceMs / 1_000)),
    },
    { name: 'Filled', unit: 'contracts', numeric: true, cell: phrase('Filled') },
    { name: 'Price', numeric: true, cell: phrase('Price') },
    { name: 'Avg price', numeric: true, cell: phrase('Avg price') },
    {
      name: 'Other fields',
      cell: (change) =>
        describeChange(change, context)
          .filter(({ name }) => !/^(Filled|Price|Avg price)/.test(name))
          .map(({ name, text }) => `${name} ${text}`)
          .join(', '),
    },
  ];
  return (
    <Table
      caption="Changes of the order, newest first"
      columns={columns}
      rows={changes.toReversed()}
      keyOf={({ kind, readBy }) => `${kind} ${readBy}`}
    />
  );
}
