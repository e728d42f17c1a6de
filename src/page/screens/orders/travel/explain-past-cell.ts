import type { OrderRow } from '#model/orders/order-row.ts';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell } from '#page/kit/grid/grid-props.ts';
import { explainGridCell } from '../beside/cell-provenance.ts';
import type { PastBook } from './use-book.ts';

/** Columns that need the market price of that time. */
const OF_MARKET: ReadonlySet<string> = new Set(['distance', 'distanceTicks', 'band', 'underlying']);
/** Columns in USD. */
const IN_USD: ReadonlySet<string> = new Set([
  'price',
  'avgPrice',
  'notional',
  'premium',
  'difference',
  'filledNotional',
  'underlying',
]);

/** Returns the provenance of a cell of an earlier time. */
export function explainPastCell(
  cell: GridCell<OrderRow>,
  { pricesAt, pricesMissing }: Pick<PastBook, 'pricesAt' | 'pricesMissing'>,
): CellTooltip {
  const { title, facts } = explainGridCell(cell);
  const { id } = cell.column;
  if (pricesMissing !== null && OF_MARKET.has(id))
    return { title, facts: [{ name: 'No value', value: pricesMissing }] };
  return {
    title,
    facts: [
      ...facts,
      ...(pricesAt !== null && OF_MARKET.has(id)
        ? [{ name: 'Market prices read', value: formatInAllZones(pricesAt) }]
        : []),
      ...(IN_USD.has(id)
        ? [{ name: 'Converted', value: 'With the tick size and contract size that the exchange publishes today' }]
        : []),
    ],
  };
}
