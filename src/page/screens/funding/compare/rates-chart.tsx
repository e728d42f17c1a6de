import { useMemo } from 'react';
import { toDay } from '#model/time/session.ts';
import { type FundingSide, type RateForm, SIDE_LABELS } from '#model/funding/funding-rate.ts';
import { countOf } from '#model/format/count.ts';
import { formatPercent } from '#model/format/number.ts';
import type { Source } from '#model/response.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { withProvenance } from '#model/charts/chart-data.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { useUrlState } from '#page/kit/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useZone } from '#page/kit/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import { useLegendSwitches } from '#page/kit/chart/legend-switches.ts';
import { type PerpetualSeries, withOldestRead } from '#model/funding/funding-series.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import {
  createRatesProvenance,
  toMeasureLabel,
  type RateLines,
  toRateLines,
  toRatesChartData,
  toRatesCsv,
} from '#model/charts/funding/rates-chart.ts';
import { nameSide } from '#model/tables/funding/rate-text.ts';
import type { NamedWindow } from '#model/tables/funding/realised.ts';
import { useSaveCsv } from '#page/kit/csv-button.tsx';
import type { MenuItem } from '#page/kit/menu.tsx';
import type { CsvForm } from '#model/format/csv.ts';
import styles from '../funding.module.css';

interface RatesChartProps {
  /** Those that are charted. */
  readonly perpetuals: readonly PerpetualSeries[];
  readonly listed: readonly PerpetualSeries[];
  readonly window: NamedWindow;
  readonly anchor: number;
  readonly form: RateForm;
  readonly side: FundingSide;
  readonly source: Source;
  /** How many perpetuals are charted, and how they were chosen if the user selected none. */
  readonly charted: string;
  /** Symbols of all perpetuals in the table, in its order. */
  readonly all: readonly string[];
}

const MEASURES = [
  ['rate', 'Rate'],
  ['sum', 'Cumulative sum'],
] as const;

/** The most symbols in a file name. */
const MOST_NAMED = 5;

export function RatesChart({ perpetuals, window, anchor, form, side, source, charted, all, listed }: RatesChartProps) {
  const [measure, setMeasure] = useUrlState(COMPARE_PARAMS.measure);
  const [hidden] = useUrlState(COMPARE_PARAMS.hidden);
  const [picked, setPicked] = useUrlState(COMPARE_PARAMS.picked);
  const [view, setView] = useUrlState(COMPARE_PARAMS.view);
  const [zone] = useZone();
  const { from, to } = window;
  const lines = useMemo(
    () => toRateLines(perpetuals, { window: { from, to }, measure, form, side, anchor }),
    [perpetuals, from, to, measure, form, side, anchor],
  );
  const bare = useMemo(() => toRatesChartData(lines, hidden, (at) => formatInstant(at, zone)), [lines, hidden, zone]);
  const chartData = useMemo(
    () => withProvenance(bare, createRatesProvenance(perpetuals, lines, source)),
    [bare, perpetuals, lines, source],
  );
  const symbols = useMemo(() => perpetuals.map(({ symbol }) => symbol), [perpetuals]);
  const switches = useLegendSwitches(COMPARE_PARAMS.hidden, symbols);
  const { name, unit } = toMeasureLabel(lines);
  const fileName = `funding-${measure}-${window.id}-${nameSide(side)}${toDay(to)}`;
  const save = useSaveCsv();
  const ofAll = (form: CsvForm): MenuItem => ({
    label: `CSV of all ${String(listed.length)}, ${form === 'full' ? 'with sources' : 'figures only'}`,
    run: () => {
      save(`funding-all-${window.id}-${nameSide(side)}${toDay(to)}-prints${form === 'full' ? '' : '-figures'}`, () =>
        toRatesCsv(listed, { window, side, source }, form),
      );
    },
  });
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Measure" choices={MEASURES} value={measure} onChange={setMeasure} />
        <span className={styles['quiet']}>
          {[...(side === 'market' ? [] : [SIDE_LABELS[side]]), charted].join(' · ')}
        </span>
        <button
          type="button"
          onClick={() => {
            setPicked(all);
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
      </div>
      <ChartFrame
        label={`Funding: ${name}, ${unit}, ${window.label}`}
        summary={summarise(lines, side)}
        {...{ chartData, view, switches }}
        fileName={
          `funding-${measure}-${nameSide(side)}` +
          (symbols.length > MOST_NAMED ? countOf(symbols.length, 'perpetual') : symbols.join('-'))
        }
        origin={usePictureOrigin(withOldestRead(source, perpetuals))}
        subject={`${symbols.join()} ${measure} ${window.id} ${String(from)}`}
        scale="linear"
        onView={setView}
        exports={{
          of: `rates (${String(symbols.length)} charted)`,
          fileName: `${fileName}-prints`,
          write: (csv) => toRatesCsv(perpetuals, { window, side, source }, csv),
          more: listed.length === perpetuals.length ? [] : [ofAll('full'), ofAll('figures')],
        }}
        remarks={
          <>
            <span>
              In {unit}. {measure === 'sum' ? 'Each point' : 'Each step spans one interval and'} is labelled with its
              funding time; hatched = missing.
            </span>
            <span>Click a name in the legend to hide its line; Shift-click or double-click to isolate it.</span>
          </>
        }
      />
    </>
  );
}

function summarise(rates: RateLines, side: FundingSide): string {
  const { lines, ends } = rates;
  const { digits, unit } = toMeasureLabel(rates);
  const last = lines.map(
    ({ symbol, read }) => `${symbol} ${formatPercent(read(ends.length - 1), { digits, signed: true })}`,
  );
  return (
    `${countOf(lines.length, 'perpetual')} over ${countOf(ends.length, 'interval')}, in ${unit}. ` +
    `Latest: ${last.join('; ')}. ${SIDE_LABELS[side]}.`
  );
}
