import { formatBasisPoints, formatPercent } from '#domain/format-number.ts';
import { describeProvenance } from '#domain/format-provenance.ts';
import { toDecimal } from '#domain/decimal.ts';
import { measureWindow, toWindow, type WindowMeasures } from '#domain/funding/funding-window.ts';
import { RATE_FORM_LOOKS } from '#domain/funding/rate-form.ts';
import { Figure } from '#ui/figure.tsx';
import { useUrlState } from '#ui/navigation/navigation.tsx';
import { Table, type Column } from '#ui/table.tsx';
import { formatInAllZones } from '#ui/time/format-time.ts';
import type { OneData } from './one-data.ts';
import { toRealised } from './one-figures.ts';
import { ONE_PARAMS } from './one-params.ts';

const DAYS = [1, 7, 30, 90] as const;

interface Row {
  readonly days: number;
  readonly measures: WindowMeasures;
  readonly figures: ReturnType<typeof toRealised>;
}

/** What was realised over windows that end with the newest print. */
export function RealisedTable({ data }: { readonly data: OneData }) {
  const [form] = useUrlState(ONE_PARAMS.form);
  const [side] = useUrlState(ONE_PARAMS.side);
  const to = data.series.settledTo ?? 0;
  const rows = DAYS.map((days): Row => {
    const window = toWindow(days, to);
    const measures = measureWindow(data.series, window);
    return { days, measures, figures: toRealised(data, window, measures, form, side) };
  });
  const { unit, digits } = RATE_FORM_LOOKS[form];
  const columns: readonly Column<Row>[] = [
    { name: 'Window', cell: ({ days }) => (days === 1 ? '24 h' : `${String(days)} d`) },
    { name: 'Realised', unit: '%, sum', numeric: true, cell: ({ days, figures: { sum } }) => <Told name={`${String(days)} d, sum`} quantity={sum} digits={4} /> },
    { name: 'Mean', unit, numeric: true, cell: ({ days, figures: { mean } }) => <Told name={`${String(days)} d, mean, ${unit}`} quantity={mean} digits={digits} /> },
    { name: 'Coverage', unit: 'k of n', numeric: true, cell: ({ measures }) => <Coverage measures={measures} /> },
    { name: 'Deviation', unit: 'bp', numeric: true, cell: ({ measures }) => formatBasisPoints(measures.deviation, { digits: 2 }) },
    { name: 'Positive', unit: '%', numeric: true, cell: ({ measures: { positive, prints } }) => toShare(positive, prints) },
    { name: 'Baseline', unit: '%', numeric: true, cell: ({ measures: { baseline, prints } }) => toShare(baseline, prints) },
    { name: 'Run', unit: 'prints', numeric: true, cell: ({ measures: { prints, longestRun } }) => (prints === 0 ? '–' : longestRun) },
  ];
  return <Table caption="Realised over windows" columns={columns} rows={rows} keyOf={({ days }) => String(days)} />;
}

interface ToldProps {
  readonly name: string;
  readonly quantity: Row['figures']['sum'];
  readonly digits: number;
}

/** Rounded where it is shown; where it comes from says all of it. */
function Told({ name, quantity, digits }: ToldProps) {
  const { value } = quantity;
  const exact = value === null ? [] : [{ name: 'Exact', value: `${value.times(100).toDecimalPlaces(12).toFixed()} %`, code: true }];
  return <Figure text={formatPercent(value, { digits, signed: true })} name={name} provenance={() => [...exact, ...describeProvenance(quantity, formatInAllZones)]} />;
}

/** Intervals before the launch are not missing: a new product says so. */
function Coverage({ measures: { prints, intervals, notListed, notRead } }: Pick<Row, 'measures'>) {
  const remarks = [notListed > 0 && `${String(notListed)} intervals before its launch`, notRead > 0 && `${String(notRead)} not read`].filter((remark) => remark !== false);
  return (
    <span title={remarks.join(', ') || undefined}>
      {prints} of {intervals}
      {notListed > 0 && ', new'}
    </span>
  );
}

function toShare(count: number, all: number): string {
  return all === 0 ? '–' : formatPercent(toDecimal(String(count)).div(all), { digits: 0 });
}
