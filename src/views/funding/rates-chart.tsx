import { useMemo } from 'react';
import { toDay } from '#domain/calendar.ts';
import { SIDE_WORDS, type FundingSide } from '#domain/funding/my-side.ts';
import { formatPercent } from '#domain/format-number.ts';
import type { Source } from '#domain/source.ts';
import { ChartFrame } from '#ui/chart/chart-frame.tsx';
import { withNotes } from '#ui/chart/with-notes.ts';
import { download } from '#ui/download.ts';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Segmented } from '#ui/segmented.tsx';
import { useZone } from '#ui/preferences/use-preferences.tsx';
import { formatInstant } from '#ui/time/format-time.ts';
import type { Perpetual } from './compare-row.ts';
import { COMPARE_PARAMS } from './compare-params.ts';
import { createRatesNotes } from './rates-notes.ts';
import { toRateLines, type RateLines } from './rate-lines.ts';
import { MEASURE_LOOKS, toRatesPicture } from './to-rates-picture.ts';
import { toPrintsCsv } from './prints-csv.ts';
import { useSwitches } from './use-switches.ts';
import type { NamedWindow } from './windows.ts';
import styles from './funding.module.css';

interface RatesChartProps {
  readonly perpetuals: readonly Perpetual[];
  readonly window: NamedWindow;
  readonly anchor: number;
  readonly side: FundingSide;
  readonly source: Source;
  /** Why these are drawn, where the reader did not choose them. */
  readonly chosenBy: string | null;
}

const MEASURES = [
  ['rate', 'Rate'],
  ['sum', 'Cumulative sum'],
  ['apr', 'APR, simple'],
] as const;

/** The chosen perpetuals over the window. */
export function RatesChart({ perpetuals, window, anchor, side, source, chosenBy }: RatesChartProps) {
  const [measure, setMeasure] = useUrlState(COMPARE_PARAMS.measure);
  const [hidden] = useUrlState(COMPARE_PARAMS.hidden);
  const [view, setView] = useUrlState(COMPARE_PARAMS.view);
  const [zone] = useZone();
  const { from, to } = window;
  const lines = useMemo(() => toRateLines(perpetuals, { window: { from, to }, measure, side, anchor }), [perpetuals, from, to, measure, side, anchor]);
  const bare = useMemo(() => toRatesPicture(lines, hidden, (at) => formatInstant(at, zone)), [lines, hidden, zone]);
  const picture = useMemo(() => withNotes(bare, createRatesNotes(perpetuals, lines, source)), [bare, perpetuals, lines, source]);
  const symbols = useMemo(() => perpetuals.map(({ symbol }) => symbol), [perpetuals]);
  const switches = useSwitches(symbols);
  const { name, unit } = MEASURE_LOOKS[measure];
  const fileName = `funding-${measure}-${window.id}-${toDay(to)}`;
  return (
    <>
      <div className={styles['tools']}>
        <Segmented label="Drawn" choices={MEASURES} value={measure} onChange={setMeasure} />
        <span className={styles['quiet']}>
          {SIDE_WORDS[side]}
          {chosenBy !== null && ` · ${chosenBy}`}
        </span>
      </div>
      <ChartFrame
        label={`Funding, ${name}, ${unit}, ${window.label}`}
        summary={summarise(lines, side)}
        {...{ picture, view, fileName, switches }}
        subject={`${symbols.join()} ${measure} ${window.id} ${String(from)}`}
        scale="linear"
        onView={setView}
        actions={
          <button
            type="button"
            onClick={() => {
              download(`${fileName}-prints.csv`, toPrintsCsv(perpetuals, window, source));
            }}
          >
            CSV of prints
          </button>
        }
        remarks={
          <>
            <span>Each print, in {unit}, is a step over its interval, and told at its end; hatched where one has none.</span>
            <span>A name in the legend hides or shows its line; with Shift, or twice, it stands alone.</span>
          </>
        }
      />
    </>
  );
}

function summarise({ lines, ends, measure }: RateLines, side: FundingSide): string {
  const { digits, unit } = MEASURE_LOOKS[measure];
  const last = lines.map(({ symbol, read }) => `${symbol} ${formatPercent(read(ends.length - 1), { digits, signed: true })}`);
  return `${String(lines.length)} perpetuals over ${String(ends.length)} intervals, in ${unit}. The last: ${last.join('; ')}. ${SIDE_WORDS[side]}.`;
}
