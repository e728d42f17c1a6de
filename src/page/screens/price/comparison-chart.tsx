import { type ReactNode, type RefObject, useMemo } from 'react';
import type { Period, RequestedRange } from '#model/time/date-range.ts';
import { useQueries } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { type RunningChange, toRunningChange } from '#model/price/running-session.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { useLegendSwitches } from '#page/kit/chart/legend-switches.ts';
import { useZooming } from '#page/kit/chart/zoom.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { LeftOutNote } from '#page/panels/missing-rows.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { joinQueries } from '#page/panels/join-queries.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import type { PanelQuery } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import { useShallowStable } from '#page/kit/use-stable.ts';
import type { NamedProduct } from '#model/products/product-directory.ts';
import type { ComparedProduct } from '#model/charts/price/compared-sessions.ts';
import type { ComparedAs } from '#model/charts/price/compared-as.ts';
import { compareProducts, type Comparison } from '#model/charts/price/comparison.ts';
import {
  describeComparison,
  describePane,
  hasPanes,
  summariseComparison,
  toComparisonChartData,
} from '#model/charts/price/comparison-chart.ts';
import { toComparisonCsv } from '#model/charts/price/comparison-csv.ts';
import { ComparedPanes, ComparedProducts, nameAll, PANE_NAMES } from './compared-products.tsx';
import { useNoAlert } from './shared/no-alert.ts';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { useComparedPrices } from './shared/use-price-responses.ts';
import styles from './shared/price.module.css';
import type { Prices } from '#model/charts/price/slot-provenance.ts';

interface ComparedChartProps {
  readonly named: NamedProduct;
  readonly others: readonly NamedProduct[];
  readonly compareField: RefObject<HTMLButtonElement | null>;
  readonly prices: PanelQuery<Prices>;
  readonly dates: RequestedRange;
  /** The shown product's session in progress; null if there is none, or the range ends before it. */
  readonly running: RunningChange | null;
  readonly everySeconds: number;
}

/** Compares up to five products by their settlements of the same sessions, in the panes that are chosen. */
export function ComparisonChart(props: ComparedChartProps) {
  const { named, others, compareField, prices, dates, running, everySeconds } = props;
  const [panes] = useUrlState(PRICE_PARAMS.comparedAs);
  const compared = useComparedPrices(others, dates);
  const othersRunning = useOthersRunning(others, dates.end_time === undefined);
  const responses = useStableList([prices, ...compared].map(({ data }) => data));
  const runnings = useStableList([running, ...othersRunning]);
  const products = useMemo(() => {
    const known = [named, ...others].flatMap(({ name, product }, place): readonly ComparedProduct[] => {
      const response = responses[place];
      return response === undefined ? [] : [{ name, product, prices: response, running: runnings[place] ?? null }];
    });
    return known.length === others.length + 1 ? known : null;
  }, [named, others, responses, runnings]);
  const names = [named, ...others].map(({ name }) => name);
  return (
    <Panel
      fills
      title={`${nameAll(names)}, ${panes.map((as) => PANE_NAMES[as].toLowerCase()).join(', ')}`}
      query={joinQueries([prices, ...compared])}
      everySeconds={everySeconds}
      besides={responses}
      actions={
        <div className={styles['compared']}>
          <ComparedProducts products={[named, ...others]} field={compareField} />
          <ComparedPanes />
        </div>
      }
    >
      {() => products !== null && <ComparedBody products={products} panes={panes} />}
    </Panel>
  );
}

interface ComparedBodyProps {
  readonly products: readonly ComparedProduct[];
  readonly panes: readonly ComparedAs[];
}

function ComparedBody({ products, panes }: ComparedBodyProps) {
  const [period] = useUrlState(PRICE_PARAMS.period);
  const comparison = useMemo(() => compareProducts(products, { period, panes }), [products, period, panes]);
  const reasons = (comparison?.omitted ?? []).filter(({ as }) => panes.includes(as)).map(({ reason }) => reason);
  const leftOut = <LeftOutNote count={products.reduce((sum, { prices }) => sum + prices.setAside.length, 0)} />;
  if (comparison === null || !hasPanes(comparison, panes)) {
    return (
      <EmptyState title={`Cannot compare ${nameAll(products.map(({ name }) => name))}`}>
        <p>
          {comparison === null
            ? 'They have no session in common in this range, or settlements are withheld. Choose another range or product.'
            : [...new Set(reasons)].join(' ')}
        </p>
        {leftOut}
      </EmptyState>
    );
  }
  return (
    <>
      {reasons.length > 0 && (
        <p className={styles['notice']} role="note">
          {[...new Set(reasons)].join(' ')}
        </p>
      )}
      <ComparedFrame {...{ comparison, panes, products, period, leftOut }} />
    </>
  );
}

interface ComparedFrameProps extends ComparedBodyProps {
  readonly comparison: Comparison;
  readonly period: Period;
  /** Says how many invalid rows are left out. */
  readonly leftOut: ReactNode;
}

const NO_ALERT =
  'No alert here: a comparison has the prices of several products. Remove the comparison, and take one on its chart.';

function ComparedFrame({ comparison, panes, products, period, leftOut }: ComparedFrameProps) {
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const zooming = useZooming(PRICE_PARAMS);
  const names = useMemo(() => products.map(({ name }) => name), [products]);
  const switches = useLegendSwitches(PRICE_PARAMS.hidden, names);
  const { isHidden } = switches;
  const chartData = useMemo(
    () => toComparisonChartData(comparison, { panes, scale, isHidden }),
    [comparison, panes, scale, isHidden],
  );
  const base = comparison.sessions[0].session;
  const fileName = names.join('-');
  const [{ prices } = comparison.reference] = products;
  const origin = usePictureOrigin(prices);
  return (
    <ChartFrame
      label={`${nameAll(names)}, ${panes.map((as) => describePane(as, comparison)).join(', ')}`}
      summary={summariseComparison(comparison, panes)}
      {...{ chartData, switches, scale, view, origin }}
      levelAction={useNoAlert(NO_ALERT)}
      subject={`${names.join()} ${period} ${base}`}
      onScale={setScale}
      onView={setView}
      zooming={zooming}
      fileName={fileName}
      exports={{ fileName, write: (form) => toComparisonCsv(products, { period, panes, form }) }}
      remarks={
        <>
          {describeComparison(comparison, panes).map((text) => (
            <span key={text}>{text}</span>
          ))}
          {leftOut}
        </>
      }
    />
  );
}

/** Returns the same list while it has the same items, because other items give another object. */
function useStableList<Item>(items: readonly Item[]): readonly Item[] {
  const stable = useShallowStable(Object.assign({ length: items.length }, items));
  return useMemo(() => Array.from(stable), [stable]);
}

/** Reads the other products' data once a minute. */
function useOthersRunning(others: readonly NamedProduct[], isWanted: boolean): readonly (RunningChange | null)[] {
  const { queries } = useApi();
  const data = useQueries({
    queries: others.map(({ id, product }) => ({
      ...queries.venue.productData({ id }, { everySeconds: 60 }),
      enabled: isWanted && product !== null && product.product_status !== 'expired',
    })),
  });
  const responses = useStableList(data.map((each) => each.data));
  return useMemo(
    () =>
      responses.map((response, place) =>
        response === undefined || !isWanted ? null : toRunningChange(others[place]?.product ?? {}, response),
      ),
    [responses, others, isWanted],
  );
}
