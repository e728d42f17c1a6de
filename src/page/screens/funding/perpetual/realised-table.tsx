import { formatBasisPoints, formatPercent, NO_VALUE } from '#model/format/number.ts';
import { measureWindow, toWindow, type WindowMeasures } from '#model/funding/funding-window.ts';
import { RATE_FORM_LABELS, type RateForm } from '#model/funding/rate-form.ts';
import type { Quantity } from '#model/units/quantity.ts';
import { useVenueTime } from '#page/client/react/use-venue-time.ts';
import { useNowSelector } from '#page/kit/time/use-now.tsx';
import { Figure } from '#page/kit/controls/figure.tsx';
import { useUrlState } from '#page/kit/navigation/navigation.tsx';
import { type Column, Table } from '#page/kit/table.tsx';
import { formatInAllZones } from '#model/format/format-time.ts';
import type { FundingSeries } from '#model/funding/funding-series.ts';
import { describeProvenance } from '#model/format/provenance.ts';
import { type RealisedFigures, toRealised } from '#model/tables/funding/realised.ts';
import type { PerpetualData } from '#model/tables/funding/perpetual-data.ts';
import { PERPETUAL_PARAMS } from '#model/tables/funding/perpetual-params.ts';

const DAYS = [1, 7, 30, 90] as const;
const YEAR = 365;

interface Row {
  readonly days: number;
  readonly measures: WindowMeasures;
  readonly figures: RealisedFigures;
}

/** Realised rates over windows that end now: at the newest funding time that has settled or should have. */
export function RealisedTable({ data }: { readonly data: PerpetualData }) {
  const [form] = useUrlState(PERPETUAL_PARAMS.form);
  const [side] = useUrlState(PERPETUAL_PARAMS.side);
  const [range] = useUrlState(PERPETUAL_PARAMS.range);
  const to = data.series.endsAt ?? 0;
  // Shorter ranges read less than a year.
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
      name: 'Std dev of the rate',
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
    <span title={measures.notListed > 0 ? `${String(measures.notListed)} intervals before listing` : undefined}>
      {text}
    </span>
  );
}

/**
 * `12 of 90, new`. New means launched within so many days of now; the latest settled rate may be years old.
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
  return [`${String(prints)} of ${String(intervals)}`, isNew && 'new', notRead > 0 && `${String(notRead)} not read`]
    .filter((part) => part !== false)
    .join(', ');
}
