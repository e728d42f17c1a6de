import type { Day } from '#contract/exchange/instant.ts';
import type { VOIDataPoint } from '#contract/exchange/market-data.ts';
import { findWithheldReason } from '#contract/exchange/row-notes.ts';
import { sumOf, type Decimal } from '../units/decimal.ts';
import type { NamedProduct } from '../products/product-directory.ts';
import { dateOf } from '../time/session.ts';
import { groupByProduct, readVoi, type VoiField } from './voi-rows.ts';
import { toNumber } from '#contract/exchange/brand.ts';

/** One day of several products, for a stacked chart. */
export interface StackedDay {
  readonly date: Day;
  /** In the order of the products; null for a product without a value. */
  readonly values: readonly (Decimal | null)[];
  /** Null if there are no values, or if `missing` or `withheld` is not empty. */
  readonly total: Decimal | null;
  /** Indexes of the products whose value is missing: a total without them would seem to fall. */
  readonly missing: readonly number[];
  /** Indexes of the products whose value is withheld. */
  readonly withheld: readonly number[];
}

/** Makes one row per day on which any of the products has the figure. */
export function toStackedDays(
  rows: readonly VOIDataPoint[],
  products: readonly NamedProduct[],
  figure: VoiField,
): readonly StackedDay[] {
  const groups = groupByProduct(rows);
  const parts = products.map((product) => toPart(product, groups.get(toNumber(product.id)) ?? [], figure));
  const isLevel = figure === 'openInterest' || figure === 'notionalOpenInterest';
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  return dates.map((date) => {
    const values = parts.map(({ values: ofProduct }) => ofProduct.get(date) ?? null);
    const sum = sumOf(values);
    const missing =
      sum === null
        ? []
        : indexesOf(parts, (part) =>
            isLevel ? isMissing(part, date) : part.withheld.has(date) && part.first !== null,
          );
    const withheld = indexesOf(parts, (part) => part.withheld.has(date));
    return { date, values, total: missing.length + withheld.length === 0 ? sum : null, missing, withheld };
  });
}

function indexesOf(parts: readonly Part[], isOne: (part: Part) => boolean): readonly number[] {
  return parts.flatMap((part, index) => (isOne(part) ? [index] : []));
}

interface Part {
  readonly values: ReadonlyMap<Day, Decimal>;
  readonly withheld: ReadonlySet<Day>;
  readonly first: Day | null;
  /** No value is expected from this day on; null without an end. */
  readonly end: Day | null;
}

function toPart({ product }: NamedProduct, rows: readonly VOIDataPoint[], figure: VoiField): Part {
  const values = rows.flatMap((row) => {
    const value = readVoi(row, figure);
    return value === null ? [] : [[row.date, value] as const];
  });
  const withheld = new Set(rows.filter((row) => findWithheldReason(row, figure) !== null).map(({ date }) => date));
  const settles = product?.final_settle_time === undefined ? undefined : dateOf(product.final_settle_time);
  const last = product?.product_status === 'expired' ? values.at(-1)?.[0] : undefined;
  return { values: new Map(values), withheld, first: values[0]?.[0] ?? null, end: settles ?? last ?? null };
}

/**
 * Returns whether open interest is missing. A product that has had some and has not expired still has some, which is
 * then unknown.
 */
function isMissing({ values, first, end }: Part, date: Day): boolean {
  return !values.has(date) && first !== null && date > first && (end === null || date < end);
}
