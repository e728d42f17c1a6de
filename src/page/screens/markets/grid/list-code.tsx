import { Fragment, useMemo } from 'react';
import { formatNumber } from '#model/format/number.ts';
import { type MarketRow, type MarketTotal, toMarketTotals } from '#model/markets/market-rows.ts';
import { nameInAddress } from '#model/products/product-address.ts';
import { useWalkedList } from '#page/kit/walked-list.ts';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { Figure } from '#page/kit/figure.tsx';
import { useNavigator, useUrlState } from '#page/kit/navigation.tsx';
import { writeQuery } from '#page/kit/navigator.ts';
import { expiryFilter, rightFilter } from '#model/tables/markets/market-list.ts';
import { addTerms, describeTermFilter, toTermTest } from '#model/tables/markets/term-filter.ts';
import { ListDoubts, WithheldProducts } from '../shared/doubts.tsx';
import styles from '../shared/term-filter.module.css';
import { completeColumns } from '#model/tables/markets/complete-columns.ts';
import { createTextMarks } from '#page/kit/grid/text-marks.ts';
import { describeInterest, describeSettlements } from './describe-days.ts';
import { LaterFigures } from './later-figures.tsx';
import { trendCells } from './trend.ts';
import { createChangeColumns } from '#model/tables/markets/change-columns.ts';
import { createTermColumns } from './term-columns.ts';

/**
 * Code that the list needs soon, but not for its first prices: contract terms, changes, trends, totals, doubts, exports,
 * entry by arrow keys and the marks of its filter.
 */
export const listCode = {
  addTerms,
  completeColumns,
  createChangeColumns,
  createTermColumns,
  createTextMarks,
  describeInterest,
  describeSettlements,
  LaterFigures,
  ListDoubts,
  ListEnd,
  MarketSums,
  TermFilterChip,
  toTermTest,
  trendCells,
};

export type ListCode = typeof listCode;

/** Shows which products have figures withheld, and the exports. Remembers the list’s order, in which Price walks it. */
function ListEnd({ rows }: { readonly rows: readonly MarketRow[] }) {
  useWalkedList(useMemo(() => rows.map(({ product }) => nameInAddress(product)), [rows]));
  return (
    <>
      <WithheldProducts rows={rows} />
      <ExportMenu
        fileName="markets"
        write={async (form) => (await import('#model/tables/markets/market-csv.ts')).toMarketCsv(rows, form)}
      />
    </>
  );
}

/** Shows the totals of the listed products. */
function MarketSums({ rows }: { readonly rows: readonly MarketRow[] }) {
  return (
    <>
      <Sums name="24 h volume" totals={toMarketTotals(rows, 'volumeUsd')} />
      <Sums name="Open interest" totals={toMarketTotals(rows, 'openInterestUsd')} />
    </>
  );
}

const EXACT = [{ name: 'Computed', value: 'Exact sum over the products shown' }];

/** Shows a separate sum for each kind of value. */
function Sums({ name, totals }: { readonly name: string; readonly totals: readonly MarketTotal[] }) {
  return (
    totals.length > 0 && (
      <span>
        {name} USD:{' '}
        {totals.map(({ kind, value, known, products }, index) => (
          <Fragment key={kind}>
            {index > 0 && ', '}
            {kind}{' '}
            <Figure name={`${name}, ${kind}`} text={formatNumber(value, { digits: 0 })} provenance={() => EXACT} />
            {known < products && ` (${String(known)} of ${String(products)} products)`}
          </Fragment>
        ))}
      </span>
    )
  );
}

/** The active term filter in words; a click removes it. */
function TermFilterChip() {
  const navigator = useNavigator();
  const [expires] = useUrlState(expiryFilter);
  const [right] = useUrlState(rightFilter);
  const words = describeTermFilter({ expires, right });
  if (words === null) return null;
  return (
    <button
      type="button"
      className={styles['chip']}
      aria-label={`${words}, remove filter`}
      onClick={({ currentTarget }) => {
        // This button disappears, so the focus moves to the one before it, which opens the filters.
        if (currentTarget.previousElementSibling instanceof HTMLElement) currentTarget.previousElementSibling.focus();
        writeQuery(navigator, (query) => {
          expiryFilter.write(query, '');
          rightFilter.write(query, '');
        });
      }}
    >
      {words} ×
    </button>
  );
}
