import { useMemo } from 'react';
import type { RequestedRange } from '#model/time/date-range.ts';
import { useQuery } from '@tanstack/react-query';
import { useApi } from '#page/client/react/use-api.tsx';
import { type RunningChange, toRunningChange } from '#model/price/running-session.ts';
import { toDailyBars } from '#model/price/bars.ts';
import { formatDay } from '#model/format/format-time.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { useZooming } from '#page/kit/chart/zoom.ts';
import { type ChartData, inPercent, type Scale, withProvenance } from '#model/charts/chart-data.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { LeftOutNote } from '#page/panels/missing-rows.tsx';
import { EmptyState } from '#page/kit/empty-state.tsx';
import { joinQueries } from '#page/panels/join-queries.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import type { PanelQuery } from '#page/panels/panel-body.tsx';
import { Panel } from '#page/panels/panel.tsx';
import type { NamedProduct } from '#model/products/product-directory.ts';
import {
  type ComparedBars,
  type ComparedProduct,
  createComparisonProvenance,
  type Comparison as IndexedPrices,
  toComparison,
  toComparisonCsv,
} from '#model/charts/price/comparison.ts';
import { PRICE_PARAMS } from './shared/price-params.ts';
import { useChartPrices } from './shared/use-price-responses.ts';
import type { Prices } from '#model/charts/price/slot-provenance.ts';

interface ComparedChartProps {
  readonly named: NamedProduct;
  readonly other: NamedProduct;
  readonly prices: PanelQuery<Prices>;
  readonly dates: RequestedRange;
  /** The first product's session in progress; null if there is none, or the range ends before it. */
  readonly running: RunningChange | null;
  readonly everySeconds: number;
}

/** Shows settlements of two products, rebased to 100 on their first common session. */
export function ComparisonChart({ named, other, prices, dates, running, everySeconds }: ComparedChartProps) {
  const compared = useChartPrices(other, dates);
  const own = prices.data;
  const otherRunning = useOtherRunning(other, dates.end_time === undefined);
  const both = useMemo(() => [running, otherRunning] as const, [running, otherRunning]);
  return (
    <Panel
      fills
      title={`${named.name} and ${other.name}, rebased to 100`}
      query={joinQueries([prices, compared])}
      everySeconds={everySeconds}
      besides={[own, compared.data]}
    >
      {() =>
        own !== undefined &&
        compared.data !== undefined && (
          <Comparison named={named} other={other} own={own} compared={compared.data} running={both} />
        )
      }
    </Panel>
  );
}

interface ComparisonProps {
  readonly named: NamedProduct;
  readonly other: NamedProduct;
  readonly own: Prices;
  readonly compared: Prices;
  /** The sessions in progress. */
  readonly running: readonly [own: RunningChange | null, compared: RunningChange | null];
}

function Comparison({ named, other, own, compared, running }: ComparisonProps) {
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const zooming = useZooming(PRICE_PARAMS);
  const names = [named.name, other.name] as const;
  const origin = usePictureOrigin(own);
  const leftOut = <LeftOutNote count={own.setAside.length + compared.setAside.length} />;
  const comparison = useMemo(
    () => toComparison([toCompared(named, own, running[0]), toCompared(other, compared, running[1])]),
    [named, other, own, compared, running],
  );
  const chartData = useMemo(
    () =>
      comparison &&
      withProvenance(
        scaled(comparison.chartData, scale),
        createComparisonProvenance(comparison, [
          { name: named.name, prices: own, running: running[0] },
          { name: other.name, prices: compared, running: running[1] },
        ]),
      ),
    [comparison, scale, named.name, other.name, own, compared, running],
  );
  if (comparison === null || chartData === null) {
    return (
      <EmptyState title={`Cannot compare ${names.join(' and ')}`}>
        <p>
          They have no session in common in this range, or a settlement of the first one is withheld or not above zero.
          Choose another range or product.
        </p>
        {leftOut}
      </EmptyState>
    );
  }
  return (
    <ChartFrame
      label={`${names.join(' and ')}, settlements rebased to 100 on ${formatDay(comparison.base)}`}
      summary={summariseComparison(names, comparison)}
      {...{ chartData, scale, view }}
      subject={`${names.join()} ${comparison.base}`}
      onScale={setScale}
      onView={setView}
      zooming={zooming}
      fileName={names.join('-')}
      origin={origin}
      exports={{
        fileName: names.join('-'),
        write: (form) => toComparisonCsv([source(named, own, running[0]), source(other, compared, running[1])], form),
      }}
      remarks={
        <>
          <span>
            Daily settlements, up to the last common session, rebased to 100 on the first, {formatDay(comparison.base)}.
            {comparison.isRunning && ' The session in progress is by the last prices.'}
          </span>
          {leftOut}
        </>
      }
    />
  );
}

function toCompared({ name, product }: NamedProduct, { value }: Prices, running: RunningChange | null): ComparedBars {
  return { name, bars: toDailyBars(value), everyDay: product?.type === 'perpetual', running };
}

/** Reads the other product's data once a minute. */
function useOtherRunning({ id, product }: NamedProduct, isWanted: boolean): RunningChange | null {
  const { queries } = useApi();
  const { data } = useQuery({
    ...queries.venue.productData({ id }, { everySeconds: 60 }),
    enabled: isWanted && product !== null && product.product_status !== 'expired',
  });
  return useMemo(
    () => (data === undefined || !isWanted ? null : toRunningChange(product ?? {}, data)),
    [data, isWanted, product],
  );
}

function scaled(chartData: ChartData, scale: Scale): ChartData {
  return scale === 'percent' ? { ...chartData, panes: chartData.panes.map((pane) => inPercent(pane, 100)) } : chartData;
}

function source({ name }: NamedProduct, response: Prices, running: RunningChange | null): ComparedProduct {
  return { name, bars: toDailyBars(response.value), running, response };
}

function summariseComparison(names: readonly string[], { base, chartData }: IndexedPrices): string {
  const last = chartData.times.length - 1;
  const ends = names.map((name, index) => {
    const value = chartData.panes[0]?.series[index]?.values[last];
    return `${name} at ${typeof value === 'number' ? value.toFixed(1) : 'no value'}`;
  });
  return `Rebased to 100 on ${formatDay(base)}. At the end, ${chartData.timeText(last)}: ${ends.join('; ')}.`;
}
