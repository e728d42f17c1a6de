import type { FundingRateData } from '#contract/funding.ts';
import { toRateForm } from '#domain/funding/rate-form.ts';
import { toFaultNames } from '#domain/funding/funding-faults.ts';
import type { FundingWindow } from '#domain/funding/funding-window.ts';
import { toDecimal } from '#domain/units/decimal.ts';
import type { Source } from '#domain/source.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/format/source-cells.ts';
import { wireText } from '#contract/wire-text.ts';
import { type Cell, toCsv } from '#ui/csv.ts';
import { withReadTime, type PerpetualSeries } from '../perpetual-series.ts';
import { premiumOf } from '#domain/funding/premium.ts';

const HEADING = [
  ...['base_symbol', 'product_id', 'interval_start', 'interval_end', 'funding_rate', 'interest_rate', 'mark_over_index', 'apr_simple'],
  ...['mark_price_ticks', 'price_index_ticks', 'counted', 'fault', 'sign'],
  ...SOURCE_HEADING,
];

/** The settled rates of a window as received, oldest first, one perpetual after the other; faulty ones are included and named. */
export function toRatesCsv(perpetuals: readonly PerpetualSeries[], { from, to }: FundingWindow, source: Source): string {
  const rows = perpetuals.flatMap((perpetual) => {
    const faults = toFaultNames(perpetual.series.faults);
    const counted = new Set(perpetual.series.prints.map(({ row }) => row));
    const sourceCells = toSourceCells(withReadTime(source, perpetual.row.read_at));
    const inside = perpetual.row.prints.filter(({ interval_end }) => !isOutside(Date.parse(interval_end), from, to));
    return inside.toReversed().map((print) => [...toCells(perpetual, print), counted.has(print) ? 'yes' : 'no', faults.get(print) ?? null, 'positive: longs pay shorts', ...sourceCells]);
  });
  return toCsv(HEADING, rows);
}

/** False for an unreadable time (NaN), so that its row is kept. */
function isOutside(end: number, from: number, to: number): boolean {
  return end <= from || end > to;
}

function toCells({ symbol, productId }: PerpetualSeries, print: FundingRateData): readonly Cell[] {
  const [rate, interest] = [wireText(print, 'funding_rate'), wireText(print, 'interest_rate')];
  const [premium, apr] = [premiumOf(print), toRateForm(toDecimal(rate), 'apr', print)];
  return [
    ...[symbol, productId, print.interval_start, print.interval_end],
    ...[digits(rate), digits(interest), premium && { digits: premium.toFixed() }, apr && { digits: apr.toFixed() }],
    ...[digits(wireText(print, 'mark_price')), digits(wireText(print, 'price_index'))],
  ];
}

function digits(text: string): Cell {
  return { digits: toDecimal(text).toFixed() };
}
