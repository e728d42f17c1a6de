import { toDecimal } from '#domain/decimal.ts';
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
  ...['state', 'read_at'],
  ...SOURCE_HEADING,
];

/** The prints drawn, holes included, each with every field and where it came from. */
export function PrintsCsv({ data, slots }: { readonly data: OneData; readonly slots: readonly Slot[] }) {
  const name = data.perpetual.base_symbol;
  return (
    <button
      type="button"
      onClick={() => {
        download(`funding-${name}.csv`, toPrintsCsv(data, slots));
      }}
    >
      CSV
    </button>
  );
}

function toPrintsCsv({ perpetual: { base_symbol, product_id, read_at }, source }: OneData, slots: readonly Slot[]): string {
  const origin: readonly Cell[] = [read_at, ...toSourceCells(source)];
  return toCsv(HEADING, slots.map(({ print, end }) => {
    if (print === null) return [null, new Date(end).toISOString(), base_symbol, String(product_id), ...Array.from({ length: 8 }, () => null), 'no print that counts', ...origin];
    const { row } = print;
    const digits = (field: 'funding_rate' | 'interest_rate' | 'price_index' | 'mark_price'): Cell => ({ digits: asWritten(row, field) });
    const rate = toDecimal(asWritten(row, 'funding_rate'));
    const forms = RATE_FORMS.map((form): Cell => {
      const value = toRateForm(rate, form, row);
      return value && { digits: value.times(100).toSignificantDigits(20).toFixed() };
    });
    return [row.interval_start, row.interval_end, base_symbol, String(product_id), digits('funding_rate'), digits('interest_rate'), digits('price_index'), digits('mark_price'), ...forms, 'settled', ...origin];
  }));
}
