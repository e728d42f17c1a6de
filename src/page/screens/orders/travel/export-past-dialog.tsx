import type { OrderRow } from '#model/orders/order-row.ts';
import { toPastWord } from '#model/orders/working-set.ts';
import { CompletenessBadge } from '../working/completeness.tsx';
import { ExportOrdersDialog, toStamp, type ExportDialogProps } from '../export/export-orders-dialog.tsx';
import { toPastStatement } from './past-statement.ts';
import type { Compared, PastBook } from './use-book.ts';

interface ExportPastDialogProps extends Omit<ExportDialogProps, 'subject'> {
  readonly rows: readonly OrderRow[];
  /** The number of orders before filtering, including those that a comparison adds. */
  readonly total: number;
  readonly book: PastBook;
  readonly compared: Compared | undefined;
}

/** Exports the filtered orders as they were, and names the reading they come from. */
export function ExportPastDialog({ rows, total, book, compared, ...dialog }: ExportPastDialogProps) {
  const books = compared === undefined ? [book] : [book, compared.book];
  const name = `working-orders-at-${books.map(toBookStamp).join('-compared-with-')}`;
  const subject = {
    rows,
    total,
    badge: <CompletenessBadge completeness={book.completeness} isStale={false} />,
    set: toPastWord(books),
    added: compared?.added,
    name: books.every(({ completeness }) => completeness.complete) ? name : `${name}-INCOMPLETE`,
    toStatement: toPastStatement({ exported: rows, books }),
  };
  return <ExportOrdersDialog subject={subject} {...dialog} />;
}

function toBookStamp({ completeness: { readTo } }: PastBook): string {
  return toStamp(readTo ?? '');
}
