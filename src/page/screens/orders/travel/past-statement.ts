import { countOf, formatCount } from '#model/format/count.ts';
import { isPresent, type OrderRow } from '#model/orders/order-row.ts';
import type { ExportSubject } from '../export/export-orders-dialog.tsx';
import { APOSTROPHES, PRODUCT_TYPES_NOTE } from '#model/tables/orders/order-csv.ts';
import { toPastWord } from '#model/orders/working-set.ts';
import type { PastBook } from './use-book.ts';

type Books = readonly Pick<
  PastBook,
  'completeness' | 'nextReadAt' | 'pricesAt' | 'pricesMissing' | 'rows' | 'source'
>[];

interface PastExport {
  readonly exported: readonly OrderRow[];
  /** The book shown, and the one it is compared with, if any. */
  readonly books: Books;
}

/** Returns a formatter of the completeness report that accompanies an export of an earlier time. */
export function toPastStatement({ exported, books }: PastExport): ExportSubject['toStatement'] {
  return ({ file, filters, exportedAt }) => {
    const [shown, earlier] = books;
    const working = exported.filter(isPresent).length;
    const gone =
      earlier === undefined
        ? ''
        : ` It also holds ${countOf(exported.length - working, 'order')} that only the reading compared with shows.`;
    const statement = {
      file,
      set: toPastWord(books),
      statement:
        'Working orders as a reading at an earlier time shows them, not as they are now. The ' +
        `file holds ${formatCount(working)} of ` +
        `${countOf(shown?.rows.length ?? 0, 'working order')} of that reading.${gone}`,
      exported_orders: exported.length,
      filters,
      readings: books.map(({ completeness, nextReadAt, pricesAt, pricesMissing, rows, source }) => ({
        read_from: completeness.readFrom,
        read_to: completeness.readTo,
        next_read_at: nextReadAt === null ? null : new Date(nextReadAt).toISOString(),
        working_orders: rows.length,
        complete: completeness.complete,
        unproven: completeness.reasons,
        market_prices_read_at: pricesAt,
        market_prices_missing: pricesMissing,
        request: `GET ${source.target}`,
      })),
      exported_at: exportedAt,
      reading: [
        'UTF-8, RFC 4180. Times are UTC.',
        APOSTROPHES,
        PRODUCT_TYPES_NOTE,
        'responded_at is when the last part of the reading was read.',
        'Distances and underlying notionals are of the market prices recorded then, and empty where they are missing.',
        'Values in USD are converted with the tick size and contract size that the exchange publishes today.',
      ],
    };
    return `${JSON.stringify(statement, null, 2)}\n`;
  };
}
