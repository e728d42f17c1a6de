import { toDecimal } from '#domain/units/decimal.ts';
import { toSide, type FundingSide } from '#domain/funding/funding-side.ts';
import { RATE_FORMS, RATE_FORM_LABELS, toRateForm } from '#domain/funding/rate-form.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/format/source-cells.ts';
import { wireText } from '#contract/wire-text.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { download } from '#ui/download.ts';
import type { PerpetualData } from './perpetual-data.ts';
import type { ChartInterval } from './chart-intervals.ts';

const HEADING = [
  ...['interval_start', 'interval_end', 'base_symbol', 'product_id', 'funding_rate', 'interest_rate', 'price_index_ticks', 'mark_price_ticks'],
  ...RATE_FORMS.map((form) => `percent_${RATE_FORM_LABELS[form].name.replaceAll(/\W+/g, '_')}`),
  ...['side', 'state', 'read_at'],
  ...SOURCE_HEADING,
];

interface PrintsCsvProps {
  readonly data: PerpetualData;
  readonly intervals: readonly ChartInterval[];
  readonly side: FundingSide;
}

/** Saves the charted intervals, gaps included, with every field and its source. */
export function RateChartCsv({ data, intervals, side }: PrintsCsvProps) {
  const name = data.perpetual.base_symbol;
  return (
    <button
      type="button"
      onClick={() => {
        download(`funding-${name}.csv`, toPrintsCsv({ data, intervals, side }));
      }}
    >
      CSV
    </button>
  );
}

/** Fields as received; percentages have the sign of the side, which is a column of its own. */
function toPrintsCsv({ data, intervals, side }: PrintsCsvProps): string {
  const { perpetual: { base_symbol, product_id, read_at }, source } = data;
  const origin: readonly Cell[] = [read_at, ...toSourceCells(source)];
  return toCsv(HEADING, intervals.map(({ print, end }) => {
    if (print === null) return [null, new Date(end).toISOString(), base_symbol, String(product_id), ...Array.from({ length: 8 }, () => null), side, 'no print that counts', ...origin];
    const { row } = print;
    const digits = (field: 'funding_rate' | 'interest_rate' | 'price_index' | 'mark_price'): Cell => ({ digits: wireText(row, field) });
    const rate = toDecimal(wireText(row, 'funding_rate'));
    const forms = RATE_FORMS.map((form): Cell => {
      const value = toRateForm(rate, form, row);
      return value && { digits: toSide(value, side).times(100).toSignificantDigits(20).toFixed() };
    });
    return [row.interval_start, row.interval_end, base_symbol, String(product_id), digits('funding_rate'), digits('interest_rate'), digits('price_index'), digits('mark_price'), ...forms, side, 'settled', ...origin];
  }));
}
