import type { AliasKind } from '#contract/desk/aliases.ts';
import type { Each } from '#contract/desk/rule-measures.ts';
import type { ActivityRule, OrdersRule } from '#contract/desk/rules.ts';

/**
 * What stands in an address for an account, clearing firm or connection, which no address names; null if nothing does
 * yet.
 */
type ReferenceOf = (kind: AliasKind, code: string) => string | null;

/**
 * Returns the address of the working orders that a rule is about for one subject, now or at an instant. Null if an
 * owner has nothing that can stand for it.
 */
export function toRuleOrdersAddress(
  { filter, each }: OrdersRule | ActivityRule,
  subject: string,
  at: string | null,
  referenceOf: ReferenceOf,
): string | null {
  const of = (kind: Each, code: string | undefined): string | undefined =>
    each === kind && subject !== '' ? subject : code;
  const product = of('product', filter.symbol);
  const owners = [
    ['account', of('account', filter.account_id)],
    ['firm', of('firm', filter.clearing_member_code)],
    ['connection', of('connection', filter.connection_id)],
  ] as const;
  const query = new URLSearchParams();
  if (product !== undefined) query.append('f', `product:is:${product}`);
  for (const [kind, code] of owners) {
    if (code === undefined) continue;
    const reference = referenceOf(kind, code);
    if (reference === null) return null;
    query.append('own', `${kind}:is:${reference}`);
  }
  if (at !== null) query.set('at', at);
  const text = query.toString();
  return text === '' ? '/orders' : `/orders?${text}`;
}
