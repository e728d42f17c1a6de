import { type ComponentProps, useMemo } from 'react';
import { Grid } from '#page/kit/grid/grid.tsx';
import { useLinkedGrid } from '#page/kit/grid/use-linked-grid.ts';
import { ColumnsButton } from '#page/kit/grid/columns-button.tsx';
import { CsvButtons } from '#page/kit/csv-button.tsx';
import { EvidenceButton } from '#page/panels/evidence/evidence-button.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import type { CompareColumn } from '#model/tables/funding/figure-column.ts';
import type { ExplainCell } from '#page/kit/grid/use-grid-tooltips.tsx';
import { type CompareArrangement, toPath } from './use-compare-grid.ts';
import { RankControl } from './rank-control.tsx';
import { toCompareCsv } from '#model/tables/funding/compare-csv.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { nameSide } from '#model/tables/funding/signs.ts';
import { describeOrder, type RankedRow } from '#model/tables/funding/ranks.ts';
import styles from '../funding.module.css';

const CompareEvidence = lazyOverlay(async () => (await import('./compare-evidence.tsx')).CompareEvidence);

interface CompareGridProps {
  readonly arranged: CompareArrangement;
  readonly parts: Parameters<typeof toCompareCsv>[1];
}

/** All perpetuals. As high as its rows, so that the page scrolls on to the charts. */
export function CompareGrid({ arranged, parts }: CompareGridProps) {
  const { columns, stored, lines, sorted } = arranged;
  const explain = useMemo(() => createExplain(columns), [columns]);
  const { grid, columnsButton } = useLinkedGrid({ columns, stored, explain, toPath });
  return (
    <>
      <TableTools
        rows={sorted}
        parts={parts}
        columns={columnsButton}
        evidence={(close) => (
          <CompareEvidence source={parts.source} state={stored.state} columns={columns} close={close} />
        )}
      />
      <div className={styles['table']}>
        <Grid fit label="Funding of all perpetuals" rows={lines} {...grid} />
      </div>
    </>
  );
}

interface TableToolsProps {
  /** In the order of the table. */
  readonly rows: readonly RankedRow[];
  readonly parts: Parameters<typeof toCompareCsv>[1];
  readonly columns: ComponentProps<typeof ColumnsButton>;
  readonly evidence: ComponentProps<typeof EvidenceButton>['dialog'];
}

function TableTools({ rows, parts, columns, evidence }: TableToolsProps) {
  const [picked, setPicked] = useUrlState(COMPARE_PARAMS.picked);
  const tied = rows.filter(({ tiedWith }) => tiedWith > 0).length;
  return (
    <div className={styles['tools']}>
      <button
        type="button"
        onClick={() => {
          setPicked(rows.map(({ symbol }) => symbol));
        }}
      >
        Select all
      </button>
      <button
        type="button"
        disabled={picked.length === 0}
        onClick={() => {
          setPicked([]);
        }}
      >
        Clear
      </button>
      <RankControl />
      <span className={styles['quiet']}>
        {rows[0] &&
          `${describeOrder(parts.rankBy, rows[0].chosen.window)}${tied > 0 ? ` · ${String(tied)} tied, listed by premium` : ''}`}
      </span>
      <span className={styles['buttons']}>
        <ColumnsButton {...columns} />
        <CsvButtons
          fileName={`funding-comparison-${nameSide(parts.side)}${rows[0]?.last?.interval_end.slice(0, 10) ?? 'none'}`}
          write={(csv) => toCompareCsv(rows, parts, csv)}
          label="Table CSV"
        />
        <EvidenceButton dialog={evidence} />
      </span>
    </div>
  );
}

function createExplain(columns: readonly CompareColumn[]): ExplainCell<RankedRow> {
  return ({ row, column: { id } }) => columns.find((column) => column.id === id)?.explain?.(row) ?? null;
}
