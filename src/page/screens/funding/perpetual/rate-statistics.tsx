import { formatCount } from '#model/format/count.ts';
import { useMemo } from 'react';
import { toDecimal } from '#model/units/decimal.ts';
import { formatBasisPoints, formatPercent, NO_VALUE } from '#model/format/number.ts';
import { distributeRates, type RateBin } from '#model/funding/rate-distribution.ts';
import { describeProvenance, type Fact } from '#model/format/provenance.ts';
import { Figure } from '#page/kit/figure.tsx';
import { useUrlState } from '#page/kit/navigation.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { toOriginFacts } from '#model/tables/funding/rate-text.ts';
import { type PerpetualData, toRangeStart } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';
import styles from '../perpetual.module.css';
import { measureWindow, toWindow, type WindowMeasures } from '#model/funding/funding-window.ts';
import { RATE_FORM_LABELS, type RateForm } from '#model/funding/funding-rate.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { useVenueTime } from '#page/client/react/use-desk-status.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { FundingSeries } from '#model/funding/funding-series.ts';
import { type RealisedFigures, toRealised } from '#model/tables/funding/realised.ts';

const DAYS = [1, 7, 30, 90] as const;
const YEAR = 365;

interface Row {
  readonly days: number;
  readonly measures: WindowMeasures;
  readonly figures: RealisedFigures;
}

/** Shows realised rates over windows that end at the newest funding time that has settled or should have. */
export function RealisedTable({ data }: { readonly data: PerpetualData }) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const to = data.series.endsAt ?? 0;
  // Shorter ranges do not read a whole year.
  const days = range === '1y' || range === 'all' ? [...DAYS, YEAR] : DAYS;
  const rows = days.map((days): Row => {
    const window = toWindow(days, to);
    const measures = measureWindow(data.series, window);
    return { days, measures, figures: toRealised(data, window, measures, form, side) };
  });
  return (
    <Table
      caption="Realised funding"
      columns={createColumns(form, data.series)}
      rows={rows}
      keyOf={({ days }) => String(days)}
    />
  );
}

function createColumns(form: RateForm, series: FundingSeries): readonly Column<Row>[] {
  const { unit, digits } = RATE_FORM_LABELS[form];
  const share = ({ value }: Quantity): string => formatPercent(value, { digits: 0 });
  return [
    { name: 'Window', cell: ({ days }) => nameDays(days) },
    {
      name: 'Sum',
      unit: '%',
      numeric: true,
      cell: figureCell('sum', 'sum', ({ value }) => formatPercent(value, { digits: 4, signed: true })),
    },
    {
      name: 'Mean',
      unit,
      numeric: true,
      cell: figureCell('mean', `mean, ${unit}`, ({ value }) => formatPercent(value, { digits, signed: true })),
    },
    { name: 'Coverage', unit: 'settled rates', numeric: true, cell: (row) => <Coverage row={row} series={series} /> },
    {
      name: 'Sample std dev of the rate',
      unit: 'bp per 8 h',
      numeric: true,
      cell: figureCell('deviation', 'standard deviation', ({ value }) => formatBasisPoints(value, { digits: 2 })),
    },
    { name: 'Intervals longs paid', unit: '%', numeric: true, cell: figureCell('positive', 'longs paid', share) },
    { name: 'At interest rate', unit: '%', numeric: true, cell: figureCell('baseline', 'at interest rate', share) },
    {
      name: 'Longest streak',
      unit: 'intervals',
      numeric: true,
      cell: (row) =>
        figureCell('run', 'longest streak', () =>
          row.measures.prints === 0 ? NO_VALUE : String(row.measures.longestStreak),
        )(row),
    },
  ];
}

function nameDays(days: number): string {
  if (days === YEAR) return '1 y';
  return days === 1 ? '24 h' : `${String(days)} d`;
}

function figureCell(
  figure: keyof RealisedFigures,
  name: string,
  format: (quantity: Quantity) => string,
): Column<Row>['cell'] {
  return function FigureCell({ days, figures }) {
    const quantity = figures[figure];
    const { value } = quantity;
    const exact =
      value === null
        ? []
        : [{ name: 'Exact', value: `${value.times(100).toDecimalPlaces(12).toFixed()} %`, code: true }];
    return (
      <Figure
        text={format(quantity)}
        name={`${nameDays(days)}, ${name}`}
        provenance={() => [...exact, ...describeProvenance(quantity, formatInAllZones)]}
      />
    );
  };
}

function Coverage({ row: { days, measures }, series }: { readonly row: Row; readonly series: FundingSeries }) {
  const toVenueTime = useVenueTime();
  const text = useNowSelector((now) => toCoverageText(measures, series, days, toVenueTime(now)));
  return (
    <span title={measures.notListed > 0 ? `${formatCount(measures.notListed)} intervals before listing` : undefined}>
      {text}
    </span>
  );
}

/**
 * Describes coverage, such as `12 of 90, new`. New means launched within this many days of now, because the latest
 * settled rate may be years old.
 *
 * @internal Exported for its test.
 */
export function toCoverageText(
  { prints, intervals, notListed, notRead }: WindowMeasures,
  { listedFrom }: Pick<FundingSeries, 'listedFrom'>,
  days: number,
  venueNow: number,
): string {
  const isNew = notListed > 0 && (listedFrom ?? -Infinity) > toWindow(days, venueNow).from;
  return [
    `${formatCount(prints)} of ${formatCount(intervals)}`,
    isNew && 'new',
    notRead > 0 && `${formatCount(notRead)} not read`,
  ]
    .filter((part) => part !== false)
    .join(', ');
}

export function RateDistribution({ data: { series, source } }: { readonly data: PerpetualData }) {
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const bins = useMemo(
    () => distributeRates(series, { from: toRangeStart(series, range), to: series.expectedTo ?? 0 }),
    [series, range],
  );
  const all = bins.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...bins.map(({ count }) => count));
  const columns: readonly Column<RateBin>[] = [
    { name: 'Rate', unit: 'bp per 8 h, + = longs pay', cell: describe },
    {
      name: 'Share',
      cell: ({ count, from, kind }) => (
        <meter
          className={styles['bar']}
          data-side={sideOf(kind, from)}
          min={0}
          max={most}
          value={count}
          aria-label={`${formatCount(count)} settled rates`}
        />
      ),
    },
    {
      name: 'Settled rates',
      numeric: true,
      cell: (bin) => <Figure name={describe(bin)} text={formatCount(bin.count)} provenance={() => explain(bin)} />,
    },
    {
      name: '%',
      numeric: true,
      cell: ({ count }) => (all === 0 ? '–' : formatPercent(toDecimal(String(count)).div(all), { digits: 1 })),
    },
  ];
  const explain = (bin: RateBin): readonly Fact[] => [
    { name: 'Computed', value: `${formatCount(bin.count)} of the ${formatCount(all)} settled rates in this range` },
    { name: 'Field', value: 'prints.funding_rate', code: true },
    ...toOriginFacts(source),
  ];
  return <Table caption="Rate distribution" columns={columns} rows={bins} keyOf={describe} />;
}

function describe({ kind, from, to }: RateBin): string {
  if (kind === 'zero') return '0';
  if (kind === 'baseline') return 'at interest rate';
  if (from === null) return `below ${sign(to ?? 0)}`;
  return to === null ? `${sign(from)} or more` : `${sign(from)} to ${sign(to)}`;
}

function sign(value: number): string {
  return value < 0 ? `−${String(-value)}` : String(value);
}

function sideOf(kind: RateBin['kind'], from: number | null): 'longs' | 'shorts' | 'none' {
  if (kind === 'zero') return 'none';
  return kind === 'baseline' || (from !== null && from >= 0) ? 'longs' : 'shorts';
}
