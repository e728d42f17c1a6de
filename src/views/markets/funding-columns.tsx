import type { MarketFunding } from '#domain/market-funding.ts';
import type { MarketRow } from '#domain/market-rows.ts';
import { NO_VALUE } from '#domain/format-number.ts';
import { formatQuantity } from '#domain/format-quantity.ts';
import { describeFunding } from '#domain/funding-rate.ts';
import type { Quantity } from '#domain/quantity.ts';
import type { CellNote, SortableColumn } from '#ui/table/sortable-column.ts';
import { withReason } from '#ui/table/with-reason.ts';
import { Boundary } from './boundary.tsx';
import { figureLink, plainFigure } from './figures.tsx';
import styles from './markets-screen.module.css';
import { toNote } from './to-note.ts';

type Column = SortableColumn<MarketRow>;
const SIGNED = { signed: true };
type Rate = 'settled' | 'estimate' | 'settledApr';

/** What holding a perpetual costs: the last settled print, and the estimate of the interval in progress, never mixed. */
export function createFundingColumns(): readonly Column[] {
  return [
    {
      ...rateColumn('settled', 'funding, last settled'),
      id: 'funding',
      name: 'Funding',
      unit: '% / 8 h',
      cell: ({ funding, product: { base_symbol: symbol } }) => {
        const figure = plainFigure(funding?.settled ?? null, SIGNED);
        return funding === null || symbol === undefined ? figure : figureLink(`/funding/${encodeURIComponent(symbol)}`, figure);
      },
    },
    {
      ...rateColumn('estimate', ESTIMATE),
      id: 'estimate',
      name: 'Estimate',
      unit: '% / 8 h',
      cell: ({ funding }) => (
        <span className={styles['estimate']} data-old={funding !== null && funding.estimateNotCurrent !== null}>
          {formatEstimate(funding)}
        </span>
      ),
      note: (row) => withReason(withPayer(toNote(ESTIMATE, row, row.funding?.estimate ?? null), row.funding), row.funding?.estimateNotCurrent ?? null),
    },
    { ...rateColumn('settledApr', 'APR of the last settled funding'), id: 'apr', name: 'APR', unit: '%, simple' },
    {
      id: 'boundary',
      name: 'Next',
      unit: 'h:m:s',
      numeric: true,
      sortBy: ({ funding }) => funding?.interval?.interval_end,
      cell: ({ funding }) => (funding === null ? NO_VALUE : <Boundary funding={funding} />),
    },
  ];
}

function rateColumn(rate: Rate, told: string): Pick<Column, 'numeric' | 'sortBy' | 'cell' | 'note'> {
  const read = ({ funding }: MarketRow): Quantity | null => funding?.[rate] ?? null;
  return {
    numeric: true,
    sortBy: (row) => read(row)?.value ?? undefined,
    cell: (row) => plainFigure(read(row), SIGNED),
    note: (row) => withPayer(toNote(told, row, read(row)), row.funding),
  };
}

/** Not read yet is not the same as no figure. */
function formatEstimate(funding: MarketFunding | null): string {
  if (funding === null) return NO_VALUE;
  return funding.estimate === null ? NOT_YET : formatQuantity(funding.estimate, { signed: true });
}

const NOT_YET = '…';
const ESTIMATE = 'funding, estimate of the interval in progress';

/** Who pays whom is said in words. */
function withPayer(note: CellNote | null, funding: MarketFunding | null): CellNote | null {
  const rate = funding?.settled?.value ?? null;
  if (note === null || rate === null) return note;
  return { ...note, facts: [{ name: 'Last settled', value: describeFunding(rate) }, ...note.facts] };
}
