import type { OrderRow } from '#model/orders/order-row.ts';
import type { CellTooltip } from '#model/tables/cell-tooltip.ts';
import type { GridCell } from '#page/kit/grid/grid-props.ts';
import { explainGridCell } from '../beside/cell-provenance.ts';

/** Columns that need the market price of that time, which the journal does not have. */
const OF_MARKET: ReadonlySet<string> = new Set(['distance', 'distanceTicks', 'band', 'underlying']);
/** Columns in USD. */
const IN_USD: ReadonlySet<string> = new Set([
  'price',
  'avgPrice',
  'notional',
  'premium',
  'difference',
  'filledNotional',
]);

export const NO_MARKET = 'The journal has no market prices, and those of today say nothing about an earlier time.';

/** Returns the provenance of a cell of an earlier time. */
export function explainPastCell(cell: GridCell<OrderRow>): CellTooltip {
  const { title, facts } = explainGridCell(cell);
  if (OF_MARKET.has(cell.column.id)) return { title, facts: [{ name: 'No value', value: NO_MARKET }] };
  return IN_USD.has(cell.column.id)
    ? {
        title,
        facts: [
          ...facts,
          { name: 'Converted', value: 'With the tick size and contract size that the exchange publishes today' },
        ],
      }
    : { title, facts };
}
