import { toDecimal } from '#domain/decimal.ts';
import { toSide, type FundingSide } from '#domain/funding/my-side.ts';
import { RATE_FORMS, RATE_FORM_LOOKS, toRateForm } from '#domain/funding/rate-form.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/source-cells.ts';
import { asWritten } from '#domain/wire-row.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import { download } from '#ui/download.ts';
import type { OneData } from './one-data.ts';
import type { Slot } from './to-slots.ts';

const HEADING = [
  ...['interval_start', 'interval_end', 'base_symbol', 'product_id', 'funding_rate', 'interest_rate', 'price_index_ticks', 'mark_price_ticks'],
  ...RATE_FORMS.map((form) => `percent_${RATE_FORM_LOOKS[form].name.replaceAll(/\W+/g, '_')}`),
  ...['side', 'state', 'read_at'],
  ...SOURCE_HEADING,
];

interface PrintsCsvProps {
  readonly data: OneData;
  readonly slots: readonly Slot[];
  readonly side: FundingSide;
}

/** The prints drawn, holes included, each with every field and where it came from. */
export function PrintsCsv({ data, slots, side }: PrintsCsvProps) {
  const name = data.perpetual.base_symbol;
  return (
    <button
      type="button"
      onClick={() => {
        download(`funding-${name}.csv`, toPrintsCsv({ data, slots, side }));
      }}
    >
      CSV
    </button>
  );
}

/** Fields are as they came; percents have the sign that the side sees, which stands beside them. */
function toPrintsCsv({ data, slots, side }: PrintsCsvProps): string {
  const { perpetual: { base_symbol, product_id, read_at }, source } = data;
  const origin: readonly Cell[] = [read_at, ...toSourceCells(source)];
  return toCsv(HEADING, slots.map(({ print, end }) => {
    if (print === null) return [null, new Date(end).toISOString(), base_symbol, String(product_id), ...Array.from({ length: 8 }, () => null), side, 'no print that counts', ...origin];
    const { row } = print;
    const digits = (field: 'funding_rate' | 'interest_rate' | 'price_index' | 'mark_price'): Cell => ({ digits: asWritten(row, field) });
    const rate = toDecimal(asWritten(row, 'funding_rate'));
    const forms = RATE_FORMS.map((form): Cell => {
      const value = toRateForm(rate, form, row);
      return value && { digits: toSide(value, side).times(100).toSignificantDigits(20).toFixed() };
    });
    return [row.interval_start, row.interval_end, base_symbol, String(product_id), digits('funding_rate'), digits('interest_rate'), digits('price_index'), digits('mark_price'), ...forms, side, 'settled', ...origin];
  }));
}
