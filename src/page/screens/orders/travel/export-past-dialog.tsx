import type { OrderRow } from '#model/orders/order-row.ts';
import { CompletenessBadge } from '../working/completeness.tsx';
import { ExportOrdersDialog, toStamp, type ExportDialogProps } from '../export/export-orders-dialog.tsx';
import { isComplete, toPastStatement, toPastWord } from './past-statement.ts';
import type { Compared } from './compared.ts';
import type { PastBook } from './use-book.ts';

interface ExportPastDialogProps extends Omit<ExportDialogProps, 'subject'> {
  readonly rows: readonly OrderRow[];
  /** Also of those that a comparison adds. */
  readonly total: number;
  readonly book: PastBook;
  readonly compared: Compared | undefined;
}

/** Exports the filtered orders as they were, with the reading that they are of. */
export function ExportPastDialog({ rows, total, book, compared, ...dialog }: ExportPastDialogProps) {
  const books = compared === undefined ? [book] : [book, compared.book];
  const name = `working-orders-at-${books.map(toBookStamp).join('-compared-with-')}`;
  const subject = {
    rows,
    total,
    badge: <CompletenessBadge completeness={book.completeness} isStale={false} />,
    set: toPastWord(books),
    added: compared?.added,
    name: isComplete(books) ? name : `${name}-INCOMPLETE`,
    toStatement: toPastStatement({ exported: rows, books }),
  };
  return <ExportOrdersDialog subject={subject} {...dialog} />;
}

function toBookStamp({ completeness: { readTo } }: PastBook): string {
  return toStamp(readTo ?? '');
}
