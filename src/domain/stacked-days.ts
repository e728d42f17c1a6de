import type { Day } from '#contract/day.ts';
import type { VOIDataPoint } from '#contract/voi.ts';
import { sumOf, type Decimal } from './decimal.ts';
import type { NamedProduct } from './find-product.ts';
import { groupByProduct, readVoi, type VoiField } from './voi.ts';
import { asKey } from './wire-row.ts';

/** One day of several products, to be stacked. */
export interface StackedDay {
  readonly date: Day;
  /** In the order of the products asked for; null where a product has no figure that day. */
  readonly values: readonly (Decimal | null)[];
  /** Null where there is none, and where one is missing that it cannot be added up without. */
  readonly total: Decimal | null;
  /** Places of the products whose open interest is missing: it is a level, and added up without theirs it would seem to fall. */
  readonly missing: readonly number[];
}

/** One figure of several products beside each other, a row for every day that any of them has. */
export function toStackedDays(rows: readonly VOIDataPoint[], products: readonly NamedProduct[], figure: VoiField): readonly StackedDay[] {
  const groups = groupByProduct(rows);
  const parts = products.map((product) => toPart(product, groups.get(asKey(product.id)) ?? [], figure));
  const isLevel = figure === 'openInterest' || figure === 'notionalOpenInterest';
  const dates = [...new Set(rows.map(({ date }) => date))].sort();
  return dates.map((date) => {
    const values = parts.map(({ told }) => told.get(date) ?? null);
    const sum = sumOf(values);
    const missing = isLevel && sum !== null ? parts.flatMap((part, place) => (isMissing(part, date) ? [place] : [])) : [];
    return { date, values, total: missing.length === 0 ? sum : null, missing };
  });
}

interface Part {
  readonly told: ReadonlyMap<Day, Decimal>;
  readonly first: Day | null;
  /** From which on it need not be told any more; null where it has no end. */
  readonly end: Day | null;
}

function toPart({ product }: NamedProduct, rows: readonly VOIDataPoint[], figure: VoiField): Part {
  const told = rows.flatMap((row) => {
    const value = readVoi(row, figure);
    return value === null ? [] : [[row.date, value] as const];
  });
  // Settled in an afternoon in Chicago, which has the same date in UTC.
  const settles = product?.final_settle_time?.slice(0, 'YYYY-MM-DD'.length) as Day | undefined;
  const last = product?.product_status === 'expired' ? told.at(-1)?.[0] : undefined;
  return { told: new Map(told), first: told[0]?.[0] ?? null, end: settles ?? last ?? null };
}

/** It was told of before, and has not ended: then it has open interest, and how much is not known. */
function isMissing({ told, first, end }: Part, date: Day): boolean {
  return !told.has(date) && first !== null && date > first && (end === null || date < end);
}
