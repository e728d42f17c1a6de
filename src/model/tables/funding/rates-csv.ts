import type { FundingRateData } from '#contract/exchange/funding.ts';
import { type FundingSide, toSide } from '../../funding/funding-side.ts';
import { toSpreadsheetNumber } from '../../format/spreadsheet-number.ts';
import { toRateForm } from '../../funding/rate-form.ts';
import { toFaultNames } from '../../funding/funding-faults.ts';
import type { FundingWindow } from '../../funding/funding-window.ts';
import { type Decimal, toDecimal } from '../../units/decimal.ts';
import { SIGNS } from './signs.ts';
import type { Source } from '../../source.ts';
import { SOURCE_HEADING, toSourceCells } from '../../format/source-cells.ts';
import { wireText } from '#contract/exchange/wire-text.ts';
import { type Cell, type CsvForm, toCsvInForm } from '../../format/csv.ts';
import { withReadTime, type PerpetualSeries } from './perpetual-series.ts';
import { premiumOf } from '../../funding/premium.ts';

const HEADING = [
  ...[
    'base_symbol',
    'product_id',
    'interval_start',
    'interval_end',
    'funding_rate',
    'interest_rate',
    'mark_over_index',
    'apr_simple',
  ],
  ...['mark_price_ticks', 'price_index_ticks', 'counted', 'fault', 'sign'],
  ...SOURCE_HEADING,
];

interface RatesCsvParts {
  readonly window: FundingWindow;
  readonly side: FundingSide;
  readonly source: Source;
}

/** The settled rates of a window, oldest first, one perpetual after the other; faulty ones are included and named. Rates have the sign of the side, as in the table. */
export function toRatesCsv(
  perpetuals: readonly PerpetualSeries[],
  { window: { from, to }, side, source }: RatesCsvParts,
  form: CsvForm = 'full',
): string {
  const rows = perpetuals.flatMap((perpetual) => {
    const faults = toFaultNames(perpetual.series.faults);
    const counted = new Set(perpetual.series.prints.map(({ row }) => row));
    const sourceCells = toSourceCells(withReadTime(source, perpetual.row.read_at));
    const inside = perpetual.row.prints.filter(({ interval_end }) => !isOutside(Date.parse(interval_end), from, to));
    return inside
      .toReversed()
      .map((print) => [
        ...toCells(perpetual, print, side),
        counted.has(print) ? 'yes' : 'no',
        faults.get(print) ?? null,
        SIGNS[side],
        ...sourceCells,
      ]);
  });
  return toCsvInForm(form, { heading: HEADING, provenance: SOURCE_HEADING }, rows);
}

/** False for an unreadable time (NaN), so that its row is kept. */
function isOutside(end: number, from: number, to: number): boolean {
  return end <= from || end > to;
}

function toCells({ symbol, productId }: PerpetualSeries, print: FundingRateData, side: FundingSide): readonly Cell[] {
  const bySide = (field: 'funding_rate' | 'interest_rate'): Decimal => toSide(toDecimal(wireText(print, field)), side);
  const rate = bySide('funding_rate');
  return [
    ...[symbol, productId, print.interval_start, print.interval_end],
    ...[
      toCell(rate),
      toCell(bySide('interest_rate')),
      toSpreadsheetNumber(premiumOf(print)),
      toSpreadsheetNumber(toRateForm(rate, 'apr', print)),
    ],
    ...(['mark_price', 'price_index'] as const).map((field) => toCell(toDecimal(wireText(print, field)))),
  ];
}

function toCell(value: Decimal): Cell {
  return { digits: value.toFixed() };
}
