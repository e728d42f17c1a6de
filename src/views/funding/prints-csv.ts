import type { FundingRateData } from '#contract/funding.ts';
import { toRateForm } from '#domain/funding/rate-form.ts';
import { toFaultKinds } from '#domain/funding/find-faults.ts';
import type { FundingWindow } from '#domain/funding/funding-window.ts';
import { toDecimal } from '#domain/decimal.ts';
import type { Source } from '#domain/source.ts';
import { SOURCE_HEADING, toSourceCells } from '#domain/source-cells.ts';
import { asWritten } from '#domain/wire-row.ts';
import { toCsv, type Cell } from '#ui/csv.ts';
import type { Perpetual } from './compare-row.ts';
import { premiumOf } from './premium.ts';

const HEADING = [
  ...['base_symbol', 'product_id', 'interval_start', 'interval_end', 'funding_rate', 'interest_rate', 'mark_over_index', 'apr_simple'],
  ...['mark_price_ticks', 'price_index_ticks', 'counted', 'fault', 'sign'],
  ...SOURCE_HEADING,
];

/** Settled prints of a window as they came, faulty ones included and named; oldest first, one perpetual after the other. */
export function toPrintsCsv(perpetuals: readonly Perpetual[], { from, to }: FundingWindow, source: Source): string {
  const sourceCells = toSourceCells(source);
  const rows = perpetuals.flatMap((perpetual) => {
    const faults = toFaultKinds(perpetual.series.faults);
    const counted = new Set(perpetual.series.prints.map(({ row }) => row));
    const inside = perpetual.row.prints.filter(({ interval_end }) => !isOutside(Date.parse(interval_end), from, to));
    return inside.toReversed().map((print) => [...toCells(perpetual, print), counted.has(print) ? 'yes' : 'no', faults.get(print) ?? null, 'positive: longs pay shorts', ...sourceCells]);
  });
  return toCsv(HEADING, rows);
}

/** A time that names no moment lies nowhere, so it is not left out. */
function isOutside(end: number, from: number, to: number): boolean {
  return end <= from || end > to;
}

function toCells({ symbol, productId }: Perpetual, print: FundingRateData): readonly Cell[] {
  const [rate, interest] = [asWritten(print, 'funding_rate'), asWritten(print, 'interest_rate')];
  const [premium, apr] = [premiumOf(print), toRateForm(toDecimal(rate), 'apr', print)];
  return [
    ...[symbol, productId, print.interval_start, print.interval_end],
    ...[digits(rate), digits(interest), premium && { digits: premium.toFixed() }, apr && { digits: apr.toFixed() }],
    ...[digits(asWritten(print, 'mark_price')), digits(asWritten(print, 'price_index'))],
  ];
}

function digits(text: string): Cell {
  return { digits: toDecimal(text).toFixed() };
}
