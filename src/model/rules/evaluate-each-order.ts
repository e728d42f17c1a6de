import type { OrdersRule } from '#contract/desk/rules.ts';
import { countOf } from '../format/count.ts';
import type { OrderRow } from '../orders/order-row.ts';
import type { Decimal } from '../units/decimal.ts';
import { labelOrder } from './order-limits.ts';
import { type Evaluation, NO_EVIDENCE, type SubjectReading, type WorkingReading } from './readings.ts';

/** Whether one order meets the condition; null if that is unknown. */
interface OrderVerdict {
  readonly holds: boolean | null;
  readonly value: Decimal | null;
}

/** `isKnown`: the value is needed even if the order does not meet the condition. */
export type JudgeOrder = (row: OrderRow, isKnown: boolean) => OrderVerdict;

interface EachOrder {
  readonly judgeOne: JudgeOrder;
  /** The orders that have alerts. */
  readonly remembered: readonly string[];
  /** The orders that never raise an alert. */
  readonly excluded: ReadonlySet<string> | undefined;
}

/** Thousands of alerts would help no one, so only so many orders of a rule raise an alert of their own. */
const MOST_ORDER_ALERTS = 200;

/** Evaluates a rule for each order. Of orders without an alert, only those that meet the condition are reported. */
export function evaluateEachOrder(
  rule: Pick<OrdersRule, 'comparison' | 'expression'>,
  { rows, complete, unreadable, readAt }: WorkingReading,
  { judgeOne, remembered, excluded }: EachOrder,
): Evaluation {
  const known = new Set(remembered);
  const lasting: SubjectReading[] = [];
  const found: (OrderVerdict & { readonly row: OrderRow })[] = [];
  let unknown = 0;
  const readSince = readAt === undefined ? null : `Read at ${readAt}, and not since.`;
  for (const row of rows) {
    const { id } = row.order;
    if (excluded?.has(id) === true) continue;
    const isKnown = known.delete(id);
    const verdict = judgeOne(row, isKnown);
    if (verdict.holds === null) unknown += 1;
    if (isKnown) lasting.push(toReading(row, verdict, readSince));
    else if (verdict.holds === true) found.push({ ...verdict, row });
  }
  const gone = [...known].filter((id) => id !== '').map((id) => toGone(rule, id, complete && unreadable === 0));
  const free = Math.max(0, MOST_ORDER_ALERTS - lasting.filter(({ holds }) => holds !== false).length);
  const worst = found.length <= free ? found : found.toSorted(compareWorst(rule)).slice(0, free);
  const whole = toWhole(found.length - worst.length, unknown);
  return [...whole, ...lasting, ...gone, ...worst.map((one) => toReading(one.row, one, readSince))];
}

function toReading(row: OrderRow, { holds, value }: OrderVerdict, readSince: string | null): SubjectReading {
  return {
    group: row.order.id,
    label: labelOrder(row),
    holds,
    value,
    because: holds === null ? 'It is unknown for this order.' : readSince,
    evidence: { total: 1, orders: [row.order], products: [] },
  };
}

/** An order that an incomplete reading lacks may still be working. */
function toGone({ expression }: Pick<OrdersRule, 'expression'>, id: string, isWhole: boolean): SubjectReading {
  const over = expression === undefined ? 'It is no longer working.' : 'It no longer works, or no longer matches.';
  const because = isWhole ? over : 'It is missing from a reading that may lack orders.';
  return { group: id, holds: isWhole ? false : null, value: null, because, evidence: NO_EVIDENCE };
}

function compareWorst({ comparison }: Pick<OrdersRule, 'comparison'>) {
  const sign = comparison === 'under' ? 1 : -1;
  return (a: OrderVerdict, b: OrderVerdict): number =>
    a.value === null || b.value === null ? 0 : a.value.comparedTo(b.value) * sign;
}

/** Reports for the rule as a whole what no alert of an order says. */
function toWhole(left: number, unknown: number): readonly SubjectReading[] {
  if (left === 0 && unknown === 0) return [];
  const sentences = [
    ...(left === 0
      ? []
      : [
          `${countOf(left, 'more order')} ${left === 1 ? 'meets' : 'meet'} the condition without an alert of ` +
            `their own: a rule has at most ${String(MOST_ORDER_ALERTS)}.`,
        ]),
    ...(unknown === 0 ? [] : [`It is unknown for ${countOf(unknown, 'order')}.`]),
  ];
  return [
    { group: '', holds: left > 0 ? true : null, value: null, because: sentences.join(' '), evidence: NO_EVIDENCE },
  ];
}
