import { useMemo } from 'react';
import { toDay } from '#model/time/calendar.ts';
import { type FundingSide, SIDE_LABELS } from '#model/funding/funding-side.ts';
import { countOf } from '#model/format/count.ts';
import { formatPercent } from '#model/format/number.ts';
import type { Source } from '#model/source.ts';
import { ChartFrame } from '#page/kit/chart/chart-frame.tsx';
import { withProvenance } from '#model/charts/with-provenance.ts';
import { usePictureOrigin } from '#page/panels/use-picture-origin.ts';
import { CsvButtons } from '#page/kit/csv-button.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { Segmented } from '#page/kit/segmented.tsx';
import { useZone } from '#page/kit/preferences/use-preferences.tsx';
import { formatInstant } from '#model/format/format-time.ts';
import type { LegendSwitches } from '#page/kit/chart/chart-legend.tsx';
import { withOldestRead, type PerpetualSeries } from '#model/tables/funding/perpetual-series.ts';
import { COMPARE_PARAMS } from '#model/tables/funding/compare-params.ts';
import { createRatesProvenance } from '#model/charts/funding/rates-provenance.ts';
import { type RateLines, toRateLines } from '#model/charts/funding/rate-lines.ts';
import { MEASURE_LABELS, toRatesPicture } from '#model/charts/funding/rates-picture.ts';
import { toRatesCsv } from '#model/tables/funding/rates-csv.ts';
import { nameSide } from '#model/tables/funding/signs.ts';
import type { NamedWindow } from '#model/tables/funding/windows.ts';
import styles from '../funding.module.css';

interface RatesChartProps {
  readonly perpetuals: readonly PerpetualSeries[];
  readonly window: NamedWindow;
  readonly anchor: number;
  readonly side: FundingSide;
  readonly source: Source;
  /** How many of all are charted, and how they were found where the user selected none. */
  readonly charted: string;
}

const MEASURES = [
  ['rate', 'Rate per 8 h'],
  ['sum', 'Cumulative sum'],
  ['apr', 'APR, simple'],
] as const;

/** In a file’s name. */
const MOST_NAMED = 5;

export function RatesChart({ perpetuals, window, anchor, side, source, charted }: RatesChartProps) {
  const [measure, setMeasure] = useUrlState(COMPARE_PARAMS.measure);
  const [hidden] = useUrlState(COMPARE_PARAMS.hidden);
  const [view, setView] = useUrlState(COMPARE_PARAMS.view);
  const [zone] = useZone();
  const { from, to } = window;
  const lines = useMemo(
    () => toRateLines(perpetuals, { window: { from, to }, measure, side, anchor }),
    [perpetuals, from, to, measure, side, anchor],
  );
  const bare = useMemo(() => toRatesPicture(lines, hidden, (at) => formatInstant(at, zone)), [lines, hidden, zone]);
  const picture = useMemo(
    () => withProvenance(bare, createRatesProvenance(perpetuals, lines, source)),
    [bare, perpetuals, lines, source],
  );
  const symbols = useMemo(() => perpetuals.map(({ symbol }) => symbol), [perpetuals]);
  const switches = useSwitches(symbols);
  const { name, unit } = MEASURE_LABELS[measure];
  const fileName = `funding-${measure}-${window.id}-${nameSide(side)}${toDay(to)}`;
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Measure" choices={MEASURES} value={measure} onChange={setMeasure} />
        <span className={styles['quiet']}>
          {[...(side === 'market' ? [] : [SIDE_LABELS[side]]), charted].join(' · ')}
        </span>
      </div>
      <ChartFrame
        label={`Funding: ${name}, ${unit}, ${window.label}`}
        summary={summarise(lines, side)}
        {...{ picture, view, switches }}
        fileName={`funding-${measure}-${nameSide(side)}${symbols.length > MOST_NAMED ? countOf(symbols.length, 'perpetual') : symbols.join('-')}`}
        origin={usePictureOrigin(withOldestRead(source, perpetuals))}
        subject={`${symbols.join()} ${measure} ${window.id} ${String(from)}`}
        scale="linear"
        onView={setView}
        actions={
          <CsvButtons
            fileName={`${fileName}-prints`}
            write={(csv) => toRatesCsv(perpetuals, { window, side, source }, csv)}
            label="Rates CSV"
          />
        }
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

function summarise({ lines, ends, measure }: RateLines, side: FundingSide): string {
  const { digits, unit } = MEASURE_LABELS[measure];
  const last = lines.map(
    ({ symbol, read }) => `${symbol} ${formatPercent(read(ends.length - 1), { digits, signed: true })}`,
  );
  return `${countOf(lines.length, 'perpetual')} over ${countOf(ends.length, 'interval')}, in ${unit}. Latest: ${last.join('; ')}. ${SIDE_LABELS[side]}.`;
}

function useSwitches(symbols: readonly string[]): LegendSwitches {
  const [hidden, setHidden] = useUrlState(COMPARE_PARAMS.hidden);
  return useMemo(
    () => ({
      isHidden: (name) => hidden.includes(name),
      toggle: (name) => {
        setHidden(hidden.includes(name) ? hidden.filter((other) => other !== name) : [...hidden, name]);
      },
      isolate: (name) => {
        const others = symbols.filter((other) => other !== name);
        const alone = !hidden.includes(name) && others.every((other) => hidden.includes(other));
        setHidden(alone ? [] : others);
      },
    }),
    [hidden, setHidden, symbols],
  );
}
