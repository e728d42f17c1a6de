import type { DeskWorking } from '#contract/desk/desk.ts';
import type { Order } from '#contract/exchange/order.ts';

type Part = DeskWorking['parts'][number];
type Filter = Part['filter'];

/** The orders of a working set counted again by the filters of its parts. */
interface PartCounts {
  /** How many orders each filter matches, in the order of the parts. */
  readonly counts: readonly number[];
  readonly inNoPart: number;
  readonly inSeveralParts: number;
}

export function countByParts(orders: readonly Order[], parts: readonly Part[]): PartCounts {
  const counts = parts.map(() => 0);
  let [inNoPart, inSeveralParts] = [0, 0];
  for (const order of orders) {
    let found = 0;
    for (const [place, { filter }] of parts.entries()) {
      if (!matchesFilter(order, filter)) continue;
      counts[place] = (counts[place] ?? 0) + 1;
      found += 1;
    }
    if (found === 0) inNoPart += 1;
    if (found > 1) inSeveralParts += 1;
  }
  return { counts, inNoPart, inSeveralParts };
}

/** The filter calls a field by another name than the order does. */
const FIELDS: Readonly<Record<string, keyof Order>> = { clearing_member_code: 'clearing_firm_code' };

export function matchesFilter(order: Order, filter: Filter): boolean {
  return Object.entries(filter).every(
    ([name, value]) => String(order[FIELDS[name] ?? (name as keyof Order)]) === value,
  );
}
