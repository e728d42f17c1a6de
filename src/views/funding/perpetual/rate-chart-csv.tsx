import { toDecimal } from '#domain/units/decimal.ts';
import { toSide, type FundingSide } from '#domain/funding/funding-side.ts';
import { RATE_FORMS, RATE_FORM_LABELS, toRateForm } from '#domain/funding/rate-form.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/format/source-cells.ts';
import { wireText } from '#contract/wire-text.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { CsvButton } from '#ui/csv-button.tsx';
import { nameSide } from '../signs.ts';
import type { PerpetualData } from './perpetual-data.ts';
import type { ChartInterval } from './chart-intervals.ts';

const RATES = ['funding_rate', 'interest_rate'] as const;
const PRICES = ['price_index', 'mark_price'] as const;

const HEADING = [
  ...['interval_start', 'interval_end', 'base_symbol', 'product_id', ...RATES, ...PRICES.map((field) => `${field}_ticks`)],
  ...RATE_FORMS.map((form) => `percent_${RATE_FORM_LABELS[form].name.replaceAll(/\W+/g, '_')}`),
  ...['side', 'state', 'read_at'],
  ...SOURCE_HEADING,
];

interface RateChartCsvProps {
  readonly data: PerpetualData;
  readonly intervals: readonly ChartInterval[];
  readonly side: FundingSide;
}

/** Saves the charted intervals, gaps included, with every field and its source. */
export function RateChartCsv({ data, intervals, side }: RateChartCsvProps) {
  const name = data.perpetual.base_symbol;
  return (
    <CsvButton fileName={`funding-${nameSide(side)}${name}`} write={() => toRateChartCsv({ data, intervals, side })} />
  );
}

/**
 * Rates have the sign of the side, which is a column of its own; prices are as received.
 *
 * @internal Exported for its test.
 */
export function toRateChartCsv({ data, intervals, side }: RateChartCsvProps): string {
  const { perpetual: { base_symbol, product_id, read_at }, source } = data;
  const origin: readonly Cell[] = [read_at, ...toSourceCells(source)];
  return toCsv(HEADING, intervals.map(({ print, end }) => {
    const perpetual: readonly Cell[] = [base_symbol, String(product_id)];
    if (print === null) return [null, new Date(end).toISOString(), ...perpetual, ...[...RATES, ...PRICES, ...RATE_FORMS].map(() => null), side, 'no valid rate', ...origin];
    const { row } = print;
    const rate = toSide(toDecimal(wireText(row, 'funding_rate')), side);
    const forms = RATE_FORMS.map((form): Cell => {
      const value = toRateForm(rate, form, row);
      return value && { digits: value.times(100).toSignificantDigits(15).toFixed() };
    });
    const interest = toSide(toDecimal(wireText(row, 'interest_rate')), side);
    const fields: readonly Cell[] = [...[rate, interest].map((each) => ({ digits: each.toFixed() })), ...PRICES.map((field) => ({ digits: wireText(row, field) }))];
    return [row.interval_start, row.interval_end, ...perpetual, ...fields, ...forms, side, 'settled', ...origin];
  }));
}
