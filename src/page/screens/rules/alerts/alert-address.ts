import type { Alert } from '#contract/desk/alerts.ts';
import { textParam } from '#model/format/url-param.ts';

/**
 * The rule whose newest alert has the focus. The subject is left out, because it may be the code of an account, which
 * must not appear in an address.
 */
export const alertParam = textParam('alert');

export function toAlertAddress({ rule_id: ruleId }: Pick<Alert, 'rule_id'>): string {
  return `/rules?${new URLSearchParams({ alert: ruleId }).toString()}`;
}
