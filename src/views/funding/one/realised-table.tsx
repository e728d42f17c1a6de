import { formatBasisPoints, formatPercent, NO_VALUE } from '#domain/format-number.ts';
import { describeProvenance } from '#domain/format-provenance.ts';
import { measureWindow, toWindow, type WindowMeasures } from '#domain/funding/funding-window.ts';
import { RATE_FORM_LOOKS, type RateForm } from '#domain/funding/rate-form.ts';
import type { Quantity } from '#domain/quantity.ts';
import { Figure } from '#ui/figure.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import { Moment } from '#ui/time/moment.tsx';
import { toRealised, type RealisedFigures } from '../realised.ts';
import type { OneData } from './one-data.ts';
import { isBrokenOff, toCoverageText } from './coverage-text.ts';
import { ONE_PARAMS } from './one-params.ts';
import styles from './one.module.css';

const DAYS = [1, 7, 30, 90] as const;

interface Row {
  readonly days: number;
  readonly measures: WindowMeasures;
  readonly figures: RealisedFigures;
}

/** What was realised over windows that end with the newest print. */
export function RealisedTable({ data, venueNow }: { readonly data: OneData; readonly venueNow: number }) {
  const [form] = useUrlState(ONE_PARAMS.form);
  const [side] = useUrlState(ONE_PARAMS.side);
  const to = data.series.settledTo ?? 0;
  const rows = DAYS.map((days): Row => {
    const window = toWindow(days, to);
    const measures = measureWindow(data.series, window);
    return { days, measures, figures: toRealised(data, window, measures, form, side) };
  });
  const coverage = ({ days, measures }: Row): string => toCoverageText(measures, data.series, days, venueNow);
  return (
    <>
      <Table caption="Realised over windows" columns={createColumns(form, coverage)} rows={rows} keyOf={({ days }) => String(days)} />
      {isBrokenOff(data.series, venueNow) && (
        <p className={styles['remark']}>
          Each window ends with the newest print known, <Moment at={to} />.
        </p>
      )}
    </>
  );
}

function createColumns(form: RateForm, coverage: (row: Row) => string): readonly Column<Row>[] {
  const { unit, digits } = RATE_FORM_LOOKS[form];
  const share = ({ value }: Quantity): string => formatPercent(value, { digits: 0 });
  return [
    { name: 'Window', cell: ({ days }) => nameDays(days) },
    { name: 'Realised', unit: '%, sum', numeric: true, cell: tell('sum', 'sum', ({ value }) => formatPercent(value, { digits: 4, signed: true })) },
    { name: 'Mean', unit, numeric: true, cell: tell('mean', `mean, ${unit}`, ({ value }) => formatPercent(value, { digits, signed: true })) },
    { name: 'Coverage', unit: 'k of n', numeric: true, cell: (row) => <Coverage measures={row.measures} text={coverage(row)} /> },
    { name: 'Deviation', unit: 'bp', numeric: true, cell: tell('deviation', 'standard deviation', ({ value }) => formatBasisPoints(value, { digits: 2 })) },
    { name: 'Longs paid', unit: '%', numeric: true, cell: tell('positive', 'longs paid', share) },
    { name: 'Baseline', unit: '%', numeric: true, cell: tell('baseline', 'at the baseline', share) },
    { name: 'Run', unit: 'prints', numeric: true, cell: (row) => tell('run', 'longest run', () => (row.measures.prints === 0 ? NO_VALUE : String(row.measures.longestRun)))(row) },
  ];
}

function nameDays(days: number): string {
  return days === 1 ? '24 h' : `${String(days)} d`;
}

/** Rounded where it is shown; where it comes from says all of it. */
function tell(figure: keyof RealisedFigures, name: string, format: (quantity: Quantity) => string): Column<Row>['cell'] {
  return function Told({ days, figures }) {
    const quantity = figures[figure];
    const { value } = quantity;
    const exact = value === null ? [] : [{ name: 'Exact', value: `${value.times(100).toDecimalPlaces(12).toFixed()} %`, code: true }];
    return <Figure text={format(quantity)} name={`${nameDays(days)}, ${name}`} provenance={() => [...exact, ...describeProvenance(quantity, formatInAllZones)]} />;
  };
}

/** Intervals before the launch are not missing: pointing at it tells them. */
function Coverage({ measures: { notListed }, text }: Pick<Row, 'measures'> & { readonly text: string }) {
  return <span title={notListed > 0 ? `${String(notListed)} intervals before its launch` : undefined}>{text}</span>;
}
