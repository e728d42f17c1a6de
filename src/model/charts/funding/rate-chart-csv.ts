import { toDecimal } from '../../units/decimal.ts';
import { toSide, type FundingSide } from '../../funding/funding-side.ts';
import { RATE_FORMS, RATE_FORM_LABELS, toRateForm } from '../../funding/rate-form.ts';
import { SOURCE_HEADING, toSourceCells } from '../../format/source-cells.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { toCsvInForm, type Cell, type CsvForm } from '../../format/csv.ts';
import type { PerpetualData } from '../../tables/funding/perpetual-data.ts';
import type { ChartInterval } from './chart-intervals.ts';

const RATES = ['funding_rate', 'interest_rate'] as const;
const PRICES = ['price_index', 'mark_price'] as const;

const HEADING = [
  ...[
    'interval_start',
    'interval_end',
    'base_symbol',
    'product_id',
    ...RATES,
    ...PRICES.map((field) => `${field}_ticks`),
  ],
  ...RATE_FORMS.map((form) => `percent_${RATE_FORM_LABELS[form].name.replaceAll(/\W+/g, '_')}`),
  ...['side', 'state', 'read_at'],
  ...SOURCE_HEADING,
];

interface RateChartCsvParts {
  readonly data: PerpetualData;
  readonly intervals: readonly ChartInterval[];
  readonly side: FundingSide;
}

/** The charted intervals, gaps included. Rates have the sign of the side, which is a column of its own; prices are as received. */
export function toRateChartCsv({ data, intervals, side }: RateChartCsvParts, csv: CsvForm = 'full'): string {
  const {
    perpetual: { base_symbol, product_id, read_at },
    source,
  } = data;
  const origin: readonly Cell[] = [read_at, ...toSourceCells(source)];
  return toCsvInForm(
    csv,
    { heading: HEADING, provenance: ['read_at', ...SOURCE_HEADING] },
    intervals.map(({ print, end }) => {
      const perpetual: readonly Cell[] = [base_symbol, String(product_id)];
      if (print === null)
        return [
          null,
          new Date(end).toISOString(),
          ...perpetual,
          ...[...RATES, ...PRICES, ...RATE_FORMS].map(() => null),
          side,
          'no valid rate',
          ...origin,
        ];
      const { row } = print;
      const rate = toSide(toDecimal(wireText(row, 'funding_rate')), side);
      const forms = RATE_FORMS.map((form): Cell => {
        const value = toRateForm(rate, form, row);
        return value && { digits: value.times(100).toSignificantDigits(15).toFixed() };
      });
      const interest = toSide(toDecimal(wireText(row, 'interest_rate')), side);
      const fields: readonly Cell[] = [
        ...[rate, interest].map((each) => ({ digits: each.toFixed() })),
        ...PRICES.map((field) => ({ digits: wireText(row, field) })),
      ];
      return [row.interval_start, row.interval_end, ...perpetual, ...fields, ...forms, side, 'settled', ...origin];
    }),
  );
}
