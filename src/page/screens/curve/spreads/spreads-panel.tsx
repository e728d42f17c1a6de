import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import type { DeskProduct } from '#contract/desk/desk.ts';
import { toSpreadRowsCsv } from '#model/curve/spread-csv.ts';
import { describeApart, type SpreadRow, toSpreadRows } from '#model/curve/spread-rows.ts';
import { formatSettledAt } from '#model/basis/basis.ts';
import { countOf } from '#model/format/count.ts';
import { createMarketPrices, indexByProduct } from '#model/markets/market-prices.ts';
import { nameProduct } from '#model/products/product-directory.ts';
import { useApi } from '#page/client/react/use-api.tsx';
import { useDailyResponses } from '#page/client/react/use-daily-responses.ts';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { ExportMenu } from '#page/kit/export-menu.tsx';
import { useNavigator } from '#page/kit/navigation.tsx';
import { NARROW, useMedia } from '#page/kit/use-media.ts';
import { useZone } from '#page/kit/use-preferences.tsx';
import { FigureGrid } from '#page/panels/figure-grid.tsx';
import { usePanelQuery } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { ReasonList } from '../shared/reason-list.tsx';
import styles from '../shared/curve.module.css';
import { createSpreadColumns } from './spread-columns.ts';

const EVERY_SECONDS = 60;
const NO_PRODUCTS: readonly DeskProduct[] = [];

/** Calendar spreads of an underlying: what they trade and settle at, against the difference of their legs. */
export function SpreadsPanel({ underlying }: { readonly underlying: string }) {
  const { queries } = useApi();
  const products = useQuery(queries.desk.products({})).data?.value.products ?? NO_PRODUCTS;
  const query = usePanelQuery(useQuery(queries.venue.productDataAll({}, { everySeconds: EVERY_SECONDS })));
  const { voi, funding, data, sessions } = useDailyResponses(true, EVERY_SECONDS);
  const rows = useMemo(() => {
    const responses = { voi, funding, data, sessions };
    return toSpreadRows(underlying, products, createMarketPrices(responses, indexByProduct(responses)));
  }, [underlying, products, voi, funding, data, sessions]);
  return (
    <Panel
      title={`${underlying} calendar spreads`}
      query={query}
      everySeconds={EVERY_SECONDS}
      besides={[voi]}
      actions={
        data !== undefined && (
          <ExportMenu
            of="calendar spreads"
            fileName={`calendar-spreads-${underlying}`}
            write={(form) => toSpreadRowsCsv(rows, data, form)}
          />
        )
      }
    >
      {() => <Spreads underlying={underlying} rows={rows} />}
    </Panel>
  );
}

interface SpreadsProps {
  readonly underlying: string;
  readonly rows: readonly SpreadRow[];
}

function Spreads({ underlying, rows }: SpreadsProps) {
  const navigator = useNavigator();
  const isNarrow = useMedia(NARROW);
  const [zone] = useZone();
  const columns = useMemo(
    () => createSpreadColumns(rows, navigator, zone, isNarrow),
    [rows, navigator, zone, isNarrow],
  );
  if (rows.length === 0)
    return (
      <EmptyState title={`No calendar spreads of ${underlying}`}>
        <p>The exchange lists no active spread between two months of {underlying}, or a month and the perpetual.</p>
      </EmptyState>
    );
  return (
    <>
      <p className={styles['headline']}>
        <strong>{describeAll(rows)}</strong>
        <span>{describeSettled(rows)}</span>
      </p>
      <FigureGrid<SpreadRow> label={`${underlying} calendar spreads`} columns={columns} rows={rows} keyOf={keyOf} />
      <ReasonList
        label="Apart or not compared"
        reasons={[
          ...rows.map(describeApart),
          ...rows.map(({ missingBecause }) => missingBecause),
          ...rows.map(({ lastAt, lastPrices }) => (lastAt === null ? null : lastPrices.missingBecause)),
        ]}
      />
      <p className={styles['foot']}>
        Buying a spread buys the first leg and sells the second. Prices of a spread are in ticks of the difference, and
        may be zero or negative. Last prices are compared with last prices, of which the oldest trade is shown.
      </p>
    </>
  );
}

function keyOf({ product }: SpreadRow): string {
  return nameProduct(product);
}

function describeAll(rows: readonly SpreadRow[]): string {
  const compared = rows.filter(({ settlementGap }) => (settlementGap?.ticks.value ?? null) !== null);
  const within = compared.filter(({ settlementGap }) => settlementGap?.isApart !== true).length;
  const all = countOf(rows.length, 'spread');
  if (compared.length === 0) return `None of ${all} can be compared with its legs.`;
  const others = rows.length - compared.length;
  return (
    `${String(within)} of ${all} settled within a tick of the difference of the legs` +
    `${others === 0 ? '' : `, and ${String(others)} cannot be compared`}.`
  );
}

function describeSettled(rows: readonly SpreadRow[]): string {
  const at = rows
    .flatMap(({ settledAt }) => settledAt ?? [])
    .toSorted()
    .at(-1);
  return at === undefined ? '' : `Settled ${formatSettledAt(at)}.`;
}
