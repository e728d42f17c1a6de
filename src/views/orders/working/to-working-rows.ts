import type { DeskWorking } from '#contract/desk.ts';
import { compareInstants, type Instant } from '#contract/instant.ts';
import type { Order } from '#contract/order.ts';
import { createRepetitionCount } from '#domain/orders/duplicates.ts';
import { toOrderRows, type OrderRow } from '#domain/orders/order-row.ts';
import type { TermsOf } from '#domain/orders/order-terms.ts';
import { compareNewest } from '#domain/orders/working-set.ts';
import type { Source } from '#domain/source.ts';

type Part = DeskWorking['parts'][number];

export interface WorkingRowsParts {
  readonly source: Source;
  /** The reads that the set was put together from. */
  readonly parts: readonly Part[];
  readonly termsOf: TermsOf;
  /** How far the venue’s clock is ahead of the desk’s. */
  readonly offsetMs: number;
}

/** Rows, newest first. The desk’s response has no time of its own, so each row takes the time at which its part was read. */
export function toWorkingRows(orders: readonly Order[], { source, parts, termsOf, offsetMs }: WorkingRowsParts): readonly OrderRow[] {
  const [first] = parts;
  const toRepetition = createRepetitionCount(orders);
  const toRows = (some: readonly Order[], answeredAt: Instant | null): readonly OrderRow[] =>
    toOrderRows(some, { ...source, answeredAt }, termsOf, offsetMs).map((row) => ({ ...row, ...toRepetition(row.order) }));
  if (parts.length <= 1) return toRows(orders.toSorted(compareNewest), first?.read_at ?? null);
  const oldest = parts.reduce((least, part) => (compareInstants(part.read_at, least.read_at) < 0 ? part : least));
  const byPart = Map.groupBy(orders, (order) => parts.find(({ filter }) => matches(order, filter)) ?? oldest);
  return [...byPart].flatMap(([part, some]) => toRows(some, part.read_at)).sort((a, b) => compareNewest(a.order, b.order));
}

/** The filter calls a field by another name than the order does. */
const FIELDS: Readonly<Record<string, keyof Order>> = { clearing_member_code: 'clearing_firm_code' };

function matches(order: Order, filter: Part['filter']): boolean {
  return Object.entries(filter).every(([name, value]) => String(order[FIELDS[name] ?? (name as keyof Order)]) === value);
}
