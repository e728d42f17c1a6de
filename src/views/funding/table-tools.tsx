import type { ComponentProps } from 'react';
import { ColumnsButton } from '#ui/grid/columns-button.tsx';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { toCompareCsv } from './compare-csv.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import type { RankedRow } from './ranks.ts';
import styles from './funding.module.css';

interface TableToolsProps {
  /** As they stand in the table. */
  readonly rows: readonly RankedRow[];
  readonly parts: Parameters<typeof toCompareCsv>[1];
  readonly rankedBy: string;
  readonly columns: ComponentProps<typeof ColumnsButton>;
}

/** What can be done with all rows. */
export function TableTools({ rows, parts, rankedBy, columns }: TableToolsProps) {
  const [picked, setPicked] = useUrlState(COMPARE_PARAMS.picked);
  return (
    <div className={styles['tools']}>
      <button
        type="button"
        onClick={() => {
          setPicked(rows.map(({ symbol }) => symbol));
        }}
      >
        Tick all
      </button>
      <button
        type="button"
        disabled={picked.length === 0}
        onClick={() => {
          setPicked([]);
        }}
      >
        Tick none
      </button>
      <span className={styles['quiet']}>
        {picked.length} of {rows.length} ticked to be drawn · ranked by {rankedBy}
      </span>
      <span className={styles['buttons']}>
        <ColumnsButton {...columns} />
        <button
          type="button"
          onClick={() => {
            const day = rows[0]?.last?.interval_end.slice(0, 10) ?? 'none';
            download(`funding-comparison-${day}.csv`, toCompareCsv(rows, parts));
          }}
        >
          CSV of the table
        </button>
      </span>
    </div>
  );
}
