import type { AliasKind } from '#contract/desk/aliases.ts';
import type { Each } from '#contract/desk/rule-measures.ts';
import type { Rule } from '#contract/desk/rules.ts';
import { toRuleOrdersAddress } from '#model/rules/rule-orders-address.ts';
import { isGrouped, isOfOrders } from '#model/rules/rule-subjects.ts';

/** The paths of the screens that show an alert. */
interface AlertLinks {
  readonly path: string;
  /** The orders that the rule was about at that moment; null if it is not about orders. */
  readonly ordersPath: string | null;
}

export type LinksOf = (rule: Rule, subject: string, at: number) => AlertLinks;

/** What stands in the address for an account, clearing firm or connection. */
export type AliasOf = (kind: AliasKind, code: string) => string;

/** Creates links that name no account, clearing firm or connection, because mail and chat keep what they receive. */
export function createAlertLinks(aliasOf: AliasOf): LinksOf {
  return (rule, subject, at) => ({
    path: toAlertPath(rule, subject, aliasOf),
    ordersPath: isOfOrders(rule)
      ? toRuleOrdersAddress(rule, subject, new Date(at).toISOString(), (kind, code) => `*${aliasOf(kind, code)}*`)
      : null,
  });
}

function toAlertPath(rule: Rule, subject: string, aliasOf: AliasOf): string {
  const each = isOfOrders(rule) ? rule.each : 'product';
  const query = new URLSearchParams({ alert: rule.id });
  if (subject !== '' && isGrouped(rule)) query.set('group', isOwner(each) ? aliasOf(each, subject) : subject);
  return `/rules?${query.toString()}`;
}

function isOwner(each: Each): each is AliasKind {
  return each === 'account' || each === 'firm' || each === 'connection';
}
