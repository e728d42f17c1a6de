import { useQuery } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useApi } from '#api/react/use-api.tsx';
import type { AskedRange } from '#domain/chosen-range.ts';
import { toDailyBars } from '#domain/bars.ts';
import { formatDay } from '#domain/format-time.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { inPercent } from '#ui/chart/in-percent.ts';
import type { Picture, Scale } from '#ui/chart/picture.ts';
import { withNotes } from '#ui/chart/with-provenance.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { LeftOut } from '#ui/panel/left-out.tsx';
import { Nothing } from '#panels/panel-body.tsx';
import { joinQueries } from '#panels/join-queries.ts';
import type { PanelQuery } from '#panels/panel-query.ts';
import { Panel } from '#panels/panel.tsx';
import type { NamedProduct } from '#domain/find-product.ts';
import { toComparisonCsv, type ComparedProduct } from './comparison-csv.ts';
import { createComparisonProvenance } from './comparison-provenance.ts';
import { PRICE_PARAMS } from '../price-params.ts';
import type { Prices } from '../chart/slot-provenance.ts';
import { toComparison, type Comparison } from './to-comparison.ts';

interface ComparedChartProps {
  readonly named: NamedProduct;
  readonly other: NamedProduct;
  readonly prices: PanelQuery<Prices>;
  readonly asked: AskedRange;
  readonly everySeconds: number;
}

/** Two products by their settlements, 100 on the first day they have in common. */
export function ComparisonChart({ named, other, prices, asked, everySeconds }: ComparedChartProps) {
  const { queries } = useApi();
  const against = useQuery(queries.venue.chartPrice({ id: other.id, ...asked }));
  const own = prices.data;
  return (
    <Panel fills title={`${named.name} and ${other.name}, indexed`} query={joinQueries([prices, against])} everySeconds={everySeconds} besides={[own, against.data]}>
      {() => own !== undefined && against.data !== undefined && <Compared named={named} other={other} own={own} against={against.data} />}
    </Panel>
  );
}

interface ComparedProps {
  readonly named: NamedProduct;
  readonly other: NamedProduct;
  readonly own: Prices;
  readonly against: Prices;
}

function Compared({ named, other, own, against }: ComparedProps) {
  const [scale, setScale] = useUrlState(PRICE_PARAMS.scale);
  const [view, setView] = useUrlState(PRICE_PARAMS.view);
  const names = [named.name, other.name] as const;
  const leftOut = <LeftOut count={own.setAside.length + against.setAside.length} />;
  const comparison = useMemo(
    () =>
      toComparison([
        { name: named.name, bars: toDailyBars(own.value) },
        { name: other.name, bars: toDailyBars(against.value) },
      ]),
    [named.name, other.name, own.value, against.value],
  );
  const picture = useMemo(
    () => comparison && withNotes(scaled(comparison.picture, scale), createComparisonProvenance(comparison, [{ name: named.name, prices: own }, { name: other.name, prices: against }])),
    [comparison, scale, named.name, other.name, own, against],
  );
  if (comparison === null || picture === null) {
    return (
      <Nothing title="These two cannot be indexed">
        <p>They have no session in common in this range, or a price on the first such day is not above zero.</p>
        {leftOut}
      </Nothing>
    );
  }
  return (
    <ChartFrame
      label={`${names.join(' and ')}, settlements, 100 on ${formatDay(comparison.base)}`}
      summary={summarise(names, comparison)}
      {...{ picture, scale, view }}
      subject={`${names.join()} ${comparison.base}`}
      onScale={setScale}
      onView={setView}
      fileName={names.join('-')}
      actions={
        <button
          type="button"
          onClick={() => {
            download(`${names.join('-')}.csv`, toComparisonCsv([source(named, own), source(other, against)]));
          }}
        >
          CSV
        </button>
      }
      remarks={
        <>
          <span>Settlements, both 100 on {formatDay(comparison.base)}, the first session that both traded in.</span>
          {leftOut}
        </>
      }
    />
  );
}

/** Both from the day on which they are 100. */
function scaled(picture: Picture, scale: Scale): Picture {
  return scale === 'percent' ? { ...picture, panes: picture.panes.map((pane) => inPercent(pane, 100)) } : picture;
}

function source({ name }: NamedProduct, answer: Prices): ComparedProduct {
  return { name, bars: toDailyBars(answer.value), answer };
}

function summarise(names: readonly string[], { base, picture }: Comparison): string {
  const [pane] = picture.panes;
  const ends = names.map((name, index) => {
    const series = pane?.series[index];
    const last = series?.kind === 'line' ? series.values.findLast((value) => value !== null) : null;
    return `${name} ended at ${last?.toFixed(1) ?? 'no figure'}`;
  });
  return `Both are 100 on ${formatDay(base)}. ${ends.join('; ')}.`;
}
