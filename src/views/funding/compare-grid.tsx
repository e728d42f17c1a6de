import { useMemo } from 'react';
import { Grid } from '#ui/grid/grid.tsx';
import { useLinkedGrid } from '#ui/grid/use-linked-grid.ts';
import { createExplain, toPath } from './compare-columns.ts';
import { TableTools } from './table-tools.tsx';
import type { CompareArrangement } from './use-compare-grid.ts';
import type { toCompareCsv } from './compare-csv.ts';
import styles from './funding.module.css';

interface CompareGridProps {
  readonly arranged: CompareArrangement;
  readonly parts: Parameters<typeof toCompareCsv>[1];
  readonly rankedBy: string;
}

/** All perpetuals beside each other, as high as they are many: the page scrolls on to the charts. */
export function CompareGrid({ arranged, parts, rankedBy }: CompareGridProps) {
  const { columns, kept, lines, sorted } = arranged;
  const explain = useMemo(() => createExplain(columns), [columns]);
  const { grid, chooser } = useLinkedGrid({ columns, kept, explain, toPath });
  return (
    <>
      <TableTools rows={sorted} parts={parts} rankedBy={rankedBy} columns={chooser} />
      <div className={styles['table']}>
        <Grid fit label="Funding of all perpetuals" rows={lines} {...grid} />
      </div>
    </>
  );
}
