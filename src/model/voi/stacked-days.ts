import type { Day } from '#contract/exchange/day.ts';
import type { VOIDataPoint } from '#contract/exchange/voi.ts';
import { findWithheldReason } from '#contract/exchange/withheld.ts';
import { sumOf, type Decimal } from '../units/decimal.ts';
import type { NamedProduct } from '../products/product-directory.ts';
import { dateOf } from '../time/session.ts';
import { groupByProduct, readVoi, type VoiField } from './voi-rows.ts';
import { toNumber } from '#contract/exchange/brand.ts';

/** One day of several products, for a stacked chart. */
export interface StackedDay {
  readonly date: Day;
  /** In the order of the products; null where a product has no value. */
  readonly values: readonly (Decimal | null)[];
  /** Null without values, and where `missing` or `withheld` is not empty. */
  readonly total: Decimal | null;
  /** Indexes of the products of which this day’s value is missing: a total without theirs would seem to fall. */
  readonly missing: readonly number[];
  /** Indexes of the products whose value is withheld. */
  readonly withheld: readonly number[];
}

/** One figure of several products, a row for every day that any of them has. */
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
  /** From this day on no value is expected; null without an end. */
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

/** A product that had open interest before and has not expired still has some: it is unknown. */
function isMissing({ values, first, end }: Part, date: Day): boolean {
  return !values.has(date) && first !== null && date > first && (end === null || date < end);
}
