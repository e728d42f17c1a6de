import { useMemo } from 'react';
import type { RequestedRange } from '#domain/time/date-range.ts';
import { toDailyBars } from '#domain/price/bars.ts';
import { formatDay } from '#domain/format/day.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { useZooming } from '#ui/chart/zoomed-range.ts';
import { inPercent } from '#ui/chart/in-percent.ts';
import type { Picture, Scale } from '#ui/chart/picture.ts';
import { withProvenance } from '#ui/chart/with-provenance.ts';
import { CsvButtons } from '#ui/csv-button.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { LeftOutNote } from '#panels/invalid-rows.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { joinQueries } from '#panels/join-queries.ts';
import { usePictureOrigin } from '#panels/use-picture-origin.ts';
import type { PanelQuery } from '#panels/panel-query.ts';
import { Panel } from '#panels/panel.tsx';
import type { NamedProduct } from '#domain/markets/product-directory.ts';
import { toComparisonCsv, type ComparedProduct } from './comparison-csv.ts';
import { createComparisonProvenance } from './comparison-provenance.ts';
import { PRICE_PARAMS } from '../price-params.ts';
import { useChartPrices } from '../use-price-responses.ts';
import type { Prices } from '../chart/slot-provenance.ts';
import { toComparison, type Comparison as IndexedPrices } from './to-comparison.ts';

interface ComparedChartProps {
  readonly named: NamedProduct;
  readonly other: NamedProduct;
  readonly prices: PanelQuery<Prices>;
  readonly dates: RequestedRange;
  readonly everySeconds: number;
}

/** Settlements of two products, rebased to 100 on their first common session. */
export function ComparisonChart({ named, other, prices, dates, everySeconds }: ComparedChartProps) {
  const compared = useChartPrices(other, dates);
  const own = prices.data;
  return (
    <Panel fills title={`${named.name} and ${other.name}, rebased to 100`} query={joinQueries([prices, compared])} everySeconds={everySeconds} besides={[own, compared.data]}>
      {() => own !== undefined && compared.data !== undefined && <Comparison named={named} other={other} own={own} compared={compared.data} />}
    </Panel>
  );
}

interface ComparisonProps {
  readonly named: NamedProduct;
  readonly other: NamedProduct;
  readonly own: Prices;
  readonly compared: Prices;
}

function Comparison({ named, other, own, compared }: ComparisonProps) {
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const zooming = useZooming(PRICE_PARAMS);
  const names = [named.name, other.name] as const;
  const origin = usePictureOrigin(own);
  const leftOut = <LeftOutNote count={own.setAside.length + compared.setAside.length} />;
  const comparison = useMemo(
    () =>
      toComparison([
        { name: named.name, bars: toDailyBars(own.value) },
        { name: other.name, bars: toDailyBars(compared.value) },
      ]),
    [named.name, other.name, own.value, compared.value],
  );
  const picture = useMemo(
    () => comparison && withProvenance(scaled(comparison.picture, scale), createComparisonProvenance(comparison, [{ name: named.name, prices: own }, { name: other.name, prices: compared }])),
    [comparison, scale, named.name, other.name, own, compared],
  );
  if (comparison === null || picture === null) {
    return (
      <EmptyState title={`Cannot compare ${names.join(' and ')}`}>
        <p>They have no session in common in this range, or a settlement of the first one is withheld or not above zero. Choose another range or product.</p>
        {leftOut}
      </EmptyState>
    );
  }
  return (
    <ChartFrame
      label={`${names.join(' and ')}, settlements rebased to 100 on ${formatDay(comparison.base)}`}
      summary={summariseComparison(names, comparison)}
      {...{ picture, scale, view }}
      subject={`${names.join()} ${comparison.base}`}
      onScale={setScale}
      onView={setView}
      zooming={zooming}
      fileName={names.join('-')}
      origin={origin}
      actions={<CsvButtons fileName={names.join('-')} write={(form) => toComparisonCsv([source(named, own), source(other, compared)], form)} />}
      remarks={
        <>
          <span>Settlements rebased to 100 on {formatDay(comparison.base)}, first common session.</span>
          {leftOut}
        </>
      }
    />
  );
}

function scaled(picture: Picture, scale: Scale): Picture {
  return scale === 'percent' ? { ...picture, panes: picture.panes.map((pane) => inPercent(pane, 100)) } : picture;
}

function source({ name }: NamedProduct, response: Prices): ComparedProduct {
  return { name, bars: toDailyBars(response.value), response };
}

function summariseComparison(names: readonly string[], { base, picture }: IndexedPrices): string {
  const [pane] = picture.panes;
  const ends = names.map((name, index) => {
    const series = pane?.series[index];
    const last = series?.kind === 'line' ? series.values.findLast((value) => value !== null) : null;
    return `${name} ended at ${last?.toFixed(1) ?? 'no value'}`;
  });
  return `Rebased to 100 on ${formatDay(base)}. ${ends.join('; ')}.`;
}
