import { type ComponentProps, type RefObject, useEffect, useMemo, useRef } from 'react';
import { toCompareCsv } from '#model/tables/funding/compare-csv.ts';
import { COMPARE_PARAMS, type RankBy } from '#model/tables/funding/compare-params.ts';
import { describeOrder, isOverPast, type RankedRow } from '#model/tables/funding/compare-row.ts';
import type { CompareColumn } from '#model/tables/funding/figure-column.ts';
import { PAST_LABELS, PASTS } from '#model/tables/funding/realised.ts';
import { nameSide } from '#model/tables/funding/rate-text.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { ColumnsButton } from '#page/kit/grid/columns-button.tsx';
import { Grid } from '#page/kit/grid/grid.tsx';
import { stickHead } from '#page/kit/grid/stick-head.ts';
import { type ExplainCell, useLinkedGrid } from '#page/kit/grid/use-stored-grid.tsx';
import { lazyOverlay } from '#page/kit/lazy.tsx';
import { useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import { Segmented } from '#page/kit/segmented.tsx';
import { useEvidence } from '#page/panels/evidence/use-evidence.ts';
import { NoMatches } from '#page/panels/missing-rows.tsx';
import styles from '../funding.module.css';
import { NextFunding } from './next-funding.tsx';
import { PerpetualFilter } from './perpetual-filter.tsx';
import type { CompareArrangement } from './use-compare-grid.ts';

const RANKS = [
  ['realised', 'Mean rate'],
  ['premium', 'Premium'],
  ['stability', 'Std dev'],
  ['rate', 'Last rate'],
  ['excess', 'Distance from interest rate'],
  ['percentile', 'Percentile'],
  ['zscore', 'Z-score'],
  ['predicted', 'Predicted rate'],
] as const satisfies readonly (readonly [RankBy, string])[];

const PAST_CHOICES = PASTS.map((past) => [past, PAST_LABELS[past]] as const);

/** Chooses what the rows are ranked by and, if that compares windows, the past that they are compared with. */
function RankControl() {
  const [rankBy, setRankBy] = useUrlState(COMPARE_PARAMS.rankBy);
  const [past, setPast] = useUrlState(COMPARE_PARAMS.past);
  return (
    <>
      <span className={styles['named']}>
        <span className={styles['quiet']}>Rank by</span>
        <Segmented label="Rank by" choices={RANKS} value={rankBy} onChange={setRankBy} />
      </span>
      {isOverPast(rankBy) && (
        <span className={styles['named']}>
          <span className={styles['quiet']}>in the past</span>
          <Segmented label="Past" choices={PAST_CHOICES} value={past} onChange={setPast} />
        </span>
      )}
    </>
  );
}

const CompareEvidence = lazyOverlay(async () => (await import('./compare-evidence.tsx')).CompareEvidence);

interface CompareTableProps {
  readonly arranged: CompareArrangement;
  /** Number of rows without the filter. */
  readonly total: number;
  readonly parts: Parameters<typeof toCompareCsv>[1];
  /** The toolbar, below which the head sticks. */
  readonly bar: RefObject<HTMLElement | null>;
}

/** The table of all perpetuals. It is as high as its rows, so that the page scrolls on to the charts. */
export function CompareTable({ arranged, total, parts, bar }: CompareTableProps) {
  const { columns, stored, lines, sorted, toPath } = arranged;
  const explain = useMemo(() => createExplain(columns), [columns]);
  const { grid, columnsButton } = useLinkedGrid({ columns, stored, explain, toPath });
  const table = useRef<HTMLDivElement>(null);
  const isEmpty = sorted.length === 0;
  useEffect(() => {
    const root = table.current?.firstElementChild;
    return root instanceof HTMLElement && bar.current !== null ? stickHead(root, bar.current) : undefined;
  }, [bar, isEmpty]);
  return (
    <>
      <TableTools
        rows={sorted}
        parts={parts}
        leave={() => {
          if (table.current?.firstElementChild instanceof HTMLElement) table.current.firstElementChild.focus();
        }}
        columns={columnsButton}
        evidence={(close) => (
          <CompareEvidence
            source={parts.source}
            state={stored.state}
            columns={columns}
            perpetuals={sorted.length < total ? sorted.map(({ symbol }) => symbol) : null}
            close={close}
          />
        )}
      />
      {isEmpty ? (
        <NoneFound total={total} />
      ) : (
        <div ref={table} className={styles['table']}>
          <Grid fit label="Funding of all perpetuals" rows={lines} {...grid} />
        </div>
      )}
    </>
  );
}

function NoneFound({ total }: { readonly total: number }) {
  const navigator = useNavigator();
  return (
    <NoMatches
      total={total}
      clear={() => {
        writeQuery(navigator, (query) => {
          COMPARE_PARAMS.quick.write(query, '');
          COMPARE_PARAMS.watchlist.write(query, '');
        });
      }}
    />
  );
}

interface TableToolsProps {
  /** In table order. */
  readonly rows: readonly RankedRow[];
  readonly parts: Parameters<typeof toCompareCsv>[1];
  readonly columns: ComponentProps<typeof ColumnsButton>;
  readonly evidence: Parameters<typeof useEvidence>[0];
  /** Moves the focus from the filter to the rows. */
  readonly leave: () => void;
}

function TableTools({ rows, parts, columns, evidence, leave }: TableToolsProps) {
  const { item, dialog } = useEvidence(evidence);
  const tied = rows.filter(({ tiedWith }) => tiedWith > 0).length;
  return (
    <>
      <div className={styles['tools']}>
        <RankControl />
        <span className={styles['quiet']}>
          {rows[0] &&
            describeOrder(parts.rankBy, rows[0].chosen.window) +
              (tied > 0 ? ` · ${String(tied)} tied, listed by premium` : '')}
        </span>
      </div>
      <div className={styles['tools']}>
        <PerpetualFilter leave={leave} />
        <span className={styles['quiet']}>
          <NextFunding rows={rows} />
        </span>
        <span className={styles['buttons']}>
          <ColumnsButton {...columns} />
          <ExportMenu
            of="table"
            fileName={`funding-comparison-${nameSide(parts.side)}${rows[0]?.last?.interval_end.slice(0, 10) ?? 'none'}`}
            write={(csv) => toCompareCsv(rows, parts, csv)}
            more={[item]}
          />
          {dialog}
        </span>
      </div>
    </>
  );
}

function createExplain(columns: readonly CompareColumn[]): ExplainCell<RankedRow> {
  return ({ row, column: { id } }) => columns.find((column) => column.id === id)?.explain?.(row) ?? null;
}
